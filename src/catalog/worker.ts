/** What runs beside the operations: the index, bulk jobs, the scheduler. server/ starts and closes them. */

export interface Worker extends AsyncDisposable {
  /** Idempotent; returns at once. */
  start(): void;
  /** Idempotent; stops intake and resolves when nothing of it is under way. Never rejects. */
  close(): Promise<void>;
  /** `failed`: its loop broke, which it must not; it does nothing any more. */
  readonly state: "idle" | "running" | "failed" | "closed";
  /** Why it failed. */
  readonly failure: unknown;
}

/** A worker around one loop. `loop` ends when its signal fires, and rejects for nothing; if it does, the worker has failed. */
export function createWorker(loop: (signal: AbortSignal) => Promise<void>): Worker {
  const abort = new AbortController();
  let running: Promise<void> | null = null;
  let state: Worker["state"] = "idle";
  let failure: unknown;

  async function run(): Promise<void> {
    try {
      await loop(abort.signal);
    } catch (error) {
      if (abort.signal.aborted) return;
      failure = error;
      state = "failed";
    }
  }

  async function close(): Promise<void> {
    abort.abort();
    await running;
    if (state !== "failed") state = "closed";
  }

  return {
    start() {
      if (abort.signal.aborted || running !== null) return;
      state = "running";
      running = run();
    },
    close,
    get state() {
      return state;
    },
    get failure() {
      return failure;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Sleeps on the clock; false when the signal fired instead. */
export async function slept(
  clock: { sleep(ms: number, signal?: AbortSignal): Promise<void> },
  ms: number,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await clock.sleep(ms, signal);
    return !signal.aborted;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** One turn of the event loop: requests that wait are served. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
