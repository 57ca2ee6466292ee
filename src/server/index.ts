/** The catalog as a server: options, the composition root, and a process that runs it. */
export { formatDuration, parseDuration } from "./duration.ts";
export { type CatalogLog, createLog, type LogOptions } from "./log.ts";
export { type ServeProcess, serveCatalog } from "./serve.ts";
export {
  DEFAULT_DB,
  DEFAULT_HOST,
  DEFAULT_PORT,
  DEFAULT_REFRESH,
  type LogLevel,
  logLevels,
  parseServeOptions,
  type ServeFlags,
  type ServeOptions,
  serveVariables,
} from "./serve-options.ts";
export { type CatalogParts, type RunningCatalog, startCatalog } from "./start-catalog.ts";
export { describeCatalog } from "./summary.ts";
export { type OpenTracingOptions, openTracing } from "./tracing/open-tracing.ts";
export {
  createTracing,
  type RequestFacts,
  type RequestSpan,
  type Tracing,
  type TracingParts,
} from "./tracing/tracing.ts";
