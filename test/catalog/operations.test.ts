import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { operations, readInput } from "../../src/catalog/index.ts";
import { parseRaw } from "../../src/spec/index.ts";
import { type FakeRelay, type FakeRelayOptions, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { tool } from "./findings.ts";
import { caller, startTestCatalog, type TestCatalog } from "./fixture.ts";

describe("the operations table", () => {
  it("names each operation by its key, and describes it for documents", () => {
    for (const [key, operation] of Object.entries(operations)) {
      expect(operation.name).toBe(key);
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(operation.description).toMatch(/\.$/);
      for (const schema of [operation.input, operation.output]) {
        expect(z.toJSONSchema(schema, { io: "input" })).toMatchObject({ type: "object" });
      }
    }
    const admins = Object.values(operations).filter((operation) => operation.access === "admin");
    expect(admins.map(({ name }) => name).sort()).toEqual([
      "addPeer",
      "cancelImport",
      "importJob",
      "importRelays",
      "importResults",
      "imports",
      "remove",
      "removePeer",
      "syncPeers",
    ]);
  });

  const urls = (count: number) => Array.from({ length: count }, (_, index) => `https://r${index}.example`);
  it.each<[keyof typeof operations, unknown, string | null]>([
    ["list", {}, null],
    [
      "list",
      { limit: 500, q: "a", tag: "b", online: true, verified: false, auth: "unknown", cursor: "c" },
      null,
    ],
    ["list", { limit: 501 }, "limit"],
    ["list", { limit: 0 }, "limit"],
    ["list", { limit: -1 }, "limit"],
    ["list", { limit: 1.5 }, "limit"],
    ["list", { limit: "abc" }, "limit"],
    ["list", { online: "maybe" }, "online"],
    ["list", { auth: "password" }, "auth"],
    ["list", { tag: "" }, "tag"],
    ["list", { q: "x".repeat(10_001) }, "q"],
    ["summaries", { cursor: "x".repeat(501) }, "cursor"],
    ["get", {}, "id"],
    ["get", { id: "" }, "id"],
    ["tools", { id: 7 }, "id"],
    ["find", { q: "convert a pdf" }, null],
    ["find", { q: "x".repeat(10_000), maxTokens: 1 }, null],
    ["find", {}, "q"],
    ["find", { q: "  " }, "q"],
    ["find", { q: "x", limit: 101 }, "limit"],
    ["find", { q: "x", maxTokens: 0 }, "maxTokens"],
    ["call", { relay: "r", tool: "t" }, null],
    ["call", { relay: "r", tool: "t", arguments: { a: [{ b: null }] }, token: "x" }, null],
    ["call", { relay: "r" }, "tool"],
    ["call", { relay: "r", tool: "t", arguments: [] }, "arguments"],
    ["call", { relay: "r", tool: "t", arguments: "{}" }, "arguments"],
    ["call", { relay: "r", tool: "t", token: 5 }, "token"],
    ["call", { relay: "r", tool: "t", token: "" }, "token"],
    ["register", { url: "relay.example" }, null],
    ["register", {}, "url"],
    ["register", { url: "not a url" }, "url"],
    ["register", { url: `https://${"a".repeat(2_100)}.example` }, "url"],
    ["bulk", { urls: urls(1_000) }, null],
    ["bulk", { urls: urls(1_001) }, "urls"],
    ["bulk", { urls: [] }, "urls"],
    ["bulk", { urls: "https://r.example" }, "urls"],
    ["bulk", { urls: ["a", 1] }, "urls.1"],
    ["bulkJob", {}, "job"],
    ["importRelays", { from: "registry" }, null],
    ["importRelays", { from: "registry", url: "https://r.example", since: "2026-01-31", limit: 1 }, null],
    ["importRelays", { from: "urls", urls: urls(1_000), dryRun: true }, null],
    ["importRelays", { from: "urls", urls: urls(1_001) }, "urls"],
    ["importRelays", { from: "elsewhere" }, "from"],
    ["importRelays", { from: "registry", since: "last week" }, "since"],
    ["importRelays", { from: "registry", since: "2026-13-31" }, "since"],
    ["importRelays", { from: "registry", limit: 0 }, "limit"],
    ["importRelays", { from: "registry", dryRun: "yes" }, "dryRun"],
    ["importJob", {}, "job"],
    ["importResults", { job: "j", limit: 501 }, "limit"],
    ["claims", {}, "id"],
    ["refresh", null, ""],
    ["remove", [], ""],
    ["counts", {}, null],
  ])("%s takes %j, or names the field", verifies("rest.bad-input"), (name, value, field) => {
    const read = () => readInput(operations[name] as Parameters<typeof readInput>[0], value);
    if (field === null) {
      expect(read()).toEqual(value);
      return;
    }
    let error: unknown;
    try {
      read();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: "invalid-input", data: { field } });
    if (field !== "") expect((error as Error).message).toContain(`"${field.split(".")[0]}"`);
  });
});

