/** Relays for the suite's cases, and the short ways to write, index and read them. */
import assert from "node:assert/strict";
import type { EventName, RelayRecord, ToolDefinition } from "../../spec/index.ts";
import type { PageOptions, RelayWrite, Store } from "../store.ts";

/** Milliseconds; the samples' time. */
export const NOW = Date.UTC(2026, 8, 12, 18, 4, 11);

export const wholePage: PageOptions = { limit: 500, maxBytes: 8 * 1024 * 1024 };

export function sampleRecord(id: string, changes: Partial<RelayRecord> = {}): RelayRecord {
  const at = new Date(NOW).toISOString();
  return {
    id,
    source: endpointOf(id),
    descriptor: { mcp: endpointOf(id) },
    tools: [],
    server: null,
    verified: false,
    online: true,
    seenAt: at,
    firstSeenAt: at,
    failures: 0,
    lastError: null,
    via: null,
    probe: {
      state: "online",
      era: "2025-11-25",
      transport: "streamable-http",
      httpStatus: 200,
      latencyMs: 41,
      at,
      nextAt: null,
      attempts: 1,
      verifiedBy: null,
      toolsHash: null,
      toolsTruncated: false,
    },
    toolsFrom: "relay",
    ...changes,
  };
}

export function sampleTool(name: string, description = `Does ${name}.`): ToolDefinition {
  return { name, description, inputSchema: { type: "object", properties: {} } };
}

export function endpointOf(id: string): string {
  return `https://${id}/mcp`;
}

/** A write of the record as a new relay, unless said otherwise. */
export function sampleWrite(record: RelayRecord, changes: Partial<RelayWrite> = {}): RelayWrite {
  return {
    record,
    endpoint: endpointOf(record.id),
    hints: null,
    revision: null,
    events: [],
    now: NOW,
    ...changes,
  };
}

/** Writes a new relay and gives its revision. */
export async function list(store: Store, record: RelayRecord): Promise<number> {
  return written(store, sampleWrite(record, { events: [event("relay.registered")] }));
}

/** Writes what the relay has become and gives its revision. */
export async function change(
  store: Store,
  record: RelayRecord,
  events: readonly EventName[] = ["relay.updated"],
): Promise<number> {
  const stored = await store.relays.get(record.id);
  assert(stored, `${record.id} is not listed`);
  return written(store, sampleWrite(record, { revision: stored.revision, events: events.map(event) }));
}

export async function written(store: Store, write: RelayWrite): Promise<number> {
  const outcome = await store.relays.save(write);
  assert(outcome.ok, `not written: ${outcome.ok ? "" : outcome.conflict}`);
  return outcome.revision;
}

export function event(name: EventName): { readonly id: string; readonly event: EventName } {
  return { id: crypto.randomUUID(), event: name };
}

/** Ids of a page, in its order. */
export async function listedIds(
  store: Store,
  ...asked: Parameters<Store["relays"]["list"]>
): Promise<string[]> {
  const { relays } = await store.relays.list(...asked);
  return (JSON.parse(relays.text) as RelayRecord[]).map((record) => record.id);
}

/** Steps until nothing waits; a step that gets nowhere fails. */
export async function indexAll(store: Store): Promise<void> {
  for (let rounds = 0; (await store.searchIndex.pending()) > 0; rounds += 1) {
    assert(rounds < 1_000, "the search index never gets done");
    await store.searchIndex.step();
  }
}
