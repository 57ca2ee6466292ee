/**
 * What tests of a catalog, a client, a relay or a store need: fake relays, a farm of them, a clock moved by hand, the store's suite; and
 * for who writes a relay, a client on it and snapshots of its tools.
 */
export { type StoreCase, storeSuite } from "../store/suite.ts";
export {
  type ConnectableServer,
  type ConnectedClient,
  type ConnectToOptions,
  connectTo,
  type TestedServer,
} from "./connect-to.ts";
export { type FakeFarm, type FakeFarmOptions, farmAddress, startFakeFarm } from "./fake-farm.ts";
export { type FakeRelay, startFakeRelay } from "./fake-relay.ts";
export type { FakeRelayOptions, SeenRequest } from "./fake-relay-script.ts";
export { createManualClock, type ManualClock } from "./manual-clock.ts";
export { type ToolSnapshotOptions, toolSnapshot } from "./tool-snapshot.ts";