describe("reading", () => {
  let catalog: TestCatalog;
  let open: FakeRelay[] = [];
  beforeEach(async () => {
    catalog = await startTestCatalog();
  });
  afterEach(async () => {
    await Promise.all(open.map((relay) => relay.close()));
    open = [];
    await catalog.close();
  });

  async function listed(options: FakeRelayOptions): Promise<string> {
    const relay = await startFakeRelay(options);
    open.push(relay);
    return (await catalog.register(relay.url)).relay.id;
  }

  /** Two relays that are up, one that is gated; indexed. */
  async function three(): Promise<{ pdf: string; mail: string; gated: string }> {
    const pdf = await listed({
      descriptor: { mcp: "/mcp", name: "Paper", tags: [" Files "], auth: { kind: "none" } },
      tools: [
        tool("convert_pdf", {
          title: "Convert",
          description: "Turns a PDF into text.",
          inputSchema: { type: "object" },
        }),
      ],
    });
    const mail = await listed({
      host: "127.0.0.2",
      tools: [tool("send_mail", { description: "Sends a message." })],
    });
    const gated = await listed({
      host: "127.0.0.3",
      token: "t",
      descriptor: { mcp: "/mcp", name: "Vault", auth: { kind: "bearer" }, tools: ["convert_secret_pdf"] },
    });
    while ((await catalog.store.searchIndex.step()).pending > 0);
    return { pdf, mail, gated };
  }

  const list = async (input: object) => parseRaw(await operations.list.run(catalog.context, input, caller));

  it(
    "lists records by every filter, with a total and a cursor",
    verifies("rest.list", "rest.list-paged"),
    async () => {
      const { pdf, mail, gated } = await three();
      const ids = async (input: object) => (await list(input)).relays.map((relay) => relay.id);
      expect(await ids({})).toEqual([pdf, mail, gated]);
      expect(await ids({ q: "paper" })).toEqual([pdf]);
      expect(await ids({ tag: "FILES" })).toEqual([pdf]);
      expect(await ids({ online: true })).toEqual([pdf, mail]);
      expect(await ids({ online: false })).toEqual([gated]);
      expect(await ids({ verified: true })).toEqual([pdf, gated]);
      expect(await ids({ auth: "bearer" })).toEqual([gated]);
      expect(await ids({ auth: "unknown" })).toEqual([mail]);
      const first = await list({ limit: 2 });
      expect(first).toMatchObject({ total: 3 });
      expect(first.nextCursor).not.toBeNull();
      const rest = await list({ limit: 2, cursor: first.nextCursor });
      expect(rest.relays.map((relay) => relay.id)).toEqual([gated]);
      expect(rest.nextCursor).toBeNull();
      await expect(list({ cursor: "no such" })).rejects.toMatchObject({
        code: "invalid-input",
        data: { field: "cursor" },
      });
    },
  );

  it("answers what its documents say", async () => {
    const { pdf } = await three();
    const answers: Partial<Record<keyof typeof operations, unknown>> = {
      list: await list({}),
      summaries: parseRaw(await operations.summaries.run(catalog.context, {}, caller)),
      get: parseRaw(await operations.get.run(catalog.context, { id: pdf }, caller)),
      tools: parseRaw(await operations.tools.run(catalog.context, { id: pdf }, caller)),
      find: await operations.find.run(catalog.context, { q: "pdf" }, caller),
      counts: await operations.counts.run(catalog.context, {}, caller),
      refresh: await operations.refresh.run(catalog.context, { id: pdf }, caller),
      call: parseRaw(await operations.call.run(catalog.context, { relay: pdf, tool: "convert_pdf" }, caller)),
    };
    for (const [name, answer] of Object.entries(answers)) {
      const { output } = operations[name as keyof typeof operations];
      expect(output.safeParse(answer).error?.issues ?? []).toEqual([]);
    }
    expect(answers.counts).toEqual({ relays: 3, online: 2 });
    expect(answers.tools).toMatchObject({
      relay: pdf,
      online: true,
      tools: [{ name: "convert_pdf", title: "Convert" }],
    });
  });

  it(
    "finds tools of online relays, of others when asked, within filters and a budget",
    verifies("rest.find-online", "rest.find"),
    async () => {
      const { pdf, gated } = await three();
      const find = async (input: object) =>
        (await operations.find.run(catalog.context, { q: "convert pdf", ...input }, caller)).tools;
      expect(await find({})).toMatchObject([
        {
          relay: pdf,
          name: "convert_pdf",
          title: "Convert",
          auth: "none",
          online: true,
          verified: true,
          inputSchema: { type: "object" },
        },
      ]);
      expect((await find({ online: false })).map((found) => found.relay).sort()).toEqual([pdf, gated].sort());
      expect((await find({ online: true })).map((found) => found.relay)).toEqual([pdf]);
      expect((await find({ online: false, auth: "bearer" })).map((found) => found.relay)).toEqual([gated]);
      expect(await find({ online: false, limit: 1 })).toHaveLength(1);
      expect(await find({ online: false, maxTokens: 1 })).toHaveLength(1);
      expect(await find({ online: false, maxTokens: 10_000 })).toHaveLength(2);
      expect(await find({ q: "zzqx" })).toEqual([]);
      for (const q of ['"', "%", "*", "NEAR(", "AND OR NOT", "💥", "x".repeat(10_000)]) {
        expect(Array.isArray(await find({ q }))).toBe(true);
      }
    },
  );

  it("names near ids for a relay that is not listed", async () => {
    const { pdf } = await three();
    for (const operation of [operations.get, operations.tools]) {
      await expect(operation.run(catalog.context, { id: `${pdf}0` }, caller)).rejects.toMatchObject({
        code: "not-found",
        // Ports are picked: another relay's may look like it too.
        data: { near: expect.arrayContaining([pdf]) },
      });
    }
  });
});
