/** The store's interface; adapters are entered through ./sqlite/index.ts, the suite they all pass through ./suite.ts. */
export type { PeerCandidate, PeerOffer, PeerStore, StoredPeer } from "./peer-store.ts";
export type {
  CallRoute,
  Change,
  ChangeStore,
  JobStore,
  PageOptions,
  RelayPage,
  RelayStore,
  RelayWrite,
  SearchIndex,
  Store,
  StoredJob,
  StoredRelay,
  ToolQuery,
  ToolStore,
  WriteOutcome,
} from "./store.ts";
