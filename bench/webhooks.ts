/**
 * Webhooks from the change to the receiver, in processes of their own: a catalog, a receiver on loopback, and relays whose
 * registrations are the events. Beside them the ceiling: the same posts by `undici.request` and nothing else.
 * `npm run bench -- webhooks [subscriptions] [events]`, 200 and 50 unless told.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool, request } from "undici";
import { type Child, startChild } from "./lib/child.ts";
import { figure, timingOf } from "./lib/percentiles.ts";
import { startRelays } from "./lib/relays.ts";
import { printRows, type Row } from "./lib/rows.ts";
import type { ReceiverReport } from "./processes/receiver.ts";

type Receiver = Child<{ readonly url: string }>;
type Catalog = Child<{ readonly url: string }>;

/** Deliveries of the slow part, one a second. */
const SINGLE_EVENTS = 10;
/** Subscribers that hang, in every second round: each block is a round without them, one with them, and one without. */
const HANGING = 10;
const BLOCKS = 12;
/** Events of a round that are measured; one more comes before them, on which the hanging ones hang. */
const ROUND_EVENTS = 4;
const ROUNDS_EVENTS = BLOCKS * 3 * (ROUND_EVENTS + 1);
const CEILING_LANES = 64;

export async function run(args: readonly string[]): Promise<void> {
  const [subscriptions = 200, events = 50] = args.map(Number);
  const folder = await mkdtemp(join(tmpdir(), "openmcp-bench-"));
  try {
    await using receiver: Receiver = await startChild("receiver.ts", []);
    await using relays = await startRelays(events * 2 + SINGLE_EVENTS + ROUNDS_EVENTS);
    const rows: Row[] = [];
    const ceiling = await measureCeiling(receiver, subscriptions * events);
    const parts = { receiver, subscriptions, events, ceiling };
    rows.push(...(await bursts(join(folder, "burst.db"), { ...parts, urls: relays.urls })));
    rows.push(
      await besideHanging(join(folder, "hanging.db"), { ...parts, urls: relays.urls.slice(-ROUNDS_EVENTS) }),
    );
    rows.push(await killed(join(folder, "killed.db"), { ...parts, urls: relays.urls }));
    printRows(`${subscriptions} subscriptions, ${events} events`, rows);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Parts {
  readonly receiver: Receiver;
  readonly subscriptions: number;
  readonly events: number;
  readonly urls: readonly string[];
  /** Posts a second. */
  readonly ceiling: number;
}

async function bursts(db: string, parts: Parts): Promise<Row[]> {
  const { receiver, subscriptions, events, urls, ceiling } = parts;
  await using catalog: Catalog = await startChild("catalog.ts", [db, "src"]);
  await subscribe(catalog, receiver, subscriptions);
  // Everything is loaded, compiled and connected once.
  await registerAll(catalog, urls.slice(0, events));
  await arrived(receiver, subscriptions * events);
  await receiver.ask("report");

  const reads = readingMeanwhile(catalog);
  const cpu = catalog.cpuMs();
  const began = Date.now();
  await registerAll(catalog, urls.slice(events, events * 2));
  const registered = Date.now() - began;
  await arrived(receiver, subscriptions * events);
  const used = catalog.cpuMs() - cpu;
  const burst = await receiver.ask<ReceiverReport>("report");
  const readTimes = timingOf(await reads(), 1);

  const singles: number[] = [];
  for (const url of urls.slice(events * 2, events * 2 + SINGLE_EVENTS)) {
    await registerAll(catalog, [url]);
    await sleep(1_000);
    singles.push(...(await receiver.ask<ReceiverReport>("report")).lags);
  }

  const rate = (burst.count / burst.spanMs) * 1_000;
  const lag = timingOf(burst.lags, 1);
  const single = timingOf(singles, 1);
  return [
    {
      work: `a burst of ${burst.count}`,
      figures: {
        rate: `${figure(rate)}/s`,
        "cpu of the catalog": `${figure(used / burst.count)} ms each, registering ${events} included`,
        registered: `in ${registered} ms`,
      },
      ceiling: `undici.request ${figure(ceiling)}/s`,
      ratio: figure(rate / ceiling),
      goal: "5,000/s",
    },
    {
      work: "lag of that burst",
      figures: { p50: `${figure(lag.p50)} ms`, p99: `${figure(lag.p99)} ms` },
      goal: "p50 under 1.2 s",
    },
    {
      work: "reads of the API meanwhile",
      figures: {
        p50: `${figure(readTimes.p50)} ms`,
        p99: `${figure(readTimes.p99)} ms`,
        max: `${figure(readTimes.max)} ms`,
        reads: String(readTimes.count),
      },
      goal: "under 20 ms",
    },
    {
      work: `lag of one event a second, ${single.count} deliveries`,
      figures: { p50: `${figure(single.p50)} ms`, p99: `${figure(single.p99)} ms` },
      goal: "p50 under 50 ms",
    },
  ];
}

/** Lags of one round, in milliseconds. */
interface Round {
  readonly p50: number;
  readonly p95: number;
}

/**
 * What subscribers that hang cost the others: rounds with and without them in turn, in one catalog, so that whatever else the machine
 * does falls on both alike. Told is the difference of each round with them to the two around it, and beside it the difference of
 * those two to each other, which nobody hangs in: what is no larger than that is noise.
 */
async function besideHanging(db: string, { receiver, subscriptions, urls }: Parts): Promise<Row> {
  await using catalog: Catalog = await startChild("catalog.ts", [db, "src"]);
  await subscribe(catalog, receiver, subscriptions);
  const left = [...urls];
  const next = async (count: number): Promise<void> => {
    await registerAll(catalog, left.splice(0, count));
    await arrived(receiver, subscriptions * count);
  };

  async function round(hanging: number): Promise<Round> {
    const hung: string[] = [];
    for (let index = 0; index < hanging; index += 1) {
      const { webhook } = await post<Subscribed>(catalog, "/v1/webhooks", {
        url: `${receiver.ready.url}/hang/${index}`,
      });
      hung.push(webhook.id);
    }
    await next(1);
    while ((await receiver.ask<number>("hanging")) < hanging) await sleep(2);
    await receiver.ask<ReceiverReport>("report");
    await next(ROUND_EVENTS);
    const { lags } = await receiver.ask<ReceiverReport>("report");
    const still = await receiver.ask<number>("hanging");
    if (still !== hanging) throw new Error(`${still} of ${hanging} subscribers hang at the end of a round`);
    for (const id of hung) {
      const gone = await request(`${catalog.ready.url}/v1/webhooks/${id}`, { method: "DELETE" });
      await gone.body.dump();
    }
    // They are gone, and what was under way to them is let go.
    while ((await receiver.ask<number>("release")) > 0) await sleep(2);
    const sorted = lags.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
    return { p50: at(0.5), p95: at(0.95) };
  }

  await round(HANGING);
  const more: Round[] = [];
  const noise: Round[] = [];
  const alone: Round[] = [];
  for (let block = 1; block < BLOCKS; block += 1) {
    const [before, beside, after] = [await round(0), await round(HANGING), await round(0)];
    const of = (share: keyof Round): readonly [number, number] => [
      beside[share] - (before[share] + after[share]) / 2,
      after[share] - before[share],
    ];
    const [p50, p95] = [of("p50"), of("p95")];
    more.push({ p50: p50[0], p95: p95[0] });
    noise.push({ p50: p50[1], p95: p95[1] });
    alone.push(before, after);
  }
  const middle = (rounds: readonly Round[], share: keyof Round): string => {
    const values = rounds.map((one) => one[share]).sort((a, b) => a - b);
    const [low, mid, high] = [0.1, 0.5, 0.9].map((part) => values[Math.floor(values.length * part)] ?? 0);
    return `${figure(mid ?? 0)} ms (${figure(low ?? 0)} to ${figure(high ?? 0)})`;
  };
  return {
    work: `what ${HANGING} subscribers that hang cost the other ${subscriptions}: ${more.length} rounds with them, each between two without`,
    figures: {
      "more at p50": middle(more, "p50"),
      "more at p95": middle(more, "p95"),
      "between two without, p50": middle(noise, "p50"),
      "between two without, p95": middle(noise, "p95"),
      "lag without, p50": middle(alone, "p50"),
      "lag without, p95": middle(alone, "p95"),
    },
    goal: "100 ms more at most",
  };
}

interface Subscribed {
  readonly webhook: { readonly id: string };
}

/** The catalog is killed when a third has arrived, and started again over the same file. */
async function killed(db: string, { receiver, subscriptions, events, urls }: Parts): Promise<Row> {
  const all = subscriptions * events;
  let atKill = 0;
  {
    await using catalog: Catalog = await startChild("catalog.ts", [db, "src"]);
    await subscribe(catalog, receiver, subscriptions);
    await registerAll(catalog, urls.slice(0, events));
    // Registering was answered for, so every one of its deliveries is owed.
    for (; atKill < all / 3; await sleep(2)) atKill = await receiver.ask<number>("count");
  }
  const died = Date.now();
  await using _catalog: Catalog = await startChild("catalog.ts", [db, "src"]);
  await arrived(receiver, all);
  const report = await receiver.ask<ReceiverReport>("report");
  return {
    work: "kill -9 in the middle, then a start",
    figures: {
      "arrived before": String(atKill),
      lost: String(all - report.distinct),
      "came twice": String(report.repeated),
      "with another id": String(report.otherId),
      "all there after": `${figure((Date.now() - died) / 1_000)} s`,
    },
    goal: "none lost, twice with the same id only",
  };
}

async function subscribe(catalog: Catalog, receiver: Receiver, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await post(catalog, "/v1/webhooks", { url: `${receiver.ready.url}/${index}` });
  }
}

async function registerAll(catalog: Catalog, urls: readonly string[]): Promise<void> {
  await Promise.all(urls.map((url) => post(catalog, "/v1/relays", { url })));
}

async function post<Answer>(catalog: Catalog, path: string, body: object): Promise<Answer> {
  const answer = await request(`${catalog.ready.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
  return JSON.parse(text) as Answer;
}

/** Resolves when so many different deliveries have come; says so when they don't. */
async function arrived(receiver: Receiver, count: number): Promise<void> {
  let before = -1;
  let still = 0;
  for (;;) {
    const now = await receiver.ask<number>("count");
    if (now >= count) return;
    still = now === before ? still + 1 : 0;
    if (still > 1_500) throw new Error(`only ${now} of ${count} deliveries came`);
    before = now;
    await sleep(10);
  }
}

/** Reads one record every five milliseconds until asked to stop; the answer is how long each took. */
function readingMeanwhile(catalog: Catalog): () => Promise<readonly number[]> {
  const pool = new Pool(catalog.ready.url, { connections: 1 });
  const times: number[] = [];
  let going = true;
  const reading = (async () => {
    while (going) {
      const begun = performance.now();
      const answer = await pool.request({ method: "GET", path: "/v1/relays?limit=1" });
      await answer.body.dump();
      times.push(performance.now() - begun);
      await sleep(5);
    }
    await pool.close();
  })();
  return async () => {
    going = false;
    await reading;
    return times;
  };
}

/** A body as long as those of the relays, with the same headers. */
async function measureCeiling(receiver: Receiver, count: number): Promise<number> {
  const pool = new Pool(receiver.ready.url, { connections: CEILING_LANES, pipelining: 1 });
  const body = `{"id":"x","event":"relay.registered","at":"${new Date().toISOString()}","relay":{"id":"x","filler":"${"x".repeat(8_000)}"}}`;
  const headers = {
    "content-type": "application/json",
    "x-openmcp-event": "relay.registered",
    "x-openmcp-delivery": "x",
    "x-openmcp-signature": `sha256=${"0".repeat(64)}`,
  };
  let left = count;
  async function lane(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const answer = await pool.request({ method: "POST", path: "/ceiling", headers, body });
      await answer.body.dump();
    }
  }
  // Once to warm both ends.
  left = count / 4;
  await Promise.all(Array.from({ length: CEILING_LANES }, lane));
  await receiver.ask("report");
  left = count;
  const begun = performance.now();
  await Promise.all(Array.from({ length: CEILING_LANES }, lane));
  const rate = (count / (performance.now() - begun)) * 1_000;
  await pool.close();
  await receiver.ask("report");
  return rate;
}
