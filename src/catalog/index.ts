/**
 * The catalog: its operations, and the work behind them (probing, bulk jobs, the index, the sweep).
 * It opens no socket and no database: a `CatalogContext` hands everything in.
 */
export { createBulkRunner } from "./bulk-runner.ts";
export type { CatalogContext, CatalogIdentity } from "./context.ts";
export { type GivenUrl, parseGivenUrl } from "./given-url.ts";
export { createIndexer } from "./indexer.ts";
export type { CallContext, Operation } from "./operation.ts";
export { operations } from "./operations/index.ts";
export type { Finding, Probe, ProbeDeps } from "./probe/finding.ts";
export { probeUrl } from "./probe/probe-url.ts";
export { readInput } from "./read-input.ts";
export { createSweep } from "./sweep.ts";
export type { Worker } from "./worker.ts";
