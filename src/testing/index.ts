/** What tests of a catalog, a client or a relay need: fake relays, a farm of them, a clock moved by hand. */
export { type FakeFarm, type FakeFarmOptions, farmAddress, startFakeFarm } from "./fake-farm.ts";
export { type FakeRelay, type FakeRelayOptions, type SeenRequest, startFakeRelay } from "./fake-relay.ts";
export { createManualClock, type ManualClock } from "./manual-clock.ts";
