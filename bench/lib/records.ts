/** Records for the benchmarks that need a store and no relay: as a probe would have written them, with the tools of a supply. */
import type { RelayRecord } from "../../src/spec/index.ts";
import type { Store } from "../../src/store/index.ts";
import type { ToolSupply } from "./tools.ts";

/** 20,000 relays have 150,000 tools. */
export function recordOf(index: number, supply: ToolSupply): RelayRecord {
  const source = `https://relay-${index}.example/mcp`;
  const at = new Date(1_800_000_000_000 + index).toISOString();
  return {
    id: `relay-${index}.example`,
    source,
    descriptor: {
      mcp: source,
      name: `Relay ${index}`,
      description: `The ${index}th relay of a benchmark.`,
      tags: [`tag-${index % 50}`, "bench"],
      auth: { kind: index % 5 === 0 ? "bearer" : "none" },
    },
    tools: supply.toolsOf(index, index % 2 === 0 ? 10 : 5),
    server: { name: "bench", version: "1.0.0", protocolVersion: "2025-06-18" },
    verified: index % 3 !== 0,
    online: index % 10 !== 0,
    seenAt: at,
    firstSeenAt: at,
    failures: 0,
    lastError: null,
    via: null,
    probe: {
      state: "online",
      era: "2025-06-18",
      transport: "streamable-http",
      httpStatus: 200,
      latencyMs: 12,
      at,
      nextAt: null,
      attempts: 1,
      verifiedBy: "openmcp",
      toolsHash: null,
      toolsTruncated: false,
    },
    toolsFrom: "relay",
  };
}

/** `revision`: the one that it was read at; null: it is new. */
export async function saveRecord(
  store: Store,
  record: RelayRecord,
  revision: number | null = null,
): Promise<void> {
  const outcome = await store.relays.save({
    record,
    endpoint: record.source,
    hints: null,
    revision,
    events: revision === null ? [{ id: crypto.randomUUID(), event: "relay.registered" }] : [],
    now: Date.now(),
  });
  if (!outcome.ok) throw new Error(outcome.conflict);
}
