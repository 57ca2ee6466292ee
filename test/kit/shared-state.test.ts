/** The adapters in memory pass the suites that every adapter passes. */
import { describe, expect, it } from "vitest";
import {
  type BusEvent,
  createMemoryEventBus,
  createMemorySessionStore,
  type EventBus,
} from "../../src/kit/index.ts";
import { eventBusCases, sessionStoreCases } from "../../src/kit/suite.ts";
import { createInstance } from "./instance.ts";
import { askLegacy, message, openSession } from "./kit-fixture.ts";
import { call, listen, sharedCases } from "./shared-cases.ts";

describe("sessions in memory", () => {
  it.each(sessionStoreCases)("$name", async ({ run }) => {
    await using store = createMemorySessionStore();
    await run(store);
  });
});

describe("a bus in memory", () => {
  it.each(eventBusCases)("$name", async ({ run }) => {
    await using bus = createMemoryEventBus();
    await run(bus, bus);
  });
});

/** Delivers in the order of publishing, as every bus does, but only when it is let. */
function heldBus(): EventBus & { letGo(): void } {
  const bus = createMemoryEventBus();
  let held: BusEvent[] | null = [];
  return {
    ...bus,
    publish: async (event) => void (held === null ? await bus.publish(event) : held.push(event)),
    letGo() {
      const all = held ?? [];
      held = null;
      for (const event of all) void bus.publish(event);
    },
  };
}

it("a stream that was just opened is not ended by word of an older one that comes late", async () => {
  await using store = createMemorySessionStore();
  await using bus = heldBus();
  await using one = createInstance("A", { store, bus });
  await using other = createInstance("B", { store, bus });
  await using a = await one.listen();
  await using b = await other.listen();
  const headers = await openSession(a.url);
  const first = await listen(a.url, headers);
  const second = await listen(b.url, headers);
  bus.letGo();
  await expect(first.next()).rejects.toThrow(/ended/);
  await message(askLegacy(b.url, { method: "resources/subscribe", params: { uri: "note://one" }, headers }));
  await message(call(b.url, headers, "change", { how: "kit" }));
  expect((await second.next()).message.method).toBe("notifications/resources/updated");
  await second.cancel();
});

describe("two instances that share memory", () => {
  it.each(sharedCases)("$name", async ({ run }) => {
    await using store = createMemorySessionStore();
    await using bus = createMemoryEventBus();
    await using one = createInstance("A", { store, bus });
    await using other = createInstance("B", { store, bus });
    await using a = await one.listen();
    await using b = await other.listen();
    await run(a.url, b.url);
  });
});
