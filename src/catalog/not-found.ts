/** The errors for a relay that is not listed and a tool that it does not have: each names what may have been meant. */
import { OpenMcpError, type RelayRecord } from "../spec/index.ts";
import type { Store } from "../store/index.ts";
import { MAX_PAGE_CHARS, NEAR_RELAYS } from "./limits.ts";
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

async function nearRelays(store: Store, id: string): Promise<readonly string[]> {
  // The longest word of an id narrows the catalog to a page; the rest is spelling.
  const word = id
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .sort((a, b) => b.length - a.length)[0];
  if (word === undefined || word.length < 3) return [];
  const page = { limit: NEAR_RELAYS, maxChars: MAX_PAGE_CHARS };
  const { relays } = await store.relays.listSummaries({ q: word }, page);
  const ids = (JSON.parse(relays.text) as { readonly id: string }[]).map((relay) => relay.id);
  return nearNames(id, ids);
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(" or ");
}

function clipped(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
