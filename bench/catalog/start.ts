/** `openmcp serve` from the start of its process to the first answer, with the database that the run filled; beside Node doing nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { request } from "undici";
import { memoryOf } from "../lib/child.ts";
import { figure, timingOf } from "../lib/percentiles.ts";
import type { Row } from "../lib/rows.ts";

const STARTS = 7;

export async function measureStart(options: {
  readonly db: string;
  readonly from: string;
}): Promise<readonly Row[]> {
  const times: number[] = [];
  let rss = 0;
  for (let start = 0; start <= STARTS; start += 1) {
    const begun = performance.now();
    await using catalog = await serve(options);
    const answer = await request(`${catalog.url}/v1/relays?limit=1`);
    await answer.body.dump();
    // The first one fills the compile cache and the page cache.
    if (start > 0) times.push(performance.now() - begun);
    rss = memoryOf(catalog.pid).rss;
  }
  const bare: number[] = [];
  for (let start = 0; start <= STARTS; start += 1) {
    const begun = performance.now();
    await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
    if (start > 0) bare.push(performance.now() - begun);
  }
  const timing = timingOf(times, 1);
  const ceiling = timingOf(bare, 1);
  return [
    {
      work: "start with this database, to the first answer",
      figures: {
        p50: `${figure(timing.p50)} ms`,
        max: `${figure(timing.max)} ms`,
        rss: `${Math.round(rss / 1024 / 1024)} MiB`,
      },
      ceiling: `Node alone ${figure(ceiling.p50)} ms`,
      ratio: figure(timing.p50 / ceiling.p50),
      goal: "under 300 ms",
    },
  ];
}

/** The command as people run it, compile cache and all; resolves when it has printed where it is. */
async function serve({ db, from }: { readonly db: string; readonly from: string }) {
  const main = join(import.meta.dirname, "..", "..", from, "cli", from === "dist" ? "main.js" : "main.ts");
  const child = spawn(process.execPath, [main, "serve", "--port", "0", "--db", db, "--refresh", "off"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  let url: string | undefined;
  for await (const chunk of child.stdout) {
    output += chunk;
    url = /http:\/\/\S+:\d+/.exec(output)?.[0];
    if (url !== undefined) break;
  }
  if (url === undefined) throw new Error(`${main} printed no URL: ${output}`);
  return {
    url,
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      const ended = once(child, "exit");
      // An orderly end: the first keeps its compiled code for the others.
      child.kill("SIGTERM");
      await ended;
    },
  };
}
