/** The error for a subscription that is not there. It is the only handle, so nothing near it is named. */
import { OpenMcpError } from "../../spec/index.ts";

export function webhookNotFound(): OpenMcpError {
  return new OpenMcpError(
    "not-found",
    "no such subscription: its id was given when it was made, and it is gone when it was removed",
  );
}
