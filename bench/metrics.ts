/**
 * What the metrics cost where it shows most: GET /v1/relays/:id, beside the same catalog that counts nothing. The two take turns in
 * short rounds, so that a noisy machine is noisy for both; the processor time is what a busy neighbour does not change.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { request } from "undici";
import { type Child, startChild } from "./lib/child.ts";
import { load, withCpu } from "./lib/load.ts";
import { figure, median } from "./lib/percentiles.ts";
import { startRelays } from "./lib/relays.ts";
import { printRows } from "./lib/rows.ts";

const ROUNDS = 12;
const REQUESTS = 4_000;
const LANES = 32;
/** Far from the relays that are measured otherwise. */
const FIRST = 64_000;

type Catalog = Child<{ url: string }>;

export async function run(args: readonly string[]): Promise<void> {
  const rounds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? ROUNDS);
  const built = join(import.meta.dirname, "..", "dist", "server", "index.js");
  const from = args.includes("src") || !existsSync(built) ? "src" : "dist";
  await using relays = await startRelays(1, { first: FIRST });
  const endpoint = relays.urls[0] as string;
  await using counted = await startChild<{ url: string }>("catalog.ts", [":memory:", from, "off"]);
  await using bare = await startChild<{ url: string }>("catalog.ts", [":memory:", from, "off", "uncounted"]);
  const path = `/v1/relays/${await register(counted, endpoint)}`;
  await register(bare, endpoint);
  for (const catalog of [counted, bare]) await read(catalog, path);
  const figures = { counted: [] as Costed[], bare: [] as Costed[] };
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first changes: the second finds the processor warm.
    for (const name of round % 2 === 0 ? (["counted", "bare"] as const) : (["bare", "counted"] as const)) {
      figures[name].push(await read(name === "counted" ? counted : bare, path));
    }
  }
  const cpu = { counted: middle(figures.counted, "cpu"), bare: middle(figures.bare, "cpu") };
  const rate = { counted: middle(figures.counted, "rate"), bare: middle(figures.bare, "rate") };
  const scrape = await scrapeOf(counted);
  printRows(`What counting costs (catalog from ${from}/, medians of ${rounds} rounds)`, [
    {
      work: `GET /v1/relays/:id, ${LANES} at once`,
      figures: { rate: `${figure(rate.counted)}/s`, cpu: `${figure(cpu.counted)} ms` },
      ceiling: `uncounted: ${figure(rate.bare)}/s, cpu ${figure(cpu.bare)} ms`,
      ratio: `rate ${figure(rate.counted / rate.bare)}, cpu ${figure(cpu.counted / cpu.bare)}`,
      goal: "cpu under 1.05",
    },
    {
      work: "GET /metrics",
      figures: { p50: `${figure(scrape.ms)} ms`, size: `${Math.round(scrape.bytes / 1024)} KiB` },
    },
  ]);
}

interface Costed {
  readonly rate: number;
  readonly cpu: number;
}

function read(catalog: Catalog, path: string): Promise<Costed> {
  return withCpu(catalog, () =>
    load(catalog.ready.url, { requests: REQUESTS, lanes: LANES, next: () => ({ method: "GET", path }) }),
  );
}

async function register(catalog: Catalog, url: string): Promise<string> {
  const answer = await request(`${catalog.ready.url}/v1/relays`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  return ((await answer.body.json()) as { relay: { id: string } }).relay.id;
}

async function scrapeOf(catalog: Catalog): Promise<{ readonly ms: number; readonly bytes: number }> {
  const times: number[] = [];
  let bytes = 0;
  for (let round = 0; round < 50; round += 1) {
    const begun = performance.now();
    bytes = (await (await request(`${catalog.ready.url}/metrics`)).body.bytes()).length;
    times.push(performance.now() - begun);
  }
  return { ms: times.sort((a, b) => a - b)[25] ?? 0, bytes };
}

function middle(figures: readonly Costed[], name: keyof Costed): number {
  return median(figures.map((one) => one[name]));
}
