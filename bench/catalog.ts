/**
 * The whole catalog at several sizes, each figure beside its own ceiling in the same run (issue 2, "Speed").
 * Fake relays and ceilings run in processes of their own; so does the catalog. This process only asks and counts.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { measureCalls } from "./catalog/calls.ts";
import { measureReads } from "./catalog/reads.ts";
import { measureRegistrations } from "./catalog/registrations.ts";
import { measureStart } from "./catalog/start.ts";
import { startChild } from "./lib/child.ts";
import { startRelays } from "./lib/relays.ts";
import { printRows, type Row } from "./lib/rows.ts";

/** Milliseconds after which what is only kept for more of the same work has been given back. */
const REST_MS = 35_000;

const SIZES = [500, 5_000, 20_000];

/** `args`: numbers of relays; `src` measures the sources in place of the build. */
export async function run(args: readonly string[]): Promise<void> {
  const sizes = args.map(Number).filter((size) => size > 0);
  const root = join(import.meta.dirname, "..");
  const from = args.includes("src") || !existsSync(join(root, "dist", "server", "index.js")) ? "src" : "dist";
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}), catalog from ${from}/`,
  );
  for (const size of sizes.length > 0 ? sizes : SIZES) await measure(size, from);
}

async function measure(size: number, from: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-bench-"));
  const db = join(folder, "catalog.db");
  try {
    await using relays = await startRelays(size);
    await using bare = await startChild<{ origin: string }>("bare.ts", []);
    const rows: Row[] = [];
    {
      await using catalog = await startChild<{ url: string }>("catalog.ts", [db, from]);
      const parts = { catalog, relays, bare, size };
      rows.push(...(await measureRegistrations(parts)));
      rows.push(...(await measureReads(parts)));
      rows.push(...(await measureCalls(parts)));
      for (const [work, ms] of [
        ["memory, right after all of it", 0],
        ["memory, half a minute later", REST_MS],
      ] as const) {
        await sleep(ms);
        const { rss, peak, own } = catalog.memory();
        rows.push({
          work,
          figures: { rss: `${mib(rss)} MiB`, own: `${mib(own)} MiB`, peak: `${mib(peak)} MiB` },
          goal: "under 300 MB",
        });
      }
    }
    rows.push(...(await measureStart({ db, from })));
    printRows(`${size} relays, ${relays.tools} tools (${relays.source})`, rows);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function mib(bytes: number): string {
  return String(Math.round(bytes / 1024 / 1024));
}
