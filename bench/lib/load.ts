/** A closed loop of requests: so many at once, each starts when the one before it in its lane ended. */
import { Pool } from "undici";
import { type Timing, timingOf } from "./percentiles.ts";

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  /** Beside the content type, lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface LoadOptions {
  readonly requests: number;
  readonly lanes: number;
  readonly next: (index: number) => LoadRequest;
  /** Told of each answer; throws when it is not what was expected. Default: a status under 300. */
  readonly check?: (status: number, body: string, index: number) => void;
}

/** The processor time that `child` used for each of `count` requests while `work` ran, in milliseconds. */
export async function withCpu<T extends { readonly count: number }>(
  child: { cpuMs(): number },
  work: () => Promise<T>,
): Promise<T & { readonly cpu: number }> {
  const before = child.cpuMs();
  const done = await work();
  return { ...done, cpu: (child.cpuMs() - before) / done.count };
}

/** Sends `requests` to one origin. Bodies are read to their end, as a client must. */
export async function load(origin: string, options: LoadOptions): Promise<Timing> {
  const pool = new Pool(origin, { connections: options.lanes, pipelining: 1 });
  const times: number[] = [];
  let index = 0;
  const started = performance.now();
  async function lane(): Promise<void> {
    while (index < options.requests) {
      const mine = index++;
      const { method, path, body, headers } = options.next(mine);
      const begun = performance.now();
      const answer = await pool.request({
        method,
        path,
        ...(body === undefined ? {} : { body, headers: { "content-type": "application/json", ...headers } }),
        headersTimeout: 120_000,
      });
      const bytes = Buffer.from(await answer.body.bytes());
      times.push(performance.now() - begun);
      if (options.check !== undefined) options.check(answer.statusCode, bytes.toString(), mine);
      else if (answer.statusCode >= 300) {
        throw new Error(`${method} ${path}: ${answer.statusCode} ${bytes.toString().slice(0, 300)}`);
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: options.lanes }, lane));
  } finally {
    await pool.close();
  }
  return timingOf(times, performance.now() - started);
}
