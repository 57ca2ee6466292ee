/**
 * Registers many URLs, as the catalog's own jobs where it takes them, else one by one with a few under way. Either way
 * each URL ends as one result, told as it comes.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { CatalogClient } from "../client/index.ts";
import { type BulkResult, isOpenMcpError, OpenMcpError } from "../spec/index.ts";
import { BULK_SIZE, ONE_BY_ONE, POLL_FIRST_MS, POLL_MOST_MS } from "./limits.ts";
import { type Patience, patiently } from "./patiently.ts";

export interface RegisterManyOptions extends Patience {
  readonly onResult: (result: BulkResult) => void;
  /** Told of each job that the catalog has taken: it goes on there whatever happens here. */
  readonly onJob?: (job: string) => void;
}

/** Results in the order in which they came. */
export async function registerMany(
  catalog: CatalogClient,
  { urls, ...options }: RegisterManyOptions & { readonly urls: readonly string[] },
): Promise<readonly BulkResult[]> {
  const results: BulkResult[] = [];
  const onResult = (result: BulkResult): void => {
    results.push(result);
    options.onResult(result);
  };
  for (let from = 0; from < urls.length; from += BULK_SIZE) {
    const part = urls.slice(from, from + BULK_SIZE);
    const taken = await asJob(catalog, { ...options, urls: part, onResult });
    // A catalog without jobs has none for the rest either.
    if (!taken) {
      await oneByOne(catalog, { ...options, urls: urls.slice(from), onResult });
      break;
    }
  }
  return results;
}

/** False when this catalog, or this transport, takes no jobs. */
async function asJob(
  catalog: CatalogClient,
  { urls, signal, onResult, onJob, onWait }: RegisterManyOptions & { readonly urls: readonly string[] },
): Promise<boolean> {
  let taken: Awaited<ReturnType<CatalogClient["bulk"]>>;
  try {
    taken = await patiently({ signal, onWait }, () => catalog.bulk({ urls }));
  } catch (error) {
    const without = ["unsupported-transport", "not-found", "method-not-allowed"] as const;
    if (without.some((code) => isOpenMcpError(error, code))) return false;
    throw error;
  }
  onJob?.(taken.job);
  for (const { url, error } of taken.rejected) {
    onResult({ url, outcome: "failed", relay: null, state: null, error });
  }
  const told = new Map<string, number>();
  let pause = POLL_FIRST_MS;
  for (;;) {
    const job = await catalog.bulkJob(taken.job);
    for (const result of untold(job.results, told)) onResult(result);
    if (job.finishedAt !== null) return true;
    await sleep(pause, undefined, { signal }).catch((cause) => {
      throw new OpenMcpError("aborted", "Ended before the job was done.", { cause });
    });
    pause = Math.min(POLL_MOST_MS, pause * 1.5);
  }
}

/** Results not seen before. A catalog may give them in the order of the URLs, so new ones can come in between. */
function untold(results: readonly BulkResult[], told: Map<string, number>): readonly BulkResult[] {
  const seen = new Map<string, number>();
  return results.filter(({ url }) => {
    const nth = (seen.get(url) ?? 0) + 1;
    seen.set(url, nth);
    if (nth <= (told.get(url) ?? 0)) return false;
    told.set(url, nth);
    return true;
  });
}

async function oneByOne(
  catalog: CatalogClient,
  { urls, signal, onResult, onWait }: RegisterManyOptions & { readonly urls: readonly string[] },
): Promise<void> {
  const queue = urls.values();
  const worker = async (): Promise<void> => {
    for (const url of queue) {
      signal.throwIfAborted();
      onResult(await registerOne(catalog, { url, signal, onWait }));
    }
  };
  await Promise.all(Array.from({ length: ONE_BY_ONE }, worker));
}

/** What ends the whole run (no catalog, Ctrl-C) rejects; what concerns this URL is its result. */
async function registerOne(
  catalog: CatalogClient,
  { url, ...patience }: Patience & { readonly url: string },
): Promise<BulkResult> {
  try {
    const answer = await patiently(patience, () => catalog.register(url));
    const outcome = answer.created === false ? "known" : "listed";
    return { url, outcome, relay: answer.relay.id, state: answer.relay.probe?.state ?? null, error: null };
  } catch (error) {
    if (!isOpenMcpError(error)) throw error;
    if (error.code === "catalog-unreachable" || error.code === "catalog-answer" || error.code === "aborted")
      throw error;
    const refused = error.code === "not-listed";
    return { url, outcome: refused ? "refused" : "failed", relay: null, state: null, error: error.message };
  }
}
