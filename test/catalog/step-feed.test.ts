/** Steps of a look that is under way: for whoever began it and whoever joined it, and for nobody once it has ended. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { operations, runOperation } from "../../src/catalog/index.ts";
import type { ProbeStep } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { type CatalogFixture, openCatalog } from "../doors/catalog-fixture.ts";

let catalog: CatalogFixture;
beforeEach(async () => {
  catalog = await openCatalog();
});
afterEach(() => catalog[Symbol.asyncDispose]());

const register = (url: string, steps: ProbeStep[], signal = new AbortController().signal) =>
  runOperation(operations.register, {
    context: catalog.context,
    input: { url },
    call: { admin: false, signal, onStep: (step) => steps.push(step) },
  });

it("tells one who joins a registration what was done before, and then the rest", async () => {
  const held = Promise.withResolvers<void>();
  await using relay = await startFakeRelay({
    descriptor: { mcp: "/mcp" },
    async intercept(seen) {
      if (seen.method === "POST") await held.promise;
      return false;
    },
  });
  const [mine, theirs]: [ProbeStep[], ProbeStep[]] = [[], []];
  const began = Promise.withResolvers<void>();
  const first = runOperation(operations.register, {
    context: catalog.context,
    input: { url: relay.url },
    call: {
      admin: false,
      signal: new AbortController().signal,
      onStep(step) {
        mine.push(step);
        began.resolve();
      },
    },
  });
  await began.promise;
  const second = register(relay.url, theirs);
  held.resolve();
  await Promise.all([first, second]);
  expect(mine.length).toBeGreaterThan(1);
  expect(theirs).toEqual(mine);

  // The next look begins from nothing.
  const again: ProbeStep[] = [];
  await register(relay.url, again);
  expect(again.length).toBeLessThanOrEqual(mine.length);
  expect(again[0]).not.toBe(mine[0]);
});

it("tells the steps of a look at a relay that is listed, and of one that fails", async () => {
  await using relay = await startFakeRelay({ descriptor: { mcp: "/mcp" } });
  const { relay: listed } = await register(relay.url, []);
  const steps: ProbeStep[] = [];
  await runOperation(operations.refresh, {
    context: catalog.context,
    input: { id: listed.id },
    call: { admin: false, signal: new AbortController().signal, onStep: (step) => steps.push(step) },
  });
  // It publishes no AI Catalog, in which a publisher may say what it calls its relay.
  expect(steps.filter(({ ok }) => !ok).map(({ step }) => step)).toEqual(["AI Catalog"]);
  expect(steps.length).toBeGreaterThan(0);
  const failed: ProbeStep[] = [];
  await expect(register("http://127.0.0.1:1/mcp", failed)).rejects.toMatchObject({ code: "not-listed" });
  expect(failed.some(({ ok }) => !ok)).toBe(true);
});
