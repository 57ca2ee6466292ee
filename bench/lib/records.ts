/** Records for the benchmarks that need a store and no relay: as a probe would have written them, with the tools of a supply. */
import type { RelayRecord } from "../../src/spec/index.ts";
import type { Store } from "../../src/store/index.ts";
import { endpointOf, event, sampleRecord, sampleWrite, written } from "../../src/store/suite/samples.ts";
import type { ToolSupply } from "./tools.ts";

/** 20,000 relays have 150,000 tools. */
export function recordOf(index: number, supply: ToolSupply): RelayRecord {
  const id = `relay-${index}.example`;
  const at = new Date(1_800_000_000_000 + index).toISOString();
  return sampleRecord(id, {
    descriptor: {
      mcp: endpointOf(id),
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
  });
}

/** `revision`: the one that it was read at; null: it is new. */
export async function saveRecord(
  store: Store,
  record: RelayRecord,
  revision: number | null = null,
): Promise<void> {
  const events = revision === null ? [event("relay.registered")] : [];
  await written(store, sampleWrite(record, { revision, events, now: Date.now() }));
}
