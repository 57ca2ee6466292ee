/** Registering every relay, 32 at once, beside a bare registrar (processes/registrar.ts); and how far search lags behind. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { startChild } from "../lib/child.ts";
import { load, withCpu } from "../lib/load.ts";
import { figure, type Timing } from "../lib/percentiles.ts";
import { type Row, timingFigures } from "../lib/rows.ts";
import { wordOf } from "../lib/tools.ts";
import type { Parts } from "./parts.ts";

const LANES = 32;
/** The first and the last so many are told apart from the rest. */
const WINDOW = 500;
/** The bare registrar is measured with so many at most: its rate does not depend on what it has. */
const CEILING = 5_000;

export async function measureRegistrations({ catalog, relays, size }: Parts): Promise<readonly Row[]> {
  const { url } = catalog.ready;
  const ceilings = await ceilingsOf(relays.urls.slice(0, Math.min(size, CEILING)));
  const rows: Row[] = [];
  const windows = windowsOf(size);
  let last = 0;
  let first = 0;
  const started = performance.now();
  for (const [from, to] of windows) {
    const timing = await withCpu(catalog, () => register(url, relays.urls.slice(from, to)));
    const ceiling = from === 0 ? ceilings.first : ceilings.later;
    if (from === 0) first = timing.rate;
    last = timing.rate;
    rows.push({
      work: `register ${from} to ${to}, ${LANES} at once`,
      figures: timingFigures(timing),
      ceiling: `${figure(ceiling.rate)}/s, cpu ${figure(ceiling.cpu)} ms`,
      ratio: figure(timing.rate / ceiling.rate),
      goal: from === 0 ? "half of the ceiling" : "300/s at 20,000",
    });
  }
  const answered = performance.now();
  await until(() => found(url, wordOf(size - 1)));
  const lag = performance.now() - answered;
  const wall = performance.now() - started;
  rows.push({
    work: "index caught up after the last answer",
    figures: {
      lag: `${figure(lag)} ms`,
      "rate with the index caught up": `${figure((size / wall) * 1000)}/s`,
    },
    ratio: `${figure(last / first)} of the first ${WINDOW}`,
    goal: "300/s at 20,000",
  });
  return rows;
}

function windowsOf(size: number): readonly (readonly [number, number])[] {
  if (size <= WINDOW * 2) return [[0, size]];
  return [
    [0, WINDOW],
    [WINDOW, size - WINDOW],
    [size - WINDOW, size],
  ];
}

function register(origin: string, urls: readonly string[]): Promise<Timing> {
  return load(origin, {
    requests: urls.length,
    lanes: LANES,
    next: (index) => ({ method: "POST", path: "/v1/relays", body: JSON.stringify({ url: urls[index] }) }),
  });
}

/** Of the first window, when a process is cold, and of what follows. */
async function ceilingsOf(
  urls: readonly string[],
): Promise<Record<"first" | "later", Timing & { readonly cpu: number }>> {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-bare-"));
  try {
    await using child = await startChild<{ url: string }>("registrar.ts", [join(folder, "bare.db")]);
    const measure = (part: readonly string[]) => withCpu(child, () => register(child.ready.url, part));
    const first = await measure(urls.slice(0, WINDOW));
    return { first, later: urls.length > WINDOW ? await measure(urls.slice(WINDOW)) : first };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function found(url: string, word: string): Promise<boolean> {
  const answer = await request(`${url}/v1/tools?q=${word}&limit=1`);
  const { tools } = (await answer.body.json()) as { tools: unknown[] };
  return tools.length > 0;
}

async function until(met: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (!(await met())) {
    if (performance.now() > deadline) throw new Error("the index did not catch up within ten minutes");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
