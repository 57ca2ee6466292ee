/**
 * Wire types and pure rules of OpenMCP 0.1. Imports nothing, fetches nothing, runs anywhere.
 * The other rooms, and `openmcp/spec`, enter here.
 */
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
export { type ErrorCode, errorCodes, isOpenMcpError, OpenMcpError } from "./error.ts";
export { type EventName, eventNames } from "./event.ts";
export type { Exchange, ExchangeLimits, ExchangeRequest, ExchangeResponse } from "./exchange.ts";
export { FAILURE_META_KEY } from "./failure-mark.ts";
export {
  encodeRaw,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseRaw,
  RawJson,
  stringifyRaw,
  type Wire,
} from "./json.ts";
export { nestsDeeper } from "./json-depth.ts";
export { elementTexts, memberText } from "./json-slice.ts";
export { MAX_ID_LENGTH, MAX_JSON_DEPTH } from "./limits.ts";
export {
  type AuthChallenge,
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
export { type Clock, type Logger, type Meter, silentLogger, silentMeter } from "./runtime.ts";
export { recordEndpoint, summarize } from "./summarize.ts";
export {
  DELIVERY_HEADER,
  EVENT_HEADER,
  SIGNATURE_HEADER,
  sign,
  verifySignature,
} from "./webhook-signature.ts";
