/** The errors for a relay that is not listed and a tool that it does not have: each names what may have been meant. */
import { OpenMcpError, type RelayRecord, relayId } from "../spec/index.ts";
import type { Store } from "../store/index.ts";
import { parseGivenUrl } from "./given-url.ts";
import { NEAR_RELAYS } from "./limits.ts";
import { nearNames } from "./near-names.ts";

/** `not-found` for a relay's id; near ids in `data.near`. */
export async function relayNotFound(store: Store, id: string): Promise<OpenMcpError> {
  const near = await nearRelays(store, id);
  const cure = near.length === 0 ? "list the relays to see their ids" : `did you mean ${quoted(near)}?`;
  return new OpenMcpError("not-found", `no relay "${clipped(id)}" in this catalog: ${cure}`, {
    data: { relay: clipped(id), near },
  });
}

/** `not-found` for a tool of a relay that lists its tools; near names in `data.near`. */
export function toolNotFound(record: RelayRecord, tool: string): OpenMcpError {
  const near = nearNames(
    tool,
    record.tools.map((listed) => listed.name),
  );
  const cure = near.length === 0 ? "list its tools to see their names" : `did you mean ${quoted(near)}?`;
  return new OpenMcpError("not-found", `${record.id} has no tool "${clipped(tool)}": ${cure}`, {
    data: { relay: record.id, tool: clipped(tool), near },
  });
}

/** The relay of a URL that was given for an id, and ids that begin like it: two reads by key, however many relays there are. */
async function nearRelays(store: Store, id: string): Promise<readonly string[]> {
  const given = parseGivenUrl(id);
  const derived = given.ok ? relayId(given.url) : id;
  const start = derived.slice(0, Math.floor(derived.length / 2));
  const ids = await store.relays.ids(start, NEAR_RELAYS);
  return nearNames(derived, ids);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(" or ");
}

function clipped(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
