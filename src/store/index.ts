/** The store's interface; adapters are entered through ./sqlite/index.ts, the suite they all pass through ./suite.ts. */

export type { BudgetAsk, BudgetStore } from "./budget-store.ts";
export type {
  EndedSpan,
  HistoryStep,
  HistoryStore,
  LookTotal,
  Pulse,
  StoredHistory,
} from "./history-store.ts";
export type {
  DocumentReading,
  ImportEntry,
  ImportStore,
  ImportUrl,
  NewDocument,
  OpenUrl,
  UrlOutcome,
  WaitingDocument,
} from "./import-store.ts";
export type { PeerCandidate, PeerOffer, PeerStore } from "./peer-store.ts";
export type { LeaseAsk, Leased, LeasedRelay, RelayPlace, ScheduleStore } from "./schedule-store.ts";
export type {
  CallRoute,
  Change,
  ChangeFilter,
  ChangeListOptions,
  ChangeStore,
  EndpointPage,
  JobStore,
  ListOptions,
  NewEvent,
  PageOptions,
  RelayBlock,
  RelayPage,
  RelayStore,
  RelayWrite,
  SearchIndex,
  Store,
  StoredJob,
  StoredRelay,
  StoreFilter,
  ToolQuery,
  ToolStore,
  WriteOutcome,
} from "./store.ts";
export type {
  AttemptReport,
  ClaimedWebhook,
  ClaimOptions,
  DueDelivery,
  NewWebhook,
  OutboxRecall,
  WebhookReport,
  WebhookStore,
} from "./webhook-store.ts";
