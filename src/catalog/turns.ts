/**
 * Turns of the event loop, a few pieces of work in each: what came in together is worked off piece by piece, and a request that
 * waits is served in between. It knows nothing of the work.
 */
import { breathe } from "./worker.ts";

/** Resolves when it is the caller's turn, in the order of asking; `perTurn` callers have theirs in one turn of the event loop. */
export function createTurns(perTurn: number): () => Promise<void> {
  const line: (() => void)[] = [];
  let calling = false;

  async function call(): Promise<void> {
    calling = true;
    while (line.length > 0) {
      await breathe();
      for (const next of line.splice(0, perTurn)) next();
    }
    calling = false;
  }

  return () =>
    new Promise((resolve) => {
      line.push(resolve);
      if (!calling) void call();
    });
}
