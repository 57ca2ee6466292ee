/**
 * A call forwarded by the catalog beside the same post sent directly: the difference of the medians is what the catalog
 * adds. The ceiling is a bare router that does nothing but post on. One call at a time, taking turns, so that noise hits all.
 */
import { Pool } from "undici";
import { figure, timingOf } from "../lib/percentiles.ts";
import { startRelays } from "../lib/relays.ts";
import type { Row } from "../lib/rows.ts";
import type { Parts } from "./parts.ts";

const ROUNDS = 1_000;
/** Far from the relays that are measured otherwise. */
const FIRST = 60_000;

export async function measureCalls({ catalog, bare }: Parts): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const delayMs of [0, 20]) {
    await using relays = await startRelays(1, { callDelayMs: delayMs, first: FIRST + delayMs });
    const endpoint = new URL(relays.urls[0] as string);
    await using toCatalog = pool(catalog.ready.url);
    await using toBare = pool(bare.ready.origin);
    await using toRelay = pool(endpoint.origin);
    const listed = JSON.parse(await toCatalog.post("/v1/relays", JSON.stringify({ url: endpoint.href }))) as {
      relay: { id: string; tools: { name: string }[] };
    };
    const { id, tools } = listed.relay;
    const call = JSON.stringify({ tool: tools[0]?.name, arguments: { a: 1 } });
    const message = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tools[0]?.name, arguments: { a: 1 } },
    });
    const ways = {
      direct: () => toRelay.post("/mcp", message),
      bare: () => toBare.post(`/forward/${endpoint.port}/${endpoint.hostname}`, message),
      catalog: () => toCatalog.post(`/v1/relays/${id}/call`, call),
    };
    const times: Record<keyof typeof ways, number[]> = { direct: [], bare: [], catalog: [] };
    const rounds = delayMs === 0 ? ROUNDS : ROUNDS / 4;
    for (let round = -rounds / 5; round < rounds; round += 1) {
      for (const way of ["direct", "bare", "catalog"] as const) {
        const begun = performance.now();
        await ways[way]();
        if (round >= 0) times[way].push(performance.now() - begun);
      }
    }
    const p50 = (way: keyof typeof ways) => timingOf(times[way], 1).p50;
    const added = p50("catalog") - p50("direct");
    const ceiling = p50("bare") - p50("direct");
    rows.push({
      work: `a forwarded call, relay at ${delayMs} ms`,
      figures: {
        "added at p50": `${figure(added)} ms`,
        p50: `${figure(p50("catalog"))} ms`,
        p99: `${figure(timingOf(times.catalog, 1).p99)} ms`,
      },
      ceiling: `added ${figure(ceiling)} ms by a bare router (direct ${figure(p50("direct"))} ms)`,
      ratio: figure(added / ceiling),
      goal: delayMs === 0 ? "added 0.4 ms" : "added 0.6 ms",
    });
  }
  return rows;
}

function pool(origin: string): AsyncDisposable & { post(path: string, body: string): Promise<string> } {
  const client = new Pool(origin, { connections: 1, pipelining: 1 });
  return {
    async post(path, body) {
      const answer = await client.request({
        method: "POST",
        path,
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
        body,
      });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
      return text;
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
