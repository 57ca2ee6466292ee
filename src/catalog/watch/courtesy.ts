/**
 * Bounds how much is asked at one host and in one registrable domain at once by looks that people want: anyone may
 * register any URL, and a catalog must not become many people's hammer on one machine. Planned looks are counted by
 * their leases instead. Who waits waits in turn; a look that turns out slow makes room.
 */
import { OpenMcpError } from "../../spec/index.ts";
import type { RelayPlace } from "../../store/index.ts";
import { placeOf } from "./place-of.ts";

export interface Courtesy {
  /**
   * Runs `work`, which asks at `url`, when there is room.
   * @throws OpenMcpError `aborted` when `signal` fires while it waits; else whatever `work` rejects with.
   */
  run<T>(url: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

export interface CourtesyOptions {
  readonly perHost: number;
  readonly perDomain: number;
  /** Milliseconds after which work counts no longer; it may be none of its own fault that others wait. */
  readonly slowMs: number;
}

export function createCourtesy({ perHost, perDomain, slowMs }: CourtesyOptions): Courtesy {
  const taken = new Map<string, number>();
  const waiting = new Set<Waiter>();

  const roomAt = ({ host, domain }: RelayPlace): boolean =>
    (taken.get(`host ${host}`) ?? 0) < perHost && (taken.get(`domain ${domain}`) ?? 0) < perDomain;

  function count({ host, domain }: RelayPlace, by: 1 | -1): void {
    for (const key of [`host ${host}`, `domain ${domain}`]) {
      const left = (taken.get(key) ?? 0) + by;
      if (left === 0) taken.delete(key);
      else taken.set(key, left);
    }
  }

  /** Gives the place to whoever waits for it longest. */
  function admit(): void {
    for (const waiter of waiting) {
      if (!roomAt(waiter.place)) continue;
      waiting.delete(waiter);
      count(waiter.place, 1);
      waiter.enter();
    }
  }

  function enter(place: RelayPlace, signal: AbortSignal | undefined): Promise<void> {
    if (roomAt(place)) {
      count(place, 1);
      return Promise.resolve();
    }
    // Its place was asked for first, which takes a moment: a signal that has fired does not fire again.
    if (signal?.aborted === true) return Promise.reject(gaveUp(signal));
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiting.delete(waiter);
        reject(gaveUp(signal));
      };
      const waiter: Waiter = {
        place,
        enter() {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting.add(waiter);
    });
  }

  return {
    async run(url, signal, work) {
      const place = await placeOf(url);
      await enter(place, signal);
      let inside = true;
      const leave = (): void => {
        if (!inside) return;
        inside = false;
        count(place, -1);
        admit();
      };
      const aside = setTimeout(leave, slowMs);
      try {
        return await work();
      } finally {
        clearTimeout(aside);
        leave();
      }
    },
  };
}

function gaveUp(signal: AbortSignal | undefined): OpenMcpError {
  return new OpenMcpError("aborted", "the look was given up before its turn", { cause: signal?.reason });
}

interface Waiter {
  readonly place: RelayPlace;
  readonly enter: () => void;
}
