/**
 * Whose turn it is to write: SQLite has one writer at a time and makes a second one wait inside its call, which would hold up all
 * that a thread serves. Two threads of one process take turns before they begin: the main one waits without blocking, the
 * index's may block. Other processes are SQLite's own to hold off. No order is promised; turns are short.
 */
import type { Database } from "./database.ts";

/** Writes of one connection; each is a transaction of its own. */
export interface Writer {
  write<T>(work: () => T): Promise<T>;
}

export interface WriteTurns {
  /** What the other thread is handed to take part. */
  readonly shared: SharedArrayBuffer;
  /** Runs `work`, which is synchronous, when it is this thread's turn; the thread serves others meanwhile. */
  take<T>(work: () => T): Promise<T>;
  /** The same for a thread that may stand still. */
  takeBlocking<T>(work: () => T): T;
  /** Ends the turn of a thread that died in it. */
  release(): void;
}

const FREE = 0;
const TAKEN = 1;
/** By a thread that blocked for it. */
const TAKEN_BLOCKING = 2;

export function createWriteTurns(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)): WriteTurns {
  const turn = new Int32Array(shared);

  function during<T>(work: () => T): T {
    try {
      return work();
    } finally {
      free();
    }
  }

  function free(): void {
    Atomics.store(turn, 0, FREE);
    Atomics.notify(turn, 0);
  }

  return {
    shared,
    async take(work) {
      for (;;) {
        const holder = Atomics.compareExchange(turn, 0, FREE, TAKEN);
        if (holder === FREE) return during(work);
        await Atomics.waitAsync(turn, 0, holder).value;
      }
    },
    takeBlocking(work) {
      for (;;) {
        const holder = Atomics.compareExchange(turn, 0, FREE, TAKEN_BLOCKING);
        if (holder === FREE) return during(work);
        Atomics.wait(turn, 0, holder);
      }
    },
    release() {
      if (Atomics.load(turn, 0) === TAKEN_BLOCKING) free();
    },
  };
}

/** Transactions on `database`, each in its turn; without `turns` there is nobody to take turns with. `written` is told of each. */
export function createWriter(
  database: Database,
  turns: WriteTurns | null,
  written: () => void = () => {},
): Writer {
  return {
    async write(work) {
      if (turns === null) return database.transaction(work);
      const done = await turns.take(() => database.transaction(work));
      written();
      return done;
    },
  };
}
