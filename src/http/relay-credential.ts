/** The caller's credential for a relay, where it comes as a header: `Authorization` is the catalog's own. */
import { OpenMcpError } from "../spec/index.ts";

export const RELAY_CREDENTIAL_HEADER = "x-relay-authorization";

/**
 * Null where there is none.
 * @throws OpenMcpError `invalid-input` when it is no bearer credential; the message never repeats it.
 */
export function relayCredential(request: Request): string | null {
  const header = request.headers.get(RELAY_CREDENTIAL_HEADER);
  if (header === null) return null;
  const token = /^Bearer +(\S+) *$/i.exec(header)?.[1];
  if (token !== undefined) return token;
  throw new OpenMcpError("invalid-input", "X-Relay-Authorization must be Bearer and one credential", {
    data: { field: "X-Relay-Authorization" },
  });
}
