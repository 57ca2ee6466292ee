/** A catalog without doors for the tests of its operations: the real store, the real network, loopback open. */
import {
  type CallContext,
  type CatalogContext,
  operations,
  type WatchRules,
} from "../../src/catalog/index.ts";
import type { LookupAddresses } from "../../src/net/index.ts";
import { createExchange } from "../../src/net/index.ts";
import {
  type Clock,
  parseRaw,
  type RelayRecord,
  silentLogger,
  silentMeter,
  silentTracer,
} from "../../src/spec/index.ts";
import type { Change, Store } from "../../src/store/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";

export interface TestCatalog extends AsyncDisposable {
  readonly context: CatalogContext;
  readonly store: Store;
  register(url: string): ReturnType<typeof operations.register.run>;
  refresh(id: string): ReturnType<typeof operations.refresh.run>;
  get(id: string): Promise<RelayRecord>;
  ids(): Promise<readonly string[]>;
  changes(): Promise<readonly Pick<Change, "event" | "at">[]>;
  close(): Promise<void>;
}

export const caller: CallContext = { signal: new AbortController().signal, admin: false };
export const admin: CallContext = { ...caller, admin: true };

export interface TestCatalogOptions {
  readonly clock?: Clock;
  /** Default: one in memory, closed with the catalog. */
  readonly store?: Store;
  readonly lookup?: LookupAddresses;
  readonly watch?: WatchRules;
}

export async function startTestCatalog(options: TestCatalogOptions = {}): Promise<TestCatalog> {
  const store = options.store ?? (await openSqliteStore({ path: ":memory:" }));
  const network = createExchange({
    allowLoopback: true,
    allowNetworks: [],
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  });
  let ids = 0;
  const context: CatalogContext = {
    identity: { name: "Test", description: "", url: "http://127.0.0.1:1", operator: null, version: "0" },
    store,
    exchange: network.exchange,
    clock: options.clock ?? {
      now: () => Date.now(),
      sleep: () => Promise.reject(new Error("a test that sleeps takes a clock of its own")),
    },
    logger: silentLogger,
    meter: silentMeter,
    tracer: silentTracer,
    ...(options.watch === undefined ? {} : { watch: options.watch }),
    newId() {
      ids += 1;
      return `id-${ids}`;
    },
  };
  async function close(): Promise<void> {
    await network.close();
    if (options.store === undefined) await store.close();
  }
  return {
    context,
    store,
    register: (url) => operations.register.run(context, { url }, caller),
    refresh: (id) => operations.refresh.run(context, { id }, caller),
    async get(id) {
      return parseRaw(await operations.get.run(context, { id }, caller)).relay as RelayRecord;
    },
    async ids() {
      return store.relays.ids("", 1_000);
    },
    async changes() {
      return (await store.changes.list(0, 1_000)).map(({ event, at }) => ({ event, at }));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** An address that nothing listens on: a relay that was closed. */
export async function deadUrl(): Promise<string> {
  const { startFakeRelay } = await import("../../src/testing/index.ts");
  const relay = await startFakeRelay();
  await relay.close();
  return relay.url;
}
