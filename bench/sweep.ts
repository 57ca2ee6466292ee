/**
 * All relays due at once, each answering in 50 ms: how long until every one has been looked at, and what reads cost
 * meanwhile (issue 3, "Scheduler"). Beside it `undici.request` doing the same posts, as many at once, in the same run.
 * `npm run bench -- sweep [relays…] [src]`.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { WATCH_CONCURRENCY } from "../src/catalog/watch/limits.ts";
import { startChild } from "./lib/child.ts";
import { load } from "./lib/load.ts";
import { figure, timingOf } from "./lib/percentiles.ts";
import { type Relays, startRelays } from "./lib/relays.ts";
import { printRows, type Row } from "./lib/rows.ts";
import { openToolSupply } from "./lib/tools.ts";

/** Milliseconds that a relay takes for an answer. */
const ANSWER_MS = 50;
/** Milliseconds between two reads: they come when they come, however long the one before took. */
const READ_EVERY_MS = 20;

export async function run(args: readonly string[]): Promise<void> {
  const sizes = args.map(Number).filter((size) => size > 0);
  const built = existsSync(join(import.meta.dirname, "..", "dist", "server", "index.js"));
  const from = args.includes("src") || !built ? "src" : "dist";
  for (const size of sizes.length > 0 ? sizes : [20_000]) {
    const folder = await mkdtemp(join(tmpdir(), "openmcp-bench-"));
    try {
      await measure(size, { db: join(folder, "catalog.db"), from });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

interface Place {
  readonly db: string;
  readonly from: string;
}

async function measure(size: number, place: Place): Promise<void> {
  await using relays = await startRelays(size, { freshSeconds: 86_400 });
  await register(relays, place);
  await relays.delay(ANSWER_MS);
  const rows: Row[] = [];
  for (const descriptors of ["fresh", "asked for conditionally"] as const) {
    const asks = descriptors === "fresh" ? ["tools/list"] : ["descriptor", "tools/list"];
    const ceiling = await ceilingOf(relays, asks);
    rows.push(...(await sweep({ relays, place, descriptors, ceiling })));
  }
  printRows(
    `${size} relays due at once, ${relays.tools} tools (${relays.source}), ${ANSWER_MS} ms each`,
    rows,
  );
}

async function register(relays: Relays, { db, from }: Place): Promise<void> {
  await using catalog = await startChild<{ url: string }>("catalog.ts", [db, from]);
  await load(catalog.ready.url, {
    requests: relays.urls.length,
    lanes: 32,
    next: (index) => ({
      method: "POST",
      path: "/v1/relays",
      body: JSON.stringify({ url: relays.urls[index] }),
    }),
  });
  // The index follows at its own pace; what it costs is the other benchmark's.
  while (countOf(db, "select count(*) as n from search_dirty") > 0) await sleep(50);
}

interface Ceiling {
  readonly ms: number;
  /** Milliseconds of processor time a relay. */
  readonly cpu: number;
  /** Milliseconds that a process takes for a constant while it does nothing but the exchanges. */
  readonly reads: readonly number[];
}

async function ceilingOf(relays: Relays, asks: readonly string[]): Promise<Ceiling> {
  await using child = await startChild<{ url: string }>("posts.ts", []);
  const before = child.cpuMs();
  const stop = new AbortController();
  const reading = read(child.ready.url, relays, stop.signal);
  const { ms } = await child.ask<{ ms: number }>({ urls: relays.urls, lanes: WATCH_CONCURRENCY, asks });
  stop.abort();
  const { records } = await reading;
  return { ms, cpu: (child.cpuMs() - before) / relays.urls.length, reads: records };
}

async function sweep(options: {
  readonly relays: Relays;
  readonly place: Place;
  readonly descriptors: "fresh" | "asked for conditionally";
  readonly ceiling: Ceiling;
}): Promise<readonly Row[]> {
  const { relays, place, descriptors, ceiling } = options;
  const size = relays.urls.length;
  makeDue(place.db, descriptors === "fresh");
  const asked = await relays.delay(ANSWER_MS);
  const started = performance.now();
  const startedAt = Date.now();
  await using catalog = await startChild<{ url: string }>("catalog.ts", [place.db, place.from, "10m"]);
  const cpu = catalog.cpuMs();
  const stop = new AbortController();
  const reading = read(catalog.ready.url, relays, stop.signal);
  while (countOf(place.db, `select count(*) as n from schedule where due <= ${startedAt}`) > 0)
    await sleep(50);
  const ms = performance.now() - started;
  const used = (catalog.cpuMs() - cpu) / size;
  stop.abort();
  const { records, searches } = await reading;
  const requests = (await relays.delay(ANSWER_MS)) - asked;
  const timing = (times: readonly number[]) => {
    const { p50, p99, max } = timingOf(times, ms);
    return { p50: `${figure(p50)} ms`, p99: `${figure(p99)} ms`, max: `${figure(max)} ms` };
  };
  const least = timing(ceiling.reads);
  const floor = { ceiling: `a constant: p50 ${least.p50}, p99 ${least.p99}, max ${least.max}` };
  return [
    {
      work: `sweep, descriptors ${descriptors}`,
      figures: {
        time: `${figure(ms / 1_000)} s`,
        rate: `${figure((size / ms) * 1_000)}/s`,
        cpu: `${figure(used)} ms`,
        requests: `${figure(requests / size)} a relay`,
      },
      ceiling: `${figure(ceiling.ms / 1_000)} s, cpu ${figure(ceiling.cpu)} ms`,
      ratio: figure(ms / ceiling.ms),
      goal: "20,000 within 60 s",
    },
    { work: "GET /v1/relays/:id meanwhile", figures: timing(records), ...floor, goal: "p99 under 20 ms" },
    { work: "GET /v1/tools meanwhile", figures: timing(searches), ...floor, goal: "p99 under 20 ms" },
  ];
}

/** Nobody has asked for a while: everything is due, and the descriptors are fresh or they are not. */
function makeDue(db: string, fresh: boolean): void {
  const database = new DatabaseSync(db);
  const document = fresh
    ? `json_set(document, '$.freshSeconds', 86400, '$.readAt', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`
    : `json_set(document, '$.freshSeconds', 0)`;
  database.exec(`update schedule set due = 1; update relay set document = ${document};`);
  database.close();
}

function countOf(db: string, sql: string): number {
  const database = new DatabaseSync(db, { readOnly: true, timeout: 5_000 });
  try {
    return Number(database.prepare(sql).get()?.n);
  } finally {
    database.close();
  }
}

/** A record and a search in turn, at a fixed pace. */
async function read(
  url: string,
  relays: Relays,
  stop: AbortSignal,
): Promise<{ readonly records: readonly number[]; readonly searches: readonly number[] }> {
  const supply = openToolSupply();
  const pool = new Pool(url, { connections: 16, pipelining: 1 });
  const times = { records: [] as number[], searches: [] as number[] };
  const open = new Set<Promise<void>>();
  for (let index = 0; !stop.aborted; index += 1) {
    const relay = new URL(relays.urls[(index * 7_919) % relays.urls.length] as string);
    const one = index % 2 === 0;
    const path = one
      ? `/v1/relays/${relay.hostname}-${relay.port}`
      : `/v1/tools?q=${encodeURIComponent(supply.question(index))}`;
    const asking = timed(pool, path).then((ms) => void (one ? times.records : times.searches).push(ms));
    open.add(asking);
    void asking.finally(() => open.delete(asking));
    await sleep(READ_EVERY_MS);
  }
  await Promise.all(open);
  await pool.close();
  return times;
}

async function timed(pool: Pool, path: string): Promise<number> {
  const begun = performance.now();
  const answer = await pool.request({ method: "GET", path });
  await answer.body.bytes();
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`);
  return performance.now() - begun;
}
