/** Importing a registry: what is taken of it and what not, pages that are slow or broken, and a stop in the middle. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import type { ImportJob } from "../../src/spec/index.ts";
import { admin, caller } from "../catalog/fixture.ts";
import { relaysOfTests } from "../catalog/relays.ts";
import { verifies } from "../requirements.ts";
import { cursorOf, entryAt, type FakeRegistryOptions, send, startFakeRegistry } from "./fake-registry.ts";
import { startImportCatalog } from "./fixture.ts";

const relay = relaysOfTests();
const local = (index: number) => entryAt(`x/${index}`, ["http://localhost:3000/mcp"]);

/** A registry, and a catalog that imports it. */
async function both(options: Partial<FakeRegistryOptions> & { readonly entries?: readonly unknown[] }) {
  const { entries = [], ...rest } = options;
  const registry = await startFakeRegistry({
    count: entries.length,
    entry: (index) => entries[index],
    ...rest,
  });
  const imports = await startImportCatalog();
  return {
    registry,
    imports,
    run: (more: object = {}) => imports.run({ from: "registry", url: registry.url, ...more }),
    async [Symbol.asyncDispose]() {
      await imports[Symbol.asyncDispose]();
      await registry.close();
    },
  };
}

const reportOf = ({ report }: ImportJob) => report;

