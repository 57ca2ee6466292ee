/** The thread of search-thread.ts: one connection, one index, a step whenever it is asked for one. It decides nothing. */
import { parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "./database.ts";
import { RELAYS_PER_THREAD_STEP, THREAD_PAGE_CACHE_KIB, TOOLS_PER_THREAD_STEP } from "./limits.ts";
import { createSearchIndex } from "./search-index.ts";
import type { SearchThreadAnswer, SearchThreadData, SearchThreadQuestion } from "./search-thread.ts";
import { createTermIds } from "./term-ids.ts";
import { createWriteTurns } from "./write-turns.ts";

const data = workerData as SearchThreadData;
const turns = createWriteTurns(data.turns);
const database = openDatabase(data.path, { pageCacheKib: THREAD_PAGE_CACHE_KIB });
const index = createSearchIndex(database, {
  termIds: createTermIds(database),
  write: (work) => turns.takeBlocking(() => database.transaction(work)),
  relays: RELAYS_PER_THREAD_STEP,
  tools: TOOLS_PER_THREAD_STEP,
});

async function answer(question: "step" | "renew"): Promise<SearchThreadAnswer> {
  try {
    if (question === "renew") return { renewed: await index.renew() };
    return { indexed: (await index.step()).indexed };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.on("message", (question: SearchThreadQuestion) => {
  if (question === "close") {
    database.close();
    parentPort?.close();
  } else {
    void answer(question).then((told) => parentPort?.postMessage(told));
  }
});
