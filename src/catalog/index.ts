/**
 * The catalog: its operations, and the work behind them (probing, bulk jobs, the index, the schedule).
 * It opens no socket and no database: a `CatalogContext` hands everything in.
 */
export { createBudgetPruner } from "./budget-pruner.ts";
export { createBulkRunner } from "./bulk-runner.ts";
export { type ChangeFeed, createChangeFeed, type FeedRead } from "./change-feed.ts";
export { createChangePruner } from "./change-pruner.ts";
export type { CatalogContext, CatalogIdentity } from "./context.ts";
export { type GivenUrl, parseGivenUrl } from "./given-url.ts";
export { createImportRunner } from "./imports/import-runner.ts";
export { createIndexer } from "./indexer.ts";
export { DEFAULT_BUDGETS } from "./limits.ts";
export { openPassage, type Passage, type PassageInput } from "./open-passage.ts";
export type { CallContext, Operation } from "./operation.ts";
export { operations } from "./operations/index.ts";
export { isOwn as isOwnUrl } from "./peers/peer-api.ts";
export { parsePeerUrl } from "./peers/peer-url.ts";
export { createPeerWorker } from "./peers/peer-worker.ts";
export type { Finding, Probe, ProbeDeps } from "./probe/finding.ts";
export { probeUrl } from "./probe/probe-url.ts";
export { describeListed, type ListedRelay } from "./publishing/describe-listed.ts";
export { readInput } from "./read-input.ts";
export { requestIdOf } from "./request-id.ts";
export { type Run, runOperation } from "./run-operation.ts";
export type { ToldChange } from "./told-change.ts";
export { DEFAULT_CONFIRM_OFFLINE, type WatchRules } from "./watch/rules.ts";
export { createScheduler } from "./watch/scheduler.ts";
export { createWebhookDispatcher } from "./webhooks/dispatcher.ts";
export { createSecretBox, type SecretBox } from "./webhooks/secret-box.ts";
export type { Worker } from "./worker.ts";
