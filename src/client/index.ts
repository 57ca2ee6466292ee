/**
 * For callers: reading a catalog over REST or MCP, going direct to a relay, checking a webhook's signature.
 * Browser-safe: nothing here loads `node:`. It caches nothing and keeps no credential.
 */
export { type ErrorCode, isOpenMcpError, OpenMcpError, verifySignature } from "../spec/index.ts";
export type { ProbeAnswer, RegisterAnswer, RelayList } from "./answers.ts";
export { CatalogClient } from "./catalog-client.ts";
export { type ConnectOptions, connect } from "./connect.ts";
export type { McpConnection } from "./open-mcp.ts";
export type { CatalogClientOptions, Fetch, RequestOptions } from "./settings.ts";
