/**
 * What watching costs: a look that is kept as history beside one that is not, and the way of a change from its commit to
 * many readers of `GET /v1/events` over real sockets (readers and catalog share one process here: an upper bound).
 * `npm run bench -- changes [relays [readers]]`.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type ClientRequest, get, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { recordLook } from "../src/catalog/history/record-look.ts";
import { eventsDoor } from "../src/doors/events/index.ts";
import type { Clock, RelayRecord } from "../src/spec/index.ts";
import type { Pulse, Store } from "../src/store/index.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import { benchContext } from "./lib/context.ts";
import { figure, timingOf } from "./lib/percentiles.ts";
import { printRows, type Row, timingFigures } from "./lib/rows.ts";
import { openToolSupply } from "./lib/tools.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 5, 1, 10);

export async function run(args: readonly string[]): Promise<void> {
  const [relays = 5_000, readers = 500] = args.map(Number);
  const folder = await mkdtemp(join(tmpdir(), "openmcp-bench-"));
  try {
    await using store = await openSqliteStore({ path: join(folder, "catalog.db") });
    printRows(`${relays} relays looked at, kept as history or not`, await looks(store, relays));
    printRows(`a change on its way to ${readers} readers`, await fanOut(store, readers));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function looks(store: Store, relays: number): Promise<Row[]> {
  const supply = openToolSupply();
  const revisions: (number | null)[] = Array(relays).fill(null);
  const pulses: (Pulse | null)[] = Array(relays).fill(null);

  async function round(
    work: string,
    minute: number,
    { history }: { readonly history: boolean },
  ): Promise<Row> {
    const times: number[] = [];
    const at = START + minute * MINUTE;
    const before = process.cpuUsage();
    for (let index = 0; index < relays; index += 1) {
      const started = performance.now();
      const record = recordOf(index, { at, tools: supply.toolsOf(index, 8) });
      const look = { state: "online", answered: true, at, nextAt: at + 10 * MINUTE, latencyMs: 41 } as const;
      const step = history ? recordLook(pulses[index] ?? null, look) : undefined;
      pulses[index] = step?.pulse ?? pulses[index] ?? null;
      const outcome = await store.relays.save({
        record,
        endpoint: record.source,
        hints: null,
        revision: revisions[index] ?? null,
        events: [],
        now: at,
        ...(step === undefined ? {} : { history: step }),
      });
      if (!outcome.ok) throw new Error(outcome.conflict);
      revisions[index] = outcome.revision;
      times.push(performance.now() - started);
    }
    const { user, system } = process.cpuUsage(before);
    const cpu = { cpu: `${figure((user + system) / relays)} µs` };
    return {
      work,
      figures: {
        ...timingFigures(
          timingOf(
            times,
            times.reduce((sum, ms) => sum + ms, 0),
          ),
        ),
        ...cpu,
      },
    };
  }

  await round("first", 0, { history: true });
  return [
    await round("without history", 1, { history: false }),
    await round("with history", 2, { history: true }),
    await round("without history, again", 3, { history: false }),
    await round("with history, again", 4, { history: true }),
    await round("with history, once an hour", 62, { history: true }),
  ];
}

async function fanOut(store: Store, readers: number): Promise<Row[]> {
  const clock: Clock = {
    now: Date.now,
    sleep: async (ms, signal) => void (await sleep(ms, undefined, { signal })),
  };
  const context = benchContext({ store, clock });
  const door = eventsDoor({ context, maxStreams: readers });
  const server = createAdaptorServer({ fetch: (request, env) => door.fetch(request, env) });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const lags: number[] = [];
  let committed = 0;
  let heard = 0;
  const requests: ClientRequest[] = [];
  for (let reader = 0; reader < readers; reader += 1) {
    const request = get({ port, host: "127.0.0.1", path: "/v1/events", agent: false });
    requests.push(request);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.setEncoding("latin1").on("data", (text: string) => {
      const events = text.split("\nevent: ").length - 1;
      for (let event = 0; event < events; event += 1) lags.push(performance.now() - committed);
      heard += events;
    });
  }
  const changes = 50;
  const before = process.cpuUsage();
  for (let change = 0; change < changes; change += 1) {
    const record = recordOf(1_000_000 + change, { at: START, tools: [] });
    await store.relays.save({
      record,
      endpoint: record.source,
      hints: null,
      revision: null,
      events: [{ id: randomUUID(), event: "relay.registered" }],
      now: START,
    });
    committed = performance.now();
    while (heard < (change + 1) * readers) await sleep(1);
  }
  const { user, system } = process.cpuUsage(before);
  for (const request of requests) request.destroy();
  await door.close();
  server.close();
  return [
    {
      work: "from the commit to a reader",
      figures: {
        ...timingFigures(
          timingOf(
            lags,
            lags.reduce((sum, ms) => sum + ms, 0),
          ),
        ),
        "cpu, both sides": `${figure((user + system) / (changes * readers))} µs`,
      },
    },
  ];
}

function recordOf(
  index: number,
  { at, tools }: { readonly at: number; readonly tools: RelayRecord["tools"] },
): RelayRecord {
  const source = `https://relay-${index}.example/mcp`;
  const iso = new Date(at).toISOString();
  return {
    id: `relay-${index}.example`,
    source,
    descriptor: { mcp: source, name: `Relay ${index}` },
    tools,
    server: null,
    verified: true,
    online: true,
    seenAt: iso,
    firstSeenAt: iso,
    failures: 0,
    lastError: null,
    via: null,
    probe: {
      state: "online",
      era: "2025-11-25",
      transport: "streamable-http",
      httpStatus: 200,
      latencyMs: 41,
      at: iso,
      nextAt: new Date(at + 10 * MINUTE).toISOString(),
      attempts: 1,
      verifiedBy: "openmcp",
      toolsHash: null,
      toolsTruncated: false,
    },
    toolsFrom: "relay",
  };
}
