/** The adapters in memory pass the suites that every adapter passes. */
import { describe, it } from "vitest";
import { createMemoryEventBus, createMemorySessionStore } from "../../src/kit/index.ts";
import { eventBusCases, sessionStoreCases } from "../../src/kit/suite.ts";
import { createInstance } from "./instance.ts";
import { sharedCases } from "./shared-cases.ts";

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
