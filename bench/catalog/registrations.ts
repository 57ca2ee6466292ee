/** Registering every relay, 32 at once, beside `undici.request` doing the same exchanges; and how far search lags behind. */
import { request } from "undici";
import { startChild } from "../lib/child.ts";
import { load, withCpu } from "../lib/load.ts";
import { figure } from "../lib/percentiles.ts";
import { type Row, timingFigures } from "../lib/rows.ts";
import { wordOf } from "../lib/tools.ts";
import type { Parts } from "./parts.ts";

const LANES = 32;
/** The first and the last so many are told apart from the rest. */
const WINDOW = 500;

export async function measureRegistrations({ catalog, relays, size }: Parts): Promise<readonly Row[]> {
  const { url } = catalog.ready;
  const ceiling = await ceilingOf(relays.urls.slice(0, Math.min(size, 5_000)));
  const rows: Row[] = [];
  const windows = windowsOf(size);
  let last = 0;
  let first = 0;
  const started = performance.now();
  for (const [from, to] of windows) {
    const timing = await withCpu(catalog, () =>
      load(url, {
        requests: to - from,
        lanes: LANES,
        next: (index) => ({
          method: "POST",
          path: "/v1/relays",
          body: JSON.stringify({ url: relays.urls[from + index] }),
        }),
      }),
    );
    if (from === 0) first = timing.rate;
    last = timing.rate;
    rows.push({
      work: `register ${from} to ${to}, ${LANES} at once`,
      figures: timingFigures(timing),
      ceiling: `${figure(ceiling.rate)}/s, cpu ${figure(ceiling.cpu)} ms`,
      ratio: figure(timing.rate / ceiling.rate),
      goal: from === 0 ? "800/s" : "300/s at 20,000",
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

/** What the exchanges alone would allow. */
async function ceilingOf(urls: readonly string[]): Promise<{ readonly rate: number; readonly cpu: number }> {
  await using child = await startChild("posts.ts", []);
  return await withCpu(child, async () => {
    const { ms } = await child.ask<{ ms: number }>({
      urls,
      lanes: LANES,
      asks: ["descriptor", "server/discover", "tools/list"],
    });
    return { count: urls.length, rate: (urls.length / ms) * 1000 };
  });
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