describe("what is taken of a registry", () => {
  it(
    "is each URL of what is active and latest, once; the rest is skipped, and said why",
    verifies("import.taken", "import.skipped", "import.probed"),
    async () => {
      const one = await relay({ descriptor: { mcp: "/mcp" } });
      const two = await relay({ host: "127.0.0.1" });
      const gated = await relay({ token: "t" });
      const port = (each: { url: string }) => new URL(each.url).port;
      const at = (host: string, each: { url: string }) => `http://${host}:${port(each)}/mcp`;
      await using test = await both({
        entries: [
          entryAt("x/one", [at("one.fleet.dev", one)]),
          entryAt("x/one-too", [`${at("ONE.fleet.dev", one)}/`]),
          entryAt("x/two", [at("two.fleet.dev", two), at("one.fleet.dev", one)]),
          entryAt("x/gated", [at("gated.fleet.dev", gated)]),
          entryAt("x/local", ["http://localhost:8080/mcp"]),
          entryAt("x/private", ["http://192.168.1.7/mcp"]),
          entryAt("x/placeholder", ["https://mcp.example.com/mcp"]),
          entryAt("x/yours", ["https://your-domain.com/mcp"]),
          entryAt("x/template", ["https://{tenant}.fleet.dev/mcp"]),
          entryAt("x/deleted", [at("one.fleet.dev", one)], { status: "deleted" }),
          entryAt("x/old", [at("old.fleet.dev", one)], { isLatest: false }),
          entryAt("x/package", []),
          "nonsense",
          { server: { name: 7 } },
        ],
      });
      const job = await test.run();
      expect(job).toMatchObject({
        state: "done",
        complete: true,
        problems: [],
        from: "registry",
        url: test.registry.url,
      });
      const { skipped, ...numbers } = reportOf(job);
      expect(numbers).toEqual({
        documents: 1,
        seen: 14,
        taken: 3,
        shared: 2,
        listed: 2,
        known: 0,
        failed: { "auth-required": 1 },
      });
      expect(skipped).toMatchObject({
        localhost: 2,
        "not-active": 1,
        "not-latest": 1,
        "no-remote": 1,
        unreadable: 2,
      });
      expect((skipped.placeholder ?? 0) + (skipped["unresolved-template"] ?? 0)).toBe(3);
      const results = await test.imports.results(job.id);
      expect(results).toMatchObject([
        { outcome: "listed", names: ["x/one", "x/one-too", "x/two"] },
        { outcome: "listed", names: ["x/two"] },
        { outcome: "failed", relay: null, failure: "auth-required", names: ["x/gated"] },
      ]);
      // Nothing of the list is in the record, and its names are kept beside it.
      const id = results[0]?.relay as string;
      expect(JSON.stringify(await test.imports.catalog.get(id))).not.toContain("x/one");
      const { claims } = await operations.claims.run(test.imports.catalog.context, { id }, caller);
      expect(claims).toMatchObject(
        ["x/one", "x/one-too", "x/two"].map((name) => ({
          name,
          version: "1.0.0",
          source: test.registry.url,
        })),
      );
      await expect(
        operations.claims.run(test.imports.catalog.context, { id: "none" }, caller),
      ).rejects.toMatchObject({ code: "not-found" });
      // A second time all is known, and a name that was deleted is claimed no more.
      test.registry.update({
        count: 2,
        entry: (index) =>
          entryAt(
            ["x/one", "x/one-too"][index] as string,
            [at("one.fleet.dev", one)],
            index === 1 ? { status: "deprecated" } : {},
          ),
      });
      expect(reportOf(await test.run())).toMatchObject({ known: 1, skipped: { "not-active": 1 } });
      const after = await operations.claims.run(test.imports.catalog.context, { id }, caller);
      expect(after.claims.map(({ name }) => name)).toEqual(["x/one", "x/two"]);
    },
  );

  it(
    "is nothing in a dry run, but counted, with what is listed already",
    verifies("import.dry-run"),
    async () => {
      const one = await relay();
      const url = one.url.replace("127.0.0.1", "one.fleet.dev");
      await using test = await both({
        entries: [entryAt("x/one", [url]), entryAt("x/new", ["https://new.fleet.dev/mcp"])],
      });
      await test.imports.catalog.register(url);
      const job = await test.run({ dryRun: true });
      expect(reportOf(job)).toMatchObject({ seen: 2, taken: 2, known: 1, listed: 0 });
      expect((await test.imports.results(job.id)).map(({ outcome }) => outcome)).toEqual(["known", "taken"]);
      expect(await test.imports.catalog.ids()).toHaveLength(1);
    },
  );

  it(
    "is asked for in the registry's own words, and stays away when an admin removed it",
    verifies("import.asks"),
    async () => {
      const one = await relay();
      const url = one.url.replace("127.0.0.1", "one.fleet.dev");
      await using test = await both({ entries: [entryAt("x/one", [url]), local(1), local(2)] });
      const { relay: record } = await test.imports.catalog.register(url);
      await operations.remove.run(test.imports.catalog.context, { id: record.id }, admin);
      const job = await test.run({ since: "2026-01-31", limit: 1 });
      expect(job).toMatchObject({ since: "2026-01-31T00:00:00.000Z", limit: 1 });
      expect(reportOf(job)).toMatchObject({ seen: 1, taken: 1, failed: { removed: 1 } });
      const asked = new URL(test.registry.asked[0] as string, test.registry.url);
      expect(asked.pathname).toBe("/v0.1/servers");
      expect(Object.fromEntries(asked.searchParams)).toEqual({
        limit: "100",
        version: "latest",
        updated_since: "2026-01-31T00:00:00.000Z",
      });
    },
  );

  it(
    "is of another OpenMCP catalog what it has at first hand: hearsay goes one hop",
    verifies("import.one-hop"),
    async () => {
      const { port } = new URL((await relay()).url);
      const of = (host: string, mark: unknown) => ({
        ...(entryAt(`x/${host}`, [`http://${host}.fleet.dev:${port}/mcp`]) as object),
        _meta: { "openmcp/listing": mark },
      });
      await using test = await both({
        entries: [
          of("own", { derived: true, catalog: "https://a.example" }),
          of("heard", { derived: true, catalog: "https://a.example", via: "https://b.example" }),
          of("odd", { via: 7 }),
        ],
      });
      const { id, report } = await test.run();
      expect(report).toMatchObject({ seen: 3, taken: 2, skipped: { learned: 1 } });
      const taken = await test.imports.results(id);
      expect(taken.map(({ names }) => names)).toEqual([["x/own"], ["x/odd"]]);
    },
  );

  it("is read of the shapes of 2025 too, and of the fixtures", verifies("import.old-shape"), async () => {
    /** Entries that give something, and URLs. */
    const fixtures = {
      "official_v0.1_servers.fixture": [0, 0],
      official_v0_npm_servers_page: [0, 0],
      seed_2025_05_16: [1, 2],
    } as const;
    for (const [name, [used, taken]] of Object.entries(fixtures)) {
      const text = await fixtureText(name);
      await using test = await both({
        path: "/v0/servers",
        answer({ url }, response) {
          if (url.pathname !== "/v0/servers") return false;
          send(response, 200, text);
          return true;
        },
      });
      const job = await test.run({ dryRun: true });
      expect(job, name).toMatchObject({ complete: true, report: { taken } });
      const { seen, skipped } = reportOf(job);
      expect(seen, name).toBeGreaterThan(5);
      expect(Object.values(skipped).reduce((sum, n) => sum + n, 0)).toBe(seen - used);
      if (name.startsWith("official_v0.1")) {
        expect(skipped).toEqual({ "no-remote": 1, placeholder: 2, "not-active": 2, "not-latest": 1 });
      }
    }
  });

  it("needs the admin, and is of its form", async () => {
    await using imports = await startImportCatalog({ start: false });
    const { context } = imports.catalog;
    const ask = (input: object, call = admin) => operations.importRelays.run(context, input as never, call);
    await expect(ask({ from: "registry" }, caller)).rejects.toMatchObject({ code: "unauthorized" });
    await expect(ask({ from: "registry", url: "ftp://x" })).rejects.toMatchObject({ data: { field: "url" } });
    await expect(ask({ from: "ai-catalog" })).rejects.toMatchObject({ data: { field: "url" } });
    await expect(ask({ from: "urls", urls: ["a b"] })).rejects.toMatchObject({ data: { field: "urls" } });
    const { job } = await ask({ from: "registry" });
    expect((await imports.job(job)).url).toBe("https://registry.modelcontextprotocol.io");
    await expect(
      ask({ from: "registry", url: "https://registry.modelcontextprotocol.io/v0/servers" }),
    ).rejects.toMatchObject({
      code: "conflict",
      data: { job },
    });
    for (const name of ["importJob", "importResults", "cancelImport"] as const) {
      await expect(operations[name].run(context, { job: "none" }, admin)).rejects.toMatchObject({
        code: "not-found",
      });
      await expect(operations[name].run(context, { job }, caller)).rejects.toMatchObject({
        code: "unauthorized",
      });
    }
    await expect(operations.imports.run(context, {}, caller)).rejects.toMatchObject({ code: "unauthorized" });
    const cancelled = await operations.cancelImport.run(context, { job }, admin);
    expect(cancelled.job).toMatchObject({ state: "cancelled", complete: false });
    expect((await operations.imports.run(context, {}, admin)).jobs).toEqual([cancelled.job]);
  });
});

