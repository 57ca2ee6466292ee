/** What each operation costs its caller, who pays nothing, and how many calls may be under way: on a clock moved by hand. */
import { describe, expect, it } from "vitest";
import {
  type CallContext,
  type CatalogContext,
  createBudgetPruner,
  DEFAULT_BUDGETS,
  operations,
  runOperation,
} from "../../src/catalog/index.ts";
import { MAX_BULK_URLS, MAX_CALLS_OF_CLIENT, MAX_CALLS_OF_RELAY } from "../../src/catalog/limits.ts";
import {
  type BudgetName,
  type BudgetRules,
  type BudgetStanding,
  budgetNames,
  isOpenMcpError,
} from "../../src/spec/index.ts";
import { createManualClock, type ManualClock, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { caller, startTestCatalog, type TestCatalog } from "./fixture.ts";

const stranger: CallContext = { ...caller, client: "192.0.2.1" };
const TWO = { perMinute: 6, burst: 2 };
const two = Object.fromEntries(budgetNames.map((name) => [name, TWO])) as BudgetRules;

interface Limited extends AsyncDisposable {
  readonly context: CatalogContext;
  readonly catalog: TestCatalog;
  readonly clock: ManualClock;
  /** Budgets that were found used up. */
  readonly refusals: readonly string[];
}

async function limited(budgets: BudgetRules | null = two): Promise<Limited> {
  const clock = createManualClock();
  const catalog = await startTestCatalog({ clock });
  const refusals: string[] = [];
  const context: CatalogContext = {
    ...catalog.context,
    ...(budgets === null ? {} : { budgets }),
    meter: {
      count(name, labels) {
        if (name === "rate_limited_total") refusals.push((labels as { budget: string }).budget);
      },
      observe() {},
    },
  };
  return { context, catalog, clock, refusals, [Symbol.asyncDispose]: () => catalog.close() };
}

/** The error's code, or `ok`. */
async function outcome(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error) => (isOpenMcpError(error) ? error.code : String(error)),
  );
}

/** Runs of each operation that draws on a budget, as cheap as they come. */
const runs: Readonly<Record<BudgetName, (context: CatalogContext, call: CallContext) => Promise<unknown>>> = {
  register: (context, call) =>
    runOperation(operations.register, { context, input: { url: "http://localhost.invalid./mcp" }, call }),
  bulk: (context, call) =>
    runOperation(operations.bulk, { context, input: { urls: ["https://a.example"] }, call }),
  refresh: (context, call) => runOperation(operations.refresh, { context, input: { id: "none" }, call }),
  call: (context, call) =>
    runOperation(operations.call, { context, input: { relay: "none", tool: "t" }, call }),
  subscribe: (context, call) =>
    runOperation(operations.subscribe, { context, input: { url: "https://hook.example/" }, call }),
};

