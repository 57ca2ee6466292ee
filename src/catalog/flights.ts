/**
 * One piece of work for all who ask for the same at the same time. A caller that goes away leaves the others theirs;
 * the work is aborted when the last one has gone.
 */
import { OpenMcpError } from "../spec/index.ts";

export interface Flights {
  /**
   * Joins the work under way for `key`, or starts it.
   * @throws OpenMcpError `aborted` when `signal` fires; else whatever the work rejects with.
   */
  run<T>(key: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

interface Flight {
  readonly promise: Promise<unknown>;
  readonly abort: AbortController;
  waiting: number;
}

export function createFlights(): Flights {
  const underWay = new Map<string, Flight>();

  function take(key: string, work: (signal: AbortSignal) => Promise<unknown>): Flight {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const abort = new AbortController();
    const flight: Flight = { promise: work(abort.signal), abort, waiting: 0 };
    underWay.set(key, flight);
    const land = (): void => {
      if (underWay.get(key) === flight) underWay.delete(key);
    };
    // Whoever waits hears of a failure; when nobody does any more, nobody misses it.
    flight.promise.then(land, land);
    return flight;
  }

  function run<T>(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (signal?.aborted === true) return Promise.reject(gaveUp(signal));
    const flight = take(key, work);
    flight.waiting += 1;
    return new Promise<T>((resolve, reject) => {
      const leave = (): void => {
        signal?.removeEventListener("abort", onAbort);
        flight.waiting -= 1;
      };
      function onAbort(): void {
        leave();
        if (flight.waiting === 0) {
          // Nobody may join work that is being broken off.
          if (underWay.get(key) === flight) underWay.delete(key);
          flight.abort.abort(signal?.reason);
        }
        reject(gaveUp(signal));
      }
      signal?.addEventListener("abort", onAbort, { once: true });
      flight.promise.then(
        (value) => {
          leave();
          resolve(value as T);
        },
        (error) => {
          leave();
          reject(error);
        },
      );
    });
  }

  return { run };
}

function gaveUp(signal: AbortSignal | undefined): OpenMcpError {
  return new OpenMcpError("aborted", "the caller went away", { cause: signal?.reason });
}
