/**
 * Runs tasks with a bound in all and one a host, hosts in turn: a slow host holds up its own tasks only, and none is asked
 * more than politely. It knows nothing of what the tasks do.
 */

export interface HostPool extends AsyncDisposable {
  /** Queues a task; it may start at once. A task must not reject: it reports its own failure. After `close` it is dropped. */
  add(host: string, task: (signal: AbortSignal) => Promise<void>): void;
  /** Queued and running. */
  readonly size: number;
  /** Resolves when nothing is queued or running. */
  idle(): Promise<void>;
  /** Drops what is queued, aborts what runs and waits for it; idempotent. */
  close(): Promise<void>;
}

export interface HostPoolOptions {
  readonly total: number;
  readonly perHost: number;
}

type Task = (signal: AbortSignal) => Promise<void>;

interface Lane {
  readonly queue: Task[];
  running: number;
}

export function createHostPool({ total, perHost }: HostPoolOptions): HostPool {
  const lanes = new Map<string, Lane>();
  /** Hosts that have a task to start and room for it, in turn. */
  const ready = new Set<string>();
  const abort = new AbortController();
  let running = 0;
  let queued = 0;
  let waiters: (() => void)[] = [];

  function add(host: string, task: Task): void {
    if (abort.signal.aborted) return;
    const lane = lanes.get(host) ?? { queue: [], running: 0 };
    lanes.set(host, lane);
    lane.queue.push(task);
    queued += 1;
    if (lane.running < perHost) ready.add(host);
    fill();
  }

  function fill(): void {
    while (running < total) {
      const [host] = ready;
      if (host === undefined) return;
      ready.delete(host);
      const lane = lanes.get(host);
      const task = lane?.queue.shift();
      if (lane === undefined || task === undefined) continue;
      start(host, lane, task);
      // To the end of the row: every other host comes first.
      if (lane.queue.length > 0 && lane.running < perHost) ready.add(host);
    }
  }

  function start(host: string, lane: Lane, task: Task): void {
    queued -= 1;
    running += 1;
    lane.running += 1;
    void task(abort.signal).finally(() => {
      running -= 1;
      lane.running -= 1;
      if (lane.queue.length > 0) ready.add(host);
      else if (lane.running === 0) lanes.delete(host);
      fill();
      if (running === 0 && queued === 0) settle();
    });
  }

  function settle(): void {
    const told = waiters;
    waiters = [];
    for (const tell of told) tell();
  }

  function idle(): Promise<void> {
    if (running === 0 && queued === 0) return Promise.resolve();
    return new Promise((resolve) => waiters.push(resolve));
  }

  async function close(): Promise<void> {
    if (!abort.signal.aborted) {
      abort.abort(new Error("the pool is closed"));
      ready.clear();
      queued = 0;
      for (const lane of lanes.values()) lane.queue.length = 0;
    }
    await idle();
  }

  return {
    add,
    get size() {
      return queued + running;
    },
    idle,
    close,
    [Symbol.asyncDispose]: close,
  };
}
