/** Looks at every relay again at a fixed interval. */
import type { CatalogContext } from "./context.ts";
import type { Worker } from "./worker.ts";

/** `everyMs`: milliseconds from the start of one round to the start of the next. */
export function createSweep(_context: CatalogContext, _everyMs: number): Worker {
  throw new Error("not built yet");
}
