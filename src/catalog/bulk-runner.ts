/** Works off bulk registrations. */
import type { CatalogContext } from "./context.ts";
import type { Worker } from "./worker.ts";

export function createBulkRunner(_context: CatalogContext): Worker {
  throw new Error("not built yet");
}
