/** What runs beside the operations: the index, bulk jobs, the sweep. server/ starts and closes them. */

export interface Worker extends AsyncDisposable {
  /** Idempotent; returns at once. */
  start(): void;
  /** Idempotent; stops intake and resolves when nothing of it is under way. */
  close(): Promise<void>;
}

/** A worker around one loop. `loop` ends when its signal fires, and rejects for nothing else. */
export function createWorker(loop: (signal: AbortSignal) => Promise<void>): Worker {
  const abort = new AbortController();
  let running: Promise<void> | null = null;

  async function close(): Promise<void> {
    abort.abort();
    await running;
  }

  return {
    start() {
      if (!abort.signal.aborted) running ??= loop(abort.signal);
    },
    close,
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
