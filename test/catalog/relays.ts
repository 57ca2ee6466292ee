/** Fake relays, and servers like them, that live as long as one test. */
import { afterEach } from "vitest";
import { startFakeRelay } from "../../src/testing/index.ts";

/** Starts servers for the tests of a file, and closes them after each; hooks that are set later close their own first. */
export function serversOfTests<Options, Server extends { close(): Promise<void> }>(
  start: (options: Options) => Promise<Server>,
): (options: Options) => Promise<Server> {
  let open: Server[] = [];
  afterEach(async () => {
    await Promise.all(open.map((server) => server.close()));
    open = [];
  });
  return async (options) => {
    const started = await start(options);
    open.push(started);
    return started;
  };
}

/** Starts relays for the tests of a file, and closes them after each. */
export const relaysOfTests = () => serversOfTests(startFakeRelay) as typeof startFakeRelay;
