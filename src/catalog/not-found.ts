/** The error for a relay that is not listed. */
import { OpenMcpError } from "../spec/index.ts";
import type { Store } from "../store/index.ts";

/** `not-found` for a relay's id, naming near ones where there are any. */
export async function relayNotFound(_store: Store, id: string): Promise<OpenMcpError> {
  return new OpenMcpError("not-found", `no relay "${id}" in this catalog: list the relays to see their ids`, {
    data: { relay: id },
  });
}
