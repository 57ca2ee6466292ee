/** Fake relays that live as long as one test. */
import { afterEach } from "vitest";
import { type FakeRelay, type FakeRelayOptions, startFakeRelay } from "../../src/testing/index.ts";

/** Starts relays for the tests of a file, and closes them after each; hooks that are set later close their own first. */
export function relaysOfTests(): (options?: FakeRelayOptions) => Promise<FakeRelay> {
  let open: FakeRelay[] = [];
  afterEach(async () => {
    await Promise.all(open.map((relay) => relay.close()));
    open = [];
  });
  return async (options = {}) => {
    const started = await startFakeRelay(options);
    open.push(started);
    return started;
  };
}
