/**
 * For callers: reading a catalog over REST or MCP, going direct to a relay, receiving webhooks.
 * Browser-safe: nothing here loads `node:`. It caches nothing and keeps no credential.
 */
export type {
  Ask,
  BadDocument,
  CardDocument,
  CatalogFile,
  Contradiction,
  DanglingEntry,
  DescriptorDocument,
  DiscoveredDocument,
  DiscoveredServer,
  DiscoverSettings,
  Discovery,
  DiscoveryCut,
  DiscoveryLimits,
  DiscoveryRequest,
  DocumentRoute,
  DocumentSource,
  DocumentStore,
  KnownDocument,
  LiveAnswer,
  OtherEntry,
  RequestOutcome,
  ServerChain,
} from "../discovery/index.ts";
export { type ErrorCode, isOpenMcpError, OpenMcpError, verifySignature } from "../spec/index.ts";
export type { ProbeAnswer, RegisterAnswer, RelayList } from "./answers.ts";
export {
  type BackupFile,
  type BackupFileOptions,
  downloadBackup,
  restoreBackup,
} from "./backup-files.ts";
export { type BridgeOptions, bridge } from "./bridge/bridge.ts";
export { CatalogClient } from "./catalog-client.ts";
export { type ConnectOptions, type ConnectTarget, connect, type OpenOptions, open } from "./connect.ts";
export { ConnectError, type ConnectStage, isConnectError } from "./connect-error.ts";
export { type DiscoverOptions, discover } from "./discover.ts";
export type { WatchInput, WatchOptions } from "./follow-events.ts";
export { type ReadDeliveryOptions, readDelivery } from "./read-delivery.ts";
export type { Answerers } from "./session/answering.ts";
export type { McpNotification } from "./session/notification-feed.ts";
export type { InitializeOptions, UninitializedClient } from "./session/open.ts";
export type { CallOptions, McpClient } from "./session/ready-client.ts";
export type { Streams } from "./session/stream-link.ts";
export { unwrap } from "./session/unwrap.ts";
export type { CatalogClientOptions, Fetch, RequestOptions } from "./settings.ts";
export { type SeenDeliveries, type WebhookHandlerOptions, webhookHandler } from "./webhook-handler.ts";