describe("a budget of a client", verifies("fair.budgets"), () => {
  it.each(budgetNames)("%s: is used up, says when to come again, and comes back", async (name) => {
    await using its = await limited();
    const run = (call = stranger) => runs[name](its.context, call);
    for (let round = 0; round < 2; round += 1) expect(await outcome(run())).not.toBe("rate-limited");
    const refused = await run().catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "rate-limited",
      data: { retryAfterSeconds: 10, budget: { name, ...TWO } },
    });
    expect(String(refused)).toMatch(new RegExp(`"${name}".*2 at once, 6 a minute.*try again in 10 s`));
    expect(its.refusals).toEqual([name]);
    // Another client and another budget have their own.
    expect(await outcome(run({ ...caller, client: "192.0.2.2" }))).not.toBe("rate-limited");
    await its.clock.advance(9_999);
    expect(await outcome(run())).toBe("rate-limited");
    await its.clock.advance(1);
    expect(await outcome(run())).not.toBe("rate-limited");
    expect(await outcome(run())).toBe("rate-limited");
  });

  it.each([
    ["the admin", two, { ...stranger, admin: true }],
    ["whom the door names no client for", two, { ...caller, client: null }],
    ["work of the catalog's own", two, caller],
    ["anyone, at a catalog without limits", null, stranger],
    ["anyone, while it is off", { ...two, call: null }, stranger],
  ] as const)("is not drawn on by %s", async (_who, budgets, call) => {
    await using its = await limited(budgets);
    for (let round = 0; round < 5; round += 1) {
      expect(await outcome(runs.call(its.context, call))).toBe("not-found");
    }
    expect(its.refusals).toEqual([]);
  });

  it("is drawn on before any work, and not by what is not of its form", async () => {
    await using its = await limited();
    await using relay = await startFakeRelay();
    const register = (url: unknown) =>
      outcome(runOperation(operations.register, { context: its.context, input: { url }, call: stranger }));
    for (let round = 0; round < 5; round += 1) expect(await register(7)).toBe("invalid-input");
    expect(await register(relay.url)).toBe("ok");
    expect(await register(relay.url)).toBe("ok");
    const asked = relay.requests.length;
    expect(await register(relay.url)).toBe("rate-limited");
    expect(relay.requests.length).toBe(asked);
  });

  it("counts the URLs of a bulk registration, all or none", async () => {
    await using its = await limited({ ...two, bulk: { perMinute: 60, burst: 10 } });
    const bulk = (count: number) =>
      outcome(
        runOperation(operations.bulk, {
          context: its.context,
          input: { urls: Array.from({ length: count }, (_, index) => `https://r${index}.example`) },
          call: stranger,
        }),
      );
    expect(await bulk(6)).toBe("ok");
    expect(await bulk(5)).toBe("rate-limited");
    expect(await bulk(4)).toBe("ok");
    // More than it ever holds: what it holds.
    expect(await bulk(50)).toBe("rate-limited");
    await its.clock.advance(10_000);
    expect(await bulk(50)).toBe("ok");
    expect(await bulk(1)).toBe("rate-limited");
  });

  it("of subscriptions is drawn on by deliveries that are asked for by hand", async () => {
    await using its = await limited();
    const { context } = its;
    const { webhook } = await runOperation(operations.subscribe, {
      context,
      input: { url: "https://hook.example/" },
      call: stranger,
    });
    const input = { id: webhook.id };
    expect(await outcome(runOperation(operations.testWebhook, { context, input, call: stranger }))).toBe(
      "ok",
    );
    expect(await outcome(runOperation(operations.testWebhook, { context, input, call: stranger }))).toBe(
      "rate-limited",
    );
    expect(await outcome(runOperation(operations.unsubscribe, { context, input, call: stranger }))).toBe(
      "ok",
    );
  });

  it("tells where it stands", async () => {
    await using its = await limited();
    const told: BudgetStanding[] = [];
    const call: CallContext = { ...stranger, onBudget: (standing) => void told.push(standing) };
    for (let round = 0; round < 3; round += 1) await outcome(runs.refresh(its.context, call));
    expect(told.map(({ remaining, fullInSeconds }) => [remaining, fullInSeconds])).toEqual([
      [1, 10],
      [0, 20],
      [0, 20],
    ]);
  });

  it("is forgotten when it is full again", async () => {
    await using its = await limited();
    await outcome(runs.refresh(its.context, stranger));
    await using pruner = createBudgetPruner(its.context);
    pruner.start();
    await its.clock.sleeping();
    await its.clock.advance(60_000);
    await its.clock.sleeping();
    expect(await its.context.store.budgets.prune(Number.MAX_SAFE_INTEGER, 10)).toBe(0);
  });
});

describe("by default", () => {
  it("takes a whole bulk registration of a rested client, and leaves some", () => {
    expect(DEFAULT_BUDGETS.bulk.burst).toBeGreaterThan(MAX_BULK_URLS);
  });

  it("names every operation that goes out to others on a stranger's word", () => {
    const paid = Object.values(operations)
      .filter(({ budget }: { readonly budget?: unknown }) => budget !== undefined)
      .map(({ name }) => name);
    const free = Object.values(operations).filter(
      ({ readOnly, access, name }) => !readOnly && access === "open" && !(paid as string[]).includes(name),
    );
    expect(free.map(({ name }) => name)).toEqual(["unsubscribe"]);
  });
});

describe("calls under way", verifies("fair.at-once"), () => {
  it.each([
    ["of one client", (_: number) => "192.0.2.1", MAX_CALLS_OF_CLIENT, "calls-of-client", /your address has/],
    ["of one relay", (n: number) => `192.0.2.${n}`, MAX_CALLS_OF_RELAY, "calls-of-relay", /has 512 calls/],
  ])("%s are bounded, and end", async (_what, clientOf, most, counted, words) => {
    await using its = await limited(DEFAULT_BUDGETS);
    const answer = Promise.withResolvers<object>();
    await using relay = await startFakeRelay({ onCall: () => answer.promise as never });
    const { relay: record } = await its.catalog.register(relay.url);
    const abort = new AbortController();
    const call = (client: string | null, signal = abort.signal) =>
      runOperation(operations.call, {
        context: its.context,
        input: { relay: record.id, tool: "echo", arguments: {} },
        call: { admin: false, signal, client },
      });
    const held = Array.from({ length: most }, (_, n) => outcome(call(clientOf(n))));
    await expect.poll(() => relay.requests.length).toBeGreaterThan(Math.min(most, 200));
    const refused = await call(clientOf(most)).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "rate-limited", data: { retryAfterSeconds: 1 } });
    expect(String(refused)).toMatch(words);
    expect(its.refusals).toEqual([counted]);
    // Who is not limited is not refused either.
    const free = outcome(call(null));
    abort.abort();
    expect(new Set(await Promise.all([...held, free]))).toEqual(new Set(["aborted"]));
    answer.resolve({ content: [] });
    relay.update({ onCall: () => ({ content: [] }) });
    expect(await outcome(call(clientOf(most), new AbortController().signal))).toBe("ok");
  });
});
