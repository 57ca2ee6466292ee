/** What both transports can be asked; `CatalogClient` is a thin holder of one. A method without an MCP tool is `unsupported-transport` there. */
import type {
  AddPeerOutput,
  BulkInput,
  BulkJob,
  BulkOutput,
  CallToolInput,
  CallToolOutput,
  ChangesInput,
  ClaimsOutput,
  DeliveryOutput,
  FindToolsInput,
  FindToolsOutput,
  GetRelayOutput,
  HistoryOutput,
  ImportInput,
  ImportJob,
  ImportJobInput,
  ImportOutput,
  ImportResultsInput,
  ImportResultsOutput,
  ImportsOutput,
  JsonObject,
  ListRelaysInput,
  PeerInput,
  PeersOutput,
  RedeliverInput,
  RegisterInput,
  RelayChange,
  RelayIdInput,
  RelayToolsOutput,
  RemoveOutput,
  RemovePeerOutput,
  SubscribeInput,
  SubscribeOutput,
  SyncPeersOutput,
  UnsubscribeOutput,
  WebhookIdInput,
  WebhookOutput,
} from "../spec/index.ts";
import type { ProbeAnswer, RecordList, RegisterAnswer, RelayList } from "./answers.ts";
import type { ChangesPage } from "./change-answers.ts";
import type { WatchInput, WatchOptions } from "./follow-events.ts";
import type { RequestOptions } from "./settings.ts";

type Ask<Input, Output> = (input: Input, options?: RequestOptions) => Promise<Output>;

export interface CatalogTransport {
  readonly kind: "rest" | "mcp";
  readonly list: Ask<ListRelaysInput, RelayList>;
  /** The same page as whole records. */
  readonly records: Ask<ListRelaysInput, RecordList>;
  readonly get: Ask<RelayIdInput, GetRelayOutput>;
  readonly tools: Ask<RelayIdInput, RelayToolsOutput>;
  readonly openapi: Ask<RelayIdInput, JsonObject>;
  readonly find: Ask<FindToolsInput, FindToolsOutput>;
  readonly call: Ask<CallToolInput, CallToolOutput>;
  readonly register: Ask<RegisterInput, RegisterAnswer>;
  readonly refresh: Ask<RelayIdInput, ProbeAnswer>;
  readonly remove: Ask<RelayIdInput, RemoveOutput>;
  readonly bulk: Ask<BulkInput, BulkOutput>;
  readonly bulkJob: Ask<{ readonly job: string }, BulkJob>;
  readonly importRelays: Ask<ImportInput, ImportOutput>;
  readonly imports: Ask<Record<never, never>, ImportsOutput>;
  readonly importJob: Ask<ImportJobInput, ImportJob>;
  readonly importResults: Ask<ImportResultsInput, ImportResultsOutput>;
  readonly cancelImport: Ask<ImportJobInput, ImportJob>;
  readonly claims: Ask<RelayIdInput, ClaimsOutput>;
  readonly changes: Ask<ChangesInput, ChangesPage>;
  readonly watch: (input: WatchInput, options?: WatchOptions) => AsyncGenerator<RelayChange, void>;
  readonly history: Ask<RelayIdInput, HistoryOutput>;
  readonly peers: Ask<Record<never, never>, PeersOutput>;
  readonly addPeer: Ask<PeerInput, AddPeerOutput>;
  readonly removePeer: Ask<PeerInput, RemovePeerOutput>;
  readonly syncPeers: Ask<Record<never, never>, SyncPeersOutput>;
  readonly subscribe: Ask<SubscribeInput, SubscribeOutput>;
  readonly webhook: Ask<WebhookIdInput, WebhookOutput>;
  readonly unsubscribe: Ask<WebhookIdInput, UnsubscribeOutput>;
  readonly testWebhook: Ask<WebhookIdInput, DeliveryOutput>;
  readonly redeliver: Ask<RedeliverInput, DeliveryOutput>;
  close(): Promise<void>;
}
