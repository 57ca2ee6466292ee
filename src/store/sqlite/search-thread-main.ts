/** The thread of search-thread.ts: one connection, one index, a step whenever it is asked for one. It decides nothing. */
import { parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "./database.ts";
import {
  RELAYS_PER_THREAD_STEP,
  THREAD_CHECKPOINT_PAGES,
  THREAD_PAGE_CACHE_KIB,
  TOOLS_PER_THREAD_STEP,
} from "./limits.ts";
import { createSearchIndex } from "./search-index.ts";
import type { SearchThreadAnswer, SearchThreadData, SearchThreadQuestion } from "./search-thread.ts";
import { createTermIds } from "./term-ids.ts";
import { createWriteTurns } from "./write-turns.ts";

const data = workerData as SearchThreadData;
const turns = createWriteTurns(data.turns);
const database = openDatabase(data.path, {
  pageCacheKib: THREAD_PAGE_CACHE_KIB,
  checkpointPages: THREAD_CHECKPOINT_PAGES,
});
const index = createSearchIndex(database, {
  termIds: createTermIds(database),
  write: (work) => turns.takeBlocking(() => database.transaction(work)),
  relays: RELAYS_PER_THREAD_STEP,
  tools: TOOLS_PER_THREAD_STEP,
});

/**
 * Most of it beside the writers; then what they wrote meanwhile, in a turn, so that all of the log is taken over for once and the next
 * writer begins it anew: otherwise it would grow for as long as somebody writes. That writer is this thread, since who begins a log
 * waits for the disk.
 */
function checkpoint(): void {
  const sql = "pragma wal_checkpoint(passive)";
  database.exec(sql);
  turns.takeBlocking(() => {
    database.exec(sql);
    // In one transaction: another process that brings the file up to date may write the version too.
    database.transaction(() => {
      const version = database.get<{ user_version: number }>("pragma user_version")?.user_version ?? 0;
      database.exec(`pragma user_version = ${version}`);
    });
  });
}

async function answer(question: Exclude<SearchThreadQuestion, "close">): Promise<SearchThreadAnswer> {
  try {
    if (question === "checkpoint") {
      checkpoint();
      return { checkpointed: true };
    }
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
