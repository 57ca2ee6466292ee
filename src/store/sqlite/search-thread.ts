/**
 * The search index in a thread of its own: the same steps on a second connection, so that requests are served meanwhile; it waits for
 * the disk too where the main thread should not. The thread starts with the first work there is, ends when there was none for a
 * while, and holds no process open. A database in memory has one connection and can't be shared: its steps run where they are called.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { OpenMcpError } from "../../spec/index.ts";
import type { SearchIndex } from "../store.ts";
import type { Database } from "./database.ts";
import { THREAD_IDLE_MS } from "./limits.ts";
import { pendingRelays, unseenRelays } from "./search-index.ts";
import { meansMoved, readState } from "./search-state.ts";
import type { WriteTurns } from "./write-turns.ts";

export interface SearchThread extends SearchIndex {
  /** Takes the write-ahead log over into the file, to its end. */
  checkpoint(): Promise<void>;
  /** Runs `work`, which is synchronous, while the thread has no connection: a later step opens a new one. */
  whileEnded<T>(work: () => T): Promise<T>;
  /** Idempotent; waits for the step under way. */
  close(): Promise<void>;
}

/** What the thread is told when it starts. */
export interface SearchThreadData {
  readonly path: string;
  readonly turns: SharedArrayBuffer;
}

export type SearchThreadQuestion = "step" | "renew" | "checkpoint" | "close";

/** `error`: it failed, and may be tried again. */
export type SearchThreadAnswer =
  | { readonly indexed: number }
  | { readonly renewed: boolean }
  | { readonly checkpointed: true }
  | { readonly error: string };

/** Beside this file, compiled or not. */
const THREAD = new URL(`./search-thread-main${import.meta.url.slice(-3)}`, import.meta.url);

export interface SearchThreadOptions {
  readonly turns: WriteTurns;
  /** Milliseconds without work after which the thread ends; default `THREAD_IDLE_MS`. */
  readonly idleMs?: number | undefined;
}

/** `database` is the main thread's connection: what is marked is counted there. */
export function createSearchThread(
  database: Database,
  { turns, idleMs = THREAD_IDLE_MS }: SearchThreadOptions,
): SearchThread {
  let thread: Worker | null = null;
  let closed = false;
  /** Steps follow each other. */
  let line: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const data: SearchThreadData = { path: database.path, turns: turns.shared };
    const worker = new Worker(THREAD, { workerData: data, name: "openmcp search index" });
    // Whoever waits for a step is told; between steps there is nobody, and the next one starts a thread anew.
    worker.on("error", () => {});
    worker.once("exit", () => {
      turns.release();
      if (thread === worker) thread = null;
    });
    return worker;
  }

  async function ask(
    question: Exclude<SearchThreadQuestion, "close">,
  ): Promise<Exclude<SearchThreadAnswer, { error: string }>> {
    if (closed) throw new OpenMcpError("unavailable", "The store is closed.");
    thread ??= start();
    const asked = thread;
    asked.ref();
    asked.postMessage(question satisfies SearchThreadQuestion);
    const gone = new AbortController();
    const onExit = (): void => gone.abort();
    asked.once("exit", onExit);
    try {
      const [answer] = (await once(asked, "message", { signal: gone.signal })) as [SearchThreadAnswer];
      if ("error" in answer) throw new OpenMcpError("unavailable", answer.error);
      return answer;
    } finally {
      asked.removeListener("exit", onExit);
      asked.unref();
    }
  }

  function inLine(question: Parameters<typeof ask>[0]): ReturnType<typeof ask> {
    clearTimeout(idle);
    const answer = line.then(() => ask(question));
    line = answer.catch(() => {}).then(restartIdle);
    return answer;
  }

  function restartIdle(): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      line = line.then(end);
    }, idleMs);
    idle.unref();
  }

  async function end(): Promise<void> {
    if (thread === null) return;
    const ended = once(thread, "exit");
    thread.ref();
    thread.postMessage("close" satisfies SearchThreadQuestion);
    await ended;
  }

  return {
    async step() {
      if (pendingRelays(database) === 0) return { indexed: 0, pending: 0 };
      const answer = await inLine("step");
      return { indexed: "indexed" in answer ? answer.indexed : 0, pending: pendingRelays(database) };
    },
    async renew() {
      // Read here: an index that is as it should be needs no thread.
      if (!meansMoved(readState(database))) return false;
      const answer = await inLine("renew");
      return "renewed" in answer && answer.renewed;
    },
    pending: async () => pendingRelays(database),
    unseen: async () => unseenRelays(database),
    async checkpoint() {
      await inLine("checkpoint");
    },
    async whileEnded(work) {
      const done = line.then(end).then(work);
      line = done.catch(() => {});
      return done;
    },
    async close() {
      closed = true;
      await line;
      clearTimeout(idle);
      await end();
    },
  };
}
