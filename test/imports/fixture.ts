/** A catalog whose imports run, with names that lead to loopback and a clock on which waiting costs nothing. */
import { type CatalogContext, createImportRunner, operations, type Worker } from "../../src/catalog/index.ts";
import type { Clock, ExchangeLimits, ImportInput, ImportJob, ImportResult } from "../../src/spec/index.ts";
import type { Store } from "../../src/store/index.ts";
import { admin, startTestCatalog, type TestCatalog } from "../catalog/fixture.ts";

export interface ImportCatalog extends AsyncDisposable {
  readonly catalog: TestCatalog;
  readonly runner: Worker;
  /** Milliseconds that its clock was told to sleep. */
  slept(): number;
  start(input: ImportInput): Promise<string>;
  job(id: string): Promise<ImportJob>;
  /** The job when it has ended. */
  ended(id: string): Promise<ImportJob>;
  run(input: ImportInput): Promise<ImportJob>;
  results(id: string): Promise<readonly ImportResult[]>;
}

export interface ImportCatalogOptions {
  readonly store?: Store;
  readonly clock?: Clock;
  readonly start?: boolean;
  /** Milliseconds that no exchange may pass, whatever its own limit. */
  readonly timeoutMs?: number;
  /** Told of the limits of each exchange, as they were asked for. */
  readonly onLimits?: (limits: ExchangeLimits) => void;
}

/** Every name leads to 127.0.0.1, so that a list on it can name relays as the world does. */
export async function startImportCatalog(options: ImportCatalogOptions = {}): Promise<ImportCatalog> {
  const hasty = createHastyClock();
  const catalog = await startTestCatalog({
    clock: options.clock ?? hasty,
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    ...(options.store === undefined ? {} : { store: options.store }),
  });
  const { exchange } = catalog.context;
  const context: CatalogContext = {
    ...catalog.context,
    exchange(request, limits) {
      options.onLimits?.(limits);
      const timeoutMs = Math.min(limits.timeoutMs, options.timeoutMs ?? Number.POSITIVE_INFINITY);
      return exchange(request, { ...limits, timeoutMs });
    },
  };
  const runner = createImportRunner(context);
  if (options.start !== false) runner.start();
  const job = async (id: string) => (await operations.importJob.run(context, { job: id }, admin)).job;

  async function ended(id: string): Promise<ImportJob> {
    for (let turns = 0; turns < 200_000; turns += 1) {
      const now = await job(id);
      if (now.finishedAt !== null) return now;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    throw new Error("the import never ended");
  }

  const start = async (input: ImportInput) => (await operations.importRelays.run(context, input, admin)).job;
  return {
    catalog,
    runner,
    slept: hasty.slept,
    start,
    job,
    ended,
    run: async (input) => ended(await start(input)),
    async results(id) {
      const all: ImportResult[] = [];
      let cursor: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof operations.importResults.run>> =
          await operations.importResults.run(
            context,
            { job: id, limit: 500, ...(cursor === null ? {} : { cursor }) },
            admin,
          );
        all.push(...page.results);
        cursor = page.nextCursor;
      } while (cursor !== null);
      return all;
    },
    async [Symbol.asyncDispose]() {
      await runner.close();
      await catalog.close();
    },
  };
}

/** Runs on by itself: whoever sleeps wakes in the next turn, at the time for which it waited. */
function createHastyClock(): Clock & { slept(): number } {
  let skipped = 0;
  return {
    now: () => Date.now() + skipped,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      skipped += ms;
    },
    slept: () => skipped,
  };
}
