/**
 * Wire types and pure rules of OpenMCP 0.1. Imports nothing, fetches nothing, runs anywhere.
 * The other rooms, and `openmcp/spec`, enter here.
 */
export { type AnyObjectSchema, anyObject } from "./any-object.ts";
export type { BackupReport, RestoreReport } from "./backup.ts";
export {
  type BudgetName,
  type BudgetRule,
  type BudgetRules,
  type BudgetStanding,
  type BudgetTake,
  budgetNames,
  takeTokens,
} from "./budget.ts";
export { canonicalJson, contentHash } from "./canonical-json.ts";
export type {
  AuthFilter,
  BulkInput,
  BulkJob,
  BulkJobInput,
  BulkOutput,
  BulkResult,
  CallToolInput,
  CallToolOutput,
  CountsOutput,
  FindToolsInput,
  FindToolsOutput,
  FoundTool,
  GetBulkOutput,
  GetRelayOutput,
  ListRelaysInput,
  ListRelaysOutput,
  ListSummariesOutput,
  ProbeEvidence,
  RefreshOutput,
  RegisterInput,
  RegisterOutput,
  RelayFilter,
  RelayIdInput,
  RelayToolsOutput,
  RemoveOutput,
} from "./catalog-api.ts";
export type {
  ChangeDetail,
  ChangesFilter,
  ChangesInput,
  ChangesOutput,
  RelayChange,
  ToolChange,
  ToolDiff,
  ToolRename,
} from "./change.ts";
export { compareTools } from "./compatibility/compare-tools.ts";
export type { Compatibility, CompatibilityChange, CompatibilityCode } from "./compatibility/types.ts";
export { describeChange } from "./describe-change.ts";
export {
  type AuthKind,
  authKinds,
  bareDescriptor,
  DESCRIPTOR_PATH,
  type Descriptor,
  type DescriptorFacts,
  type DescriptorReading,
  describe,
  normaliseTag,
  parseDescriptor,
  SPEC_VERSION,
} from "./descriptor.ts";
export { diffRecords } from "./diff-records.ts";
export { type DiffOptions, diffTools } from "./diff-tools.ts";
export type {
  FacetCount,
  FacetsOutput,
  RecentChange,
  RecentInput,
  RecentOutput,
  StatusOutput,
  TagCount,
} from "./directory-api.ts";
export { serverCardUrl } from "./documents/card-place.ts";
export {
  AI_CATALOG_PATH,
  AI_CATALOG_RELATION,
  AI_CATALOG_TYPE,
  type AiCatalog,
  type AiCatalogEntry,
  type AiCatalogHost,
  type CatalogDialect,
  type CatalogDocument,
  type CatalogEntry,
  type CatalogEntryKind,
  type CatalogListing,
  type CatalogReading,
  MCP_CATALOG_PATH,
  type McpCatalog,
  type McpCatalogEntry,
  type NestedCatalog,
} from "./documents/catalog-document.ts";
export { issuedCredentialIn } from "./documents/credentials.ts";
export { cardNameOf, describeRecord } from "./documents/describe-record.ts";
export {
  type Diagnostic,
  type DiagnosticCode,
  diagnosticCodes,
  type Reading,
  type Severity,
} from "./documents/diagnostic.ts";
export { type DiagnosticRule, diagnosticRules } from "./documents/diagnostic-rules.ts";
export { fillRemote, remoteInputs } from "./documents/fill-remote.ts";
export type { InputProblem, RemoteFilling, WantedInput } from "./documents/filling.ts";
export { isPrivateHost } from "./documents/host.ts";
export { airIdentifier, type IdentifierForm, mcpIdentifier, publisherOf } from "./documents/identifiers.ts";
export { locatePointers } from "./documents/json-text.ts";
export { type LintReading, lintDocument, lintNoText } from "./documents/lint-document.ts";
export { urlFaults } from "./documents/lint-url.ts";
export { entryKind, mediaTypeEssence } from "./documents/media-type.ts";
export {
  fromRegistryServer,
  fromServerCard,
  toRegistryServer,
  toServerCard,
} from "./documents/project-card.ts";
export {
  type AiCatalogOptions,
  fromCatalog,
  type ListingOptions,
  toAiCatalog,
  toListing,
  toMcpCatalog,
} from "./documents/project-catalog.ts";
export { toDescriptor } from "./documents/project-descriptor.ts";
export type { PublishOptions } from "./documents/publishable.ts";
export { type ReadCatalogContext, readCatalog } from "./documents/read-catalog.ts";
export { type ReadDescriptorContext, readDescriptor } from "./documents/read-descriptor.ts";
export { readRegistryPage, readRegistryServer } from "./documents/read-registry-server.ts";
export {
  type ReadCardContext,
  readServerCard,
  type ServerCardReading,
} from "./documents/read-server-card.ts";
export {
  REGISTRY_META_KEY,
  REGISTRY_SERVER_SCHEMA,
  REGISTRY_SERVER_TYPE,
  type RegistryEntry,
  type RegistryPage,
  type RegistryServer,
  type RegistryStanding,
} from "./documents/registry-server.ts";
export type { RelayAuth, RelayDescription } from "./documents/relay-description.ts";
export {
  DRAFT_CARD_PATH,
  type Icon,
  type Input,
  type KeyValueInput,
  legacyCardPaths,
  type Remote,
  type Repository,
  SERVER_CARD_SCHEMA,
  SERVER_CARD_TYPE,
  type ServerCard,
  type ServerCardShape,
} from "./documents/server-card.ts";
export { type DocumentKind, sniffDocument } from "./documents/sniff-document.ts";
export { validateServerCard } from "./documents/validate-server-card.ts";
export { type EraFilter, eraFilters, eraOf } from "./era.ts";
export { type ErrorCode, errorCodes, isOpenMcpError, OpenMcpError } from "./error.ts";
export { type EventName, eventNames } from "./event.ts";
export {
  createEventStreamParser,
  type EventStreamListeners,
  type EventStreamParser,
  type StreamEvent,
} from "./event-stream.ts";
export { plainNumber, withExactNumbers, withExactNumbersAt } from "./exact-numbers.ts";
export type { Exchange, ExchangeLimits, ExchangeRequest, ExchangeResponse } from "./exchange.ts";
export type { ExplorerSettings } from "./explorer-settings.ts";
export { FAILURE_META_KEY } from "./failure-mark.ts";
export type {
  HistoryOutput,
  LatencyTotal,
  StandingOutput,
  StateSpan,
  ToolsChanged,
  Windows,
} from "./history.ts";
export {
  type ClaimsOutput,
  type GetImportOutput,
  type ImportFailure,
  type ImportInput,
  type ImportJob,
  type ImportJobInput,
  type ImportOutput,
  type ImportReport,
  type ImportResult,
  type ImportResultsInput,
  type ImportResultsOutput,
  type ImportSkip,
  type ImportSource,
  type ImportsOutput,
  importFailures,
  importSkips,
  importSources,
  type RelayClaim,
} from "./import-api.ts";
export {
  encodeRaw,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseRaw,
  RawArray,
  RawJson,
  stringifyRaw,
  versionText,
  type Wire,
} from "./json.ts";
export { nestsDeeper } from "./json-depth.ts";
export { elementTexts, memberText } from "./json-slice.ts";
export { MAX_CATALOG_ENTRIES, MAX_DOCUMENT_BYTES, MAX_ID_LENGTH, MAX_JSON_DEPTH } from "./limits.ts";
export { LISTING_META_KEY, type ListingMark, learnedFrom } from "./listing-mark.ts";
export {
  type CounterName,
  type GaugeName,
  type HistogramName,
  type MetricDefinition,
  type MetricLabels,
  type MetricName,
  metrics,
} from "./metrics.ts";
export type {
  AddPeerOutput,
  Peer,
  PeerInput,
  PeersOutput,
  RemovePeerOutput,
  SyncPeersOutput,
} from "./peer-api.ts";
export {
  type AuthChallenge,
  type DocumentMemory,
  type EndpointHints,
  type EndpointVerdict,
  type ProbeInfo,
  type ProbeState,
  type ProbeStep,
  probeStates,
  type RelayRecord,
  type RelayServer,
  type RelaySummary,
  type ToolDefinition,
} from "./record.ts";
export { canonicalEndpoint, distinctRelayId, relayId } from "./relay-id.ts";
export {
  type Clock,
  type Logger,
  type Meter,
  type RequestNotes,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  silentLogger,
  silentMeter,
  silentTracer,
  type Tracer,
} from "./runtime.ts";
export { recordEndpoint, summarize } from "./summarize.ts";
export { readTraceContext, type TraceContext } from "./trace-context.ts";
export { trimEndOf } from "./trim-end.ts";
export {
  type DeliveryBody,
  type DeliveryEvent,
  type DeliveryOutput,
  type RedeliverInput,
  type SubscribeInput,
  type SubscribeOutput,
  TEST_EVENT,
  type UnsubscribeOutput,
  type Webhook,
  type WebhookDelivery,
  type WebhookIdInput,
  type WebhookOutput,
} from "./webhook-api.ts";
export {
  DELIVERY_HEADER,
  EVENT_HEADER,
  SIGNATURE_HEADER,
  sign,
  verifySignature,
} from "./webhook-signature.ts";
