/** Work that a catalog's budget may put off: when the catalog says when to come again, it is tried again then. */
import { setTimeout as sleep } from "node:timers/promises";
import { isOpenMcpError, OpenMcpError } from "../spec/index.ts";
import { MAX_BUDGET_WAIT_SECONDS } from "./limits.ts";

export interface Patience {
  readonly signal: AbortSignal;
  /** Told before each wait. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** Rejects as `work` does, also when the wait is longer than anyone would sit through; `aborted` when the signal fires. */
export async function patiently<T>({ signal, onWait }: Patience, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const seconds = isOpenMcpError(error, "rate-limited") ? error.data.retryAfterSeconds : undefined;
      if (typeof seconds !== "number" || seconds > MAX_BUDGET_WAIT_SECONDS) throw error;
      onWait?.(seconds);
      await sleep(seconds * 1_000, undefined, { signal }).catch((cause) => {
        throw new OpenMcpError("aborted", "Ended while waiting for the catalog.", { cause });
      });
    }
  }
}
