/** A catalog with a dispatcher on a clock moved by hand, a receiver, and changes that need no relay. */
import { randomUUID } from "node:crypto";
import {
  type CatalogContext,
  createWebhookDispatcher,
  operations,
  type SecretBox,
  type Worker,
} from "../../src/catalog/index.ts";
import type { EventName, RelayRecord, SubscribeInput, WebhookDelivery } from "../../src/spec/index.ts";
import type { Store } from "../../src/store/index.ts";
import { sampleRecord } from "../../src/store/suite/samples.ts";
import { createManualClock, type ManualClock } from "../../src/testing/index.ts";
import { caller, startTestCatalog, type TestCatalog } from "./fixture.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

export interface WebhookFixture extends AsyncDisposable {
  readonly catalog: TestCatalog;
  readonly context: CatalogContext;
  readonly clock: ManualClock;
  readonly receiver: Receiver;
  readonly log: readonly string[];
  start(): Worker;
  subscribe(input?: Partial<SubscribeInput>): ReturnType<typeof operations.subscribe.run>;
  webhook(id: string): ReturnType<typeof operations.webhook.run>;
  /** Lists the relay, or changes it with these events. */
  happen(relay: string, ...events: readonly EventName[]): Promise<void>;
  remove(relay: string): Promise<void>;
  /** Resolves when `met`, asked at every round of the event loop, is true of the subscription; moves the clock by ticks. */
  until(id: string, met: (deliveries: readonly WebhookDelivery[]) => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface WebhookFixtureOptions {
  readonly store?: Store;
  readonly clock?: ManualClock;
  readonly receiver?: Receiver;
  readonly secrets?: SecretBox;
  readonly context?: Partial<CatalogContext>;
  readonly random?: () => number;
}

export async function openWebhooks(options: WebhookFixtureOptions = {}): Promise<WebhookFixture> {
  const clock = options.clock ?? createManualClock();
  const catalog = await startTestCatalog({
    clock,
    ...(options.store === undefined ? {} : { store: options.store }),
  });
  const receiver = options.receiver ?? (await startReceiver());
  const log: string[] = [];
  const say = (fields: object, message: string): void =>
    void log.push(`${message} ${JSON.stringify(fields)}`);
  const context: CatalogContext = {
    ...catalog.context,
    logger: { debug: say, info: say, warn: say, error: say },
    newId: randomUUID,
    ...(options.secrets === undefined ? {} : { secrets: options.secrets }),
    ...options.context,
  };
  const { store } = catalog;
  const workers: Worker[] = [];

  async function close(): Promise<void> {
    // What hangs ends with its receiver, so that the workers' close needs no clock.
    if (options.receiver === undefined) await receiver.close();
    await Promise.all(workers.map((worker) => worker.close()));
    await catalog.close();
  }

  return {
    catalog,
    context,
    clock,
    receiver,
    log,
    start() {
      const worker = createWebhookDispatcher(context, { random: options.random ?? (() => 0.5) });
      workers.push(worker);
      worker.start();
      return worker;
    },
    subscribe: (input = {}) =>
      operations.subscribe.run(context, { url: `${receiver.url}/`, ...input }, caller),
    webhook: (id) => operations.webhook.run(context, { id }, caller),
    async happen(relay, ...events) {
      const stored = await store.relays.get(relay);
      const before = stored?.record ?? sampleRecord(relay);
      const record: RelayRecord = { ...before, failures: before.failures + 1 };
      const outcome = await store.relays.save({
        record,
        endpoint: record.source,
        hints: null,
        revision: stored?.revision ?? null,
        events: events.map((event) => ({ id: randomUUID(), event })),
        now: clock.now(),
      });
      if (!outcome.ok) throw new Error(`not written: ${outcome.conflict}`);
    },
    async remove(relay) {
      await operations.remove.run(context, { id: relay }, { ...caller, admin: true });
    },
    async until(id, met) {
      for (let rounds = 0; rounds < 20_000; rounds += 1) {
        if (met((await store.webhooks.deliveries(id, 1_000)) ?? [])) return;
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      throw new Error("it never came to be");
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
