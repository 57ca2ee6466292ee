/** A catalog's context for benchmarks that measure within their own process: a store, nothing outside, and nobody who is told. */
import type { CatalogContext } from "../../src/catalog/index.ts";
import { silentLogger, silentMeter, silentTracer } from "../../src/spec/index.ts";

/** What is not given asks nothing outside and waits for nothing. */
export function benchContext(given: Pick<CatalogContext, "store"> & Partial<CatalogContext>): CatalogContext {
  return {
    identity: {
      name: "A benchmark",
      description: "A catalog to be measured.",
      url: "http://127.0.0.1:1",
      operator: null,
      version: "0.1.0",
    },
    exchange: () => Promise.reject(new Error("nothing outside is asked here")),
    clock: { now: Date.now, sleep: () => Promise.resolve() },
    logger: silentLogger,
    meter: silentMeter,
    tracer: silentTracer,
    newId: () => crypto.randomUUID(),
    ...given,
  };
}
