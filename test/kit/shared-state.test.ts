/** The adapters in memory pass the suites that every adapter passes. */
import { describe, it } from "vitest";
import { createMemoryEventBus, createMemorySessionStore } from "../../src/kit/index.ts";
import { eventBusCases, sessionStoreCases } from "../../src/kit/suite.ts";

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
