/** What everyone who serves HTTP needs: (Request) -> Response helpers. No socket, no route, no operation. */
export { type AdminCheck, adminNeeded, createAdminCheck } from "./bearer.ts";
export { type BodyOptions, isJsonType, mediaType, parseJson, readJson, readText, wrongType } from "./body.ts";
export {
  addressGroup,
  type ClientAddress,
  createClientAddress,
  parseNetwork,
  type TrustedProxies,
} from "./client-address.ts";
export { optionsReply, readCors } from "./cors.ts";
export { cutConnection } from "./cut-connection.ts";
export { noneMatch, strongEtag, typedEtag } from "./etag.ts";
export {
  type ExplorerFiles,
  type ExplorerReplyOptions,
  explorerReply,
  loadExplorer,
} from "./explorer.ts";
export { createFailures, type FailedOptions, type FailuresOptions } from "./failures.ts";
export { createGate, type Gate, type GateOptions, isLoopback } from "./gate.ts";
export {
  MCP_REQUEST_HEADERS,
  PARSE_ERROR,
  type PageAccess,
  type RpcFailure,
  readableByPage,
  rpcError,
  SERVER_ERROR,
} from "./json-rpc.ts";
export { type ClientOf, type Door, type Mounts, mountDoors } from "./mount.ts";
export { OPENAPI_TYPES, type OpenApiReplyOptions, openApiReply } from "./openapi-reply.ts";
export { preferredType } from "./preferred-type.ts";
export {
  methodNotAllowed,
  PROBLEM_TYPE,
  type PublicError,
  problemReply,
  problems,
  problemText,
  publicError,
} from "./problem.ts";
export {
  type PublishedDocument,
  type PublishingOptions,
  publishedDocument,
  publishedReply,
  withoutRead,
} from "./published-document.ts";
export { type ParameterKind, readQuery } from "./query.ts";
export { rateLimitHeaders } from "./rate-limit.ts";
export { RELAY_CREDENTIAL_HEADER, relayCredential } from "./relay-credential.ts";
export { doneReply, type ReadOptions, readReply } from "./reply.ts";
export { escapeXml } from "./xml.ts";
