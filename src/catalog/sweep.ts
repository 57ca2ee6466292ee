/**
 * Looks at every relay again at a fixed interval. Rounds never overlap; a relay that hangs holds up its own host only.
 * No schedule: every relay has its turn in every round, whatever it was found to be.
 */
import { isOpenMcpError } from "../spec/index.ts";
import type { CatalogContext } from "./context.ts";
import { createHostPool, type HostPool } from "./host-pool.ts";
import { SWEEP_CONCURRENCY, SWEEP_PAGE, SWEEP_PER_HOST } from "./limits.ts";
import { lookAgain } from "./look-again.ts";
import { breathe, createWorker, slept, type Worker } from "./worker.ts";

/**
 * `everyMs`: milliseconds from the start of one round to the start of the next; a longer round is followed at once.
 * The first round starts one interval after `start`, because a restart is no reason to ask everyone.
 */
export function createSweep(context: CatalogContext, everyMs: number): Worker {
  const { store, clock, logger, meter } = context;

  return createWorker(async (signal) => {
    let next = clock.now() + everyMs;
    while (await slept(clock, Math.max(0, next - clock.now()), signal)) {
      const started = clock.now();
      next = started + everyMs;
      try {
        const looked = await round(next, signal);
        meter.observe("sweep_round_ms", clock.now() - started);
        logger.info({ relays: looked, ms: clock.now() - started }, "a round over all relays is done");
      } catch (error) {
        logger.error({ error: String(error) }, "a round over all relays was broken off");
      }
    }
  });

  async function round(next: number, signal: AbortSignal): Promise<number> {
    await using pool = createHostPool({ total: SWEEP_CONCURRENCY, perHost: SWEEP_PER_HOST });
    const stop = (): void => void pool.close();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const looked = await fill(pool, { nextAt: new Date(next).toISOString(), signal });
      await pool.idle();
      return looked;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  async function fill(
    pool: HostPool,
    options: { readonly nextAt: string; readonly signal: AbortSignal },
  ): Promise<number> {
    let count = 0;
    let after = "";
    while (!options.signal.aborted) {
      const ids = await store.relays.ids(after, SWEEP_PAGE);
      for (const id of ids) {
        const stored = await store.relays.get(id);
        // Removed since the page was read.
        if (stored === null) continue;
        pool.add(new URL(stored.endpoint).hostname, (stop) => look(id, options.nextAt, stop));
        count += 1;
      }
      const last = ids.at(-1);
      if (last === undefined || ids.length < SWEEP_PAGE) break;
      after = last;
      await breathe();
    }
    return count;
  }

  async function look(id: string, nextAt: string, signal: AbortSignal): Promise<void> {
    try {
      await lookAgain(context, id, { signal, byHand: false, nextAt });
    } catch (error) {
      if (signal.aborted || isOpenMcpError(error, "not-found")) return;
      logger.warn({ relay: id, error: String(error) }, "a relay could not be looked at");
    }
  }
}
