import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callError } from "../../src/catalog/forward-call.ts";
import { type CallContext, operations } from "../../src/catalog/index.ts";
import { type CallToolInput, parseRaw } from "../../src/spec/index.ts";
import { type FakeRelay, type FakeRelayOptions, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { tool } from "./findings.ts";
import { caller, startTestCatalog, type TestCatalog } from "./fixture.ts";

let catalog: TestCatalog;
let open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  catalog = await startTestCatalog();
});
afterEach(async () => {
  await Promise.all(open.map((relay) => relay.close()));
  open = [];
  await catalog.close();
});

async function listed(options: FakeRelayOptions = {}): Promise<{ relay: FakeRelay; id: string }> {
  const relay = await startFakeRelay(options);
  open.push(relay);
  const { relay: record } = await catalog.register(relay.url);
  return { relay, id: record.id };
}

const call = (input: CallToolInput, by: CallContext = caller) =>
  operations.call.run(catalog.context, input, by);

describe("calling", () => {
  it("gives the relay's result back whole", verifies("rest.call", "mcp.call-untouched"), async () => {
    const result = {
      content: [{ type: "text", text: "hi", "x-own": { a: [1] } }],
      structuredContent: { n: 1 },
      "x-more": null,
    };
    const { id } = await listed({ onCall: () => result });
    const answer = await call({ relay: id, tool: "echo", arguments: { text: "hi" } });
    expect(parseRaw(answer)).toMatchObject({ relay: id, tool: "echo", result, parsed: result });
  });

  it("quotes a relay's megabytes of error message cut, and hands them on whole", () => {
    const message = `x${" ".repeat(1_000_000)}y`;
    const error = callError("id", { kind: "rpc-error", rpc: { code: -32000, message } });
    expect(error.message.length).toBeLessThan(3_000);
    expect(error.data.rpc).toEqual({ code: -32000, message });
  });

  it("remembers what a call taught, and leaves the relay counted where it lives", async () => {
    const catalog = await startTestCatalog({ lookup: async () => [{ address: "127.0.0.1", family: 4 }] });
    open.push(catalog);
    const relay = await startFakeRelay();
    open.push(relay);
    const { port } = new URL(relay.url);
    const { relay: record } = await catalog.register(`http://one.example.com:${port}/mcp`);
    const stored = await catalog.store.relays.get(record.id);
    if (stored === null) throw new Error("not listed");
    const place = { host: "one.example.com", domain: "example.com" };
    const now = Date.now();
    await catalog.store.relays.save({ ...stored, hints: null, place, events: [], now });
    await operations.call.run(catalog.context, { relay: record.id, tool: "echo" }, caller);
    expect((await catalog.store.relays.get(record.id))?.hints).toMatchObject({ era: "modern" });
    const ask = { owner: "o", now, limit: 1, leaseMs: 9, slowMs: 9, perHost: 9, perDomain: 9 };
    const { relays } = await catalog.store.schedule.lease({ ...ask, mostPerHost: 9, mostPerDomain: 9 });
    expect(relays).toEqual([{ id: record.id, ...place }]);
  });

  it("costs one round trip", verifies("call.one-round-trip"), async () => {
    for (const era of ["modern", "legacy"] as const) {
      const { relay, id } = await listed({ era });
      const before = relay.requests.length;
      await call({ relay: id, tool: "echo" });
      expect(relay.requests.length - before).toBe(1);
    }
  });

  it(
    "passes the caller's token on, to the relay only, and keeps it nowhere",
    verifies("call.token-unkept", "catalog.no-credentials"),
    async () => {
      const token = "tok_7f3a_secret";
      const { relay, id } = await listed({ token, descriptor: { mcp: "/mcp", tools: ["echo"] } });
      const answer = await call({ relay: id, tool: "echo", token });
      expect(answer.parsed).toMatchObject({ content: [{ type: "text" }] });
      expect(
        relay.requests
          .filter((seen) => seen.headers.authorization !== undefined)
          .map((seen) => seen.headers.authorization),
      ).toContain(`Bearer ${token}`);
      const refused = await call({ relay: id, tool: "echo", token: `${token}_wrong` }).catch(
        (error: unknown) => error,
      );
      expect(refused).toMatchObject({ code: "relay-refused" });
      const kept = JSON.stringify([
        await catalog.store.relays.get(id),
        await catalog.changes(),
        refused,
        String(refused),
      ]);
      expect(kept).not.toContain(token);
    },
  );

  it("never changes what is said of the relay", verifies("call.online-unchanged"), async () => {
    const { relay, id } = await listed();
    const before = await catalog.get(id);
    relay.update({
      intercept(_seen, response) {
        response.destroy();
        return true;
      },
    });
    await expect(call({ relay: id, tool: "echo" })).rejects.toMatchObject({ code: "relay-unreachable" });
    expect(await catalog.get(id)).toEqual(before);
    expect(await catalog.changes()).toHaveLength(1);
  });

  it("hands on a relay's own error", verifies("rest.call-errors"), async () => {
    const { relay, id } = await listed({ tools: [tool("a")] });
    relay.update({ tools: [] });
    await expect(call({ relay: id, tool: "a" })).rejects.toMatchObject({
      code: "relay-error",
      data: { rpc: { code: -32602, message: expect.stringContaining("unknown tool") } },
    });
  });

  it("remembers what a call taught of the protocol, without a word to anyone", async () => {
    const { relay, id } = await listed({ era: "legacy" });
    relay.update({ era: "modern" });
    await call({ relay: id, tool: "echo" });
    expect((await catalog.store.relays.get(id))?.hints).toMatchObject({ era: "modern" });
    expect(await catalog.changes()).toHaveLength(1);
    const before = relay.requests.length;
    await call({ relay: id, tool: "echo" });
    expect(relay.requests.length - before).toBe(1);
  });

  describe("a tool that is not in the list", () => {
    it("is refused with near names when the list is the relay's own", async () => {
      const { relay, id } = await listed({ tools: [tool("search_jobs"), tool("get_job")] });
      const before = relay.requests.length;
      await expect(call({ relay: id, tool: "searchJobs" })).rejects.toMatchObject({
        code: "not-found",
        message: expect.stringContaining('"search_jobs"'),
        data: { relay: id, tool: "searchJobs", near: ["search_jobs"] },
      });
      expect(relay.requests.length).toBe(before);
    });

    it("is asked for when the list is old, or a credential may show more", async () => {
      const { relay, id } = await listed({ tools: [tool("a")] });
      relay.update({ tools: [tool("a"), tool("b")] });
      await expect(call({ relay: id, tool: "b" })).rejects.toMatchObject({ code: "not-found" });
      expect((await call({ relay: id, tool: "b", token: "t" })).tool).toBe("b");
      relay.update({ token: "t" });
      await catalog.refresh(id);
      expect((await call({ relay: id, tool: "b", token: "t" })).tool).toBe("b");
    });
  });

  it("names near relays", async () => {
    const { id } = await listed();
    await expect(call({ relay: `${id}-`, tool: "echo" })).rejects.toMatchObject({
      code: "not-found",
      data: { near: [id] },
    });
  });

  it("passes the relay's progress on", async () => {
    const { relay, id } = await listed();
    relay.update({
      intercept(seen, response) {
        const message = JSON.parse(seen.body) as {
          id: unknown;
          params: { _meta?: { progressToken?: unknown } };
        };
        const progressToken = message.params._meta?.progressToken;
        const say = (data: object) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...data })}\n\n`;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(
          say({ method: "notifications/progress", params: { progressToken, progress: 1, total: 2 } }),
        );
        response.end(say({ id: message.id, result: { content: [], resultType: "complete" } }));
        return true;
      },
    });
    const seen: unknown[] = [];
    await call({ relay: id, tool: "echo" }, { ...caller, onProgress: (progress) => seen.push(progress) });
    expect(seen).toMatchObject([{ progress: 1, total: 2 }]);
  });

  it("gives up with the caller", async () => {
    const { relay, id } = await listed();
    const abort = new AbortController();
    const asked = Promise.withResolvers<void>();
    relay.update({
      intercept() {
        asked.resolve();
        return true;
      },
    });
    const calling = call({ relay: id, tool: "echo" }, { signal: abort.signal, admin: false });
    await asked.promise;
    abort.abort();
    await expect(calling).rejects.toMatchObject({ code: "aborted" });
  });

  it.each([
    [
      { kind: "rpc-error", rpc: { code: -1, message: "m" } },
      "relay-error",
      { rpc: { code: -1, message: "m" } },
    ],
    [
      { kind: "rpc-error", rpc: { code: -1, message: "m", data: 1 } },
      "relay-error",
      { rpc: { code: -1, message: "m", data: 1 } },
    ],
    [
      { kind: "refused", status: 401, message: "m", challenge: null },
      "relay-refused",
      { relay: "id", status: 401, challenge: null },
    ],
    [
      { kind: "rpc-error", rpc: { code: -32021, message: "m" } },
      "relay-error",
      { rpc: { code: -32021, message: "m" } },
    ],
    [{ kind: "unreachable", message: "m" }, "relay-unreachable", { relay: "id" }],
    [{ kind: "timeout", message: "m" }, "relay-timeout", { relay: "id" }],
    [{ kind: "blocked", message: "m" }, "blocked", { relay: "id" }],
  ] as const)("turns %j into its own error", verifies("rest.call-errors"), (outcome, code, data) => {
    expect(callError("id", outcome)).toMatchObject({ code, data });
  });
});
