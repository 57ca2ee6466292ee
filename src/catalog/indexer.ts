/** Keeps the search index level with the records. */
import type { CatalogContext } from "./context.ts";
import type { Worker } from "./worker.ts";

export function createIndexer(_context: CatalogContext): Worker {
  throw new Error("not built yet");
}
