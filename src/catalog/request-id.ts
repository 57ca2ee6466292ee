/** Under which id a failure is told and logged: the request's own, so that its header, its answer and its log lines agree. */
import type { CatalogContext } from "./context.ts";

export function requestIdOf({ logger, newId }: CatalogContext): () => string {
  return () => logger.requestId?.() ?? newId();
}