describe("a registry of 60,763 entries", () => {
  const count = 60_763;
  // A quarter names a URL that another names too; most run on one's own machine.
  const entry = (index: number) => {
    if (index % 5 !== 0) return entryAt(`x/${index}`, []);
    if (index % 10 === 0) return local(index);
    return entryAt(`x/${index}`, [`https://s${index % 2_000}.fleet.dev/mcp`]);
  };

  it("is read page by page, one at a time, each entry once", {
    ...verifies("import.polite", "import.size"),
    timeout: 60_000,
  }, async () => {
    await using test = await both({ count, entry });
    const job = await test.run({ dryRun: true });
    expect(job).toMatchObject({ complete: true, problems: [] });
    const { seen, taken, shared, skipped, documents } = reportOf(job);
    expect({ seen, taken, documents }).toEqual({ seen: count, taken: 200, documents: 608 });
    expect(test.registry.most).toBe(1);
    expect(taken + shared + (skipped["no-remote"] ?? 0) + (skipped.localhost ?? 0)).toBe(count);
  });
});

describe("pages that break", () => {
  const entries = Array.from({ length: 450 }, (_, index) => local(index));

  it("a slow or failing registry is waited for, as long as it says", verifies("import.slow"), async () => {
    await using test = await both({
      entries,
      answer({ offset, before }, response) {
        if (offset !== 200 || before > 3) return false;
        response
          .writeHead([500, 503, 429, 502][before] as number, before === 1 ? { "retry-after": "7200" } : {})
          .end();
        return true;
      },
    });
    const job = await test.run();
    expect(job).toMatchObject({ complete: true, report: { seen: 450, documents: 5 } });
    expect(test.imports.slept()).toBeGreaterThan(7_200_000);
    expect(test.registry.most).toBe(1);
  });

  it(
    "a page that hangs is given up after its time, and asked for again",
    verifies("import.slow"),
    async () => {
      await using registry = await startFakeRegistry({
        count: 250,
        entry: local,
        answer: ({ offset, before }) => offset === 100 && before === 0,
      });
      const limits: number[] = [];
      await using imports = await startImportCatalog({
        timeoutMs: 300,
        onLimits: ({ timeoutMs }) => limits.push(timeoutMs),
      });
      const job = await imports.run({ from: "registry", url: registry.url });
      expect(job).toMatchObject({ complete: true, report: { seen: 250, documents: 3 } });
      expect(registry.asked).toHaveLength(4);
      expect(limits).toEqual([60_000, 60_000, 60_000, 60_000]);
    },
  );

  it(
    "a cursor that is refused is gone round, and nothing is lost or counted twice",
    verifies("import.broken-cursor"),
    async () => {
      await using test = await both({
        entries,
        answer({ offset, limit }, response) {
          if (offset !== 200 || limit !== 100) return false;
          send(response, 400, { error: "invalid cursor" });
          return true;
        },
      });
      const job = await test.run();
      expect(job.problems).toEqual([expect.stringMatching(/after-200.*it answered 400.*another size/)]);
      expect(job).toMatchObject({ complete: true, report: { seen: 450, skipped: { localhost: 450 } } });
    },
  );

  it("cursors that have run out make the list begin anew, once", async () => {
    let forgotten = false;
    await using test = await both({
      entries,
      answer({ url, offset }, response) {
        if (!url.searchParams.has("cursor")) forgotten = false;
        // The third page of the first reading: from then on the registry knows none of its cursors.
        else if (offset === 200) forgotten = true;
        if (!forgotten) return false;
        send(response, 400, {});
        return true;
      },
    });
    const job = await test.run();
    expect(job).toMatchObject({ complete: true, report: { seen: 450 } });
    expect(job.problems.length).toBeGreaterThan(0);
  });

  it.each<[string, Partial<FakeRegistryOptions>, RegExp, number]>([
    [
      "a cursor that comes a second time",
      { cursor: (offset) => cursorOf(offset === 300 ? 100 : offset) },
      /circle/,
      300,
    ],
    [
      "new cursors that lead to the same page",
      {
        cursor: (() => {
          let at = 0;
          return () => {
            at += 1;
            return `again-${at}`;
          };
        })(),
        answer({ url }, response) {
          if (!url.searchParams.get("cursor")?.startsWith("again")) return false;
          const at = Number(url.searchParams.get("cursor")?.slice(6));
          send(response, 200, { servers: [local(1)], metadata: { nextCursor: `again-${at + 1_000}` } });
          return true;
        },
      },
      /nothing new/,
      100,
    ],
    [
      "a page that is no list for good",
      {
        answer({ offset }, response) {
          if (offset < 300) return false;
          send(response, 200, "<html>");
          return true;
        },
      },
      /leads round it/,
      300,
    ],
  ])(
    "%s ends the reading, and is said",
    verifies("import.repeated-cursor"),
    async (_name, options, problem, seen) => {
      await using test = await both({ entries, ...options });
      const job = await test.run();
      expect(job.complete).toBe(false);
      expect(job.problems.join("\n")).toMatch(problem);
      expect(job.report.seen).toBeGreaterThanOrEqual(seen);
      expect(job.report.seen).toBeLessThan(450);
      expect(test.registry.asked.length).toBeLessThan(80);
    },
  );

  it("what is no registry is said at once", async () => {
    await using test = await both({ entries: [], path: "/elsewhere" });
    const job = await test.run();
    expect(job).toMatchObject({ state: "done", complete: false, report: { seen: 0, taken: 0 } });
    expect(job.problems).toEqual([expect.stringMatching(/404.*base URL of an MCP registry/)]);
    expect(test.registry.asked).toHaveLength(2);
  });
});

describe("a cancelled import", () => {
  it("asks for nothing more", verifies("import.cancel"), async () => {
    const held = Promise.withResolvers<void>();
    await using test = await both({
      count: 1_000,
      entry: local,
      async answer({ offset }) {
        if (offset === 200) await held.promise;
        return false;
      },
    });
    const id = await test.imports.start({ from: "registry", url: test.registry.url });
    await expect.poll(() => test.registry.asked.length, { interval: 5 }).toBe(3);
    const { job } = await operations.cancelImport.run(test.imports.catalog.context, { job: id }, admin);
    expect(job).toMatchObject({ state: "cancelled", report: { seen: 200 } });
    held.resolve();
    await test.imports.runner.close();
    expect(test.registry.asked).toHaveLength(3);
    expect((await test.imports.job(id)).report.seen).toBe(200);
  });
});

async function fixtureText(name: string): Promise<string> {
  return readFile(new URL(`./fixtures/${name}.json`, import.meta.url), "utf8");
}
