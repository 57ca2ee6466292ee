/** The MCP door as the official clients of both lines meet it, over a socket. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAILURE_META_KEY, summarize } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { json, tool } from "./catalog-fixture.ts";
import { type McpFixture, openMcp, sdk1, sdk2 } from "./mcp-fixture.ts";

let mcp: McpFixture;

beforeAll(async () => {
  mcp = await openMcp();
});

afterAll(() => mcp[Symbol.asyncDispose]());

const clients = [
  ["SDK 2, modern", () => sdk2(mcp.url, "auto"), "2026-07-28"],
  ["SDK 2, legacy", () => sdk2(mcp.url, "legacy"), "2025-11-25"],
  ["SDK 1", () => sdk1(mcp.url), "2025-11-25"],
] as const;

describe.each(clients)("%s", (_name, open, era) => {
  test(
    "meets the catalog in its era, with the tools of wire.md and a word of advice",
    verifies("mcp.both-eras"),
    async () => {
      await using client = await open();
      expect(client.era()).toBe(era);
      expect(client.instructions()).toContain("find_tool");
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        "find_tool",
        "call_tool",
        "list_relays",
        "get_relay",
        "register_relay",
        "refresh_relay",
        "subscribe",
        "unsubscribe",
        "list_peers",
      ]);
      const inputs = Object.fromEntries(
        tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties as object)]),
      );
      expect(inputs).toEqual({
        find_tool: ["q", "limit", "maxTokens", "online", "verified", "tag", "auth", "era"],
        call_tool: ["relay", "tool", "arguments", "token"],
        list_relays: ["q", "tag", "online", "verified", "auth", "era", "limit", "cursor"],
        get_relay: ["id"],
        register_relay: ["url"],
        refresh_relay: ["id"],
        subscribe: ["url", "events", "relays", "secret"],
        unsubscribe: ["id"],
        list_peers: [],
      });
      expect(tools.find(({ name }) => name === "find_tool")?.annotations).toMatchObject({
        readOnlyHint: true,
      });
      expect(tools.find(({ name }) => name === "call_tool")?.annotations).toMatchObject({
        readOnlyHint: false,
        destructiveHint: true,
        openWorldHint: true,
      });
    },
  );

  test(
    "gets each answer as structured content and as the same JSON text, and in its declared form",
    verifies("mcp.tools"),
    async () => {
      await using client = await open();
      await client.listTools(); // So that the client checks results against the output schemas.
      const subscribed = await client.call("subscribe", { url: "https://you.example/hook" });
      const answers = {
        subscribe: subscribed,
        unsubscribe: await client.call("unsubscribe", { id: subscribed.structuredContent.webhook.id }),
        find_tool: await client.call("find_tool", { q: "says again" }),
        list_relays: await client.call("list_relays", { q: "paper", online: true, limit: 1 }),
        get_relay: await client.call("get_relay", { id: mcp.id }),
        register_relay: await client.call("register_relay", { url: mcp.relay.url }),
        refresh_relay: await client.call("refresh_relay", { id: mcp.id }),
        list_peers: await client.call("list_peers", {}),
      };
      for (const [name, answer] of Object.entries(answers)) {
        expect(answer.isError, `${name}: ${answer.content[0].text}`).toBeUndefined();
        expect(answer.content).toHaveLength(1);
        expect(JSON.parse(answer.content[0].text)).toEqual(answer.structuredContent);
      }
      expect(answers.find_tool.structuredContent.tools[0]).toMatchObject({
        relay: mcp.id,
        name: "echo",
        auth: "bearer",
      });
      expect(answers.list_relays.structuredContent).toEqual({
        relays: [
          expect.objectContaining({
            id: mcp.id,
            name: "Paper",
            mcp: mcp.relay.url,
            auth: "bearer",
            tools: ["echo", "odd", "fails"],
          }),
        ],
        total: 1,
        nextCursor: null,
      });
      expect(answers.get_relay.structuredContent.relay).toMatchObject({
        id: mcp.id,
        online: true,
        verified: true,
      });
      expect(Object.keys(answers.register_relay.structuredContent)).toEqual(["relay"]);
      expect(Object.keys(answers.subscribe.structuredContent)).toEqual(["webhook", "secret"]);
      expect(answers.unsubscribe.structuredContent).toEqual({ removed: true });
      expect(answers.refresh_relay.structuredContent).toMatchObject({
        relay: { id: mcp.id },
        changed: false,
      });
    },
  );

  test("calls a relay's tool", async () => {
    await using client = await open();
    const result = await client.call("call_tool", { relay: mcp.id, tool: "echo", arguments: { text: "hi" } });
    expect(JSON.parse(result.content[0].text)).toEqual({ text: "hi" });
    const failed = await client.call("call_tool", { relay: mcp.id, tool: "fails" });
    expect(failed).toMatchObject({ isError: true, content: [{ text: "{}" }] });
  });

  test("is told what to do next when something fails", verifies("mcp.failures"), async () => {
    await using client = await open();
    await client.listTools();
    const cases: [string, object, string, RegExp][] = [
      ["get_relay", { id: "nope.example" }, "not-found", /list_relays or find_tool/],
      ["get_relay", {}, "invalid-input", /"id"/],
      ["find_tool", { q: "" }, "invalid-input", /"q"/],
      ["list_relays", { limit: 0 }, "invalid-input", /"limit"/],
      ["call_tool", { relay: "nope.example", tool: "x" }, "not-found", /list_relays or find_tool/],
      ["call_tool", { relay: mcp.id, tool: "nope" }, "not-found", /get_relay/],
      ["call_tool", { relay: mcp.id, tool: "echo", arguments: [] }, "invalid-input", /"arguments"/],
      ["register_relay", { url: "ftp://a.example" }, "invalid-input", /"url"/],
    ];
    for (const [name, args, code, words] of cases) {
      const result = await client.call(name, args);
      expect(result.isError, name).toBe(true);
      expect(result.content[0].text).toMatch(words);
      expect(JSON.parse(result.content[1].text)).toMatchObject({ code, detail: expect.any(String) });
      expect(result._meta[FAILURE_META_KEY]).toEqual({ code });
      expect(result).not.toHaveProperty("structuredContent");
    }
  });

  test(
    "is asked for a credential, passes it, and never sees it again",
    verifies("call.token-unkept"),
    async () => {
      mcp.relay.update({ token: "s3cret" });
      try {
        await using client = await open();
        const refused = await client.call("call_tool", { relay: mcp.id, tool: "echo", token: "wr0ng" });
        expect(refused.isError).toBe(true);
        expect(refused.content[0].text).toMatch(/Ask the user for a credential/);
        const passed = await client.call("call_tool", { relay: mcp.id, tool: "echo", token: "s3cret" });
        expect(passed.isError).toBeUndefined();
        expect(JSON.stringify([refused, passed, mcp.catalog.log])).not.toMatch(/s3cret|wr0ng/);
      } finally {
        mcp.relay.update({ token: undefined } as never);
      }
    },
  );

  test("an unknown tool of ours is a protocol error that names the known ones", async () => {
    await using client = await open();
    await expect(client.call("nope", {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("find_tool, call_tool"),
    });
  });

  test("sees the progress of a call while it runs", async () => {
    await using slow = await startFakeRelay({ answer: "sse", tools: [tool("slow")] });
    const slowId = await mcp.register(slow);
    slow.update({
      intercept(seen, response) {
        const message = seen.body === "" ? {} : JSON.parse(seen.body);
        if (message.method !== "tools/call") return false;
        const progressToken = message.params._meta?.progressToken;
        response.writeHead(200, { "content-type": "text/event-stream" });
        const say = (data: object) =>
          response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...data })}\n\n`);
        for (const progress of [1, 2]) {
          say({
            method: "notifications/progress",
            params: { progressToken, progress, total: 2, message: `step ${progress}` },
          });
        }
        say({
          id: message.id,
          result: { resultType: "complete", content: [{ type: "text", text: "done" }] },
        });
        response.end();
        return true;
      },
    });
    await using client = await open();
    const seen: object[] = [];
    const result = await client.call(
      "call_tool",
      { relay: slowId, tool: "slow" },
      { onprogress: (progress) => seen.push(progress) },
    );
    expect(result.content[0].text).toBe("done");
    expect(seen).toEqual([
      { progress: 1, total: 2, message: "step 1" },
      { progress: 2, total: 2, message: "step 2" },
    ]);
  });

  test("a call that is given up is given up at the relay too", async () => {
    await using stuck = await startFakeRelay({ tools: [tool("stuck")] });
    const stuckId = await mcp.register(stuck);
    const arrived = Promise.withResolvers<void>();
    const dropped = Promise.withResolvers<void>();
    stuck.update({
      intercept(seen, response) {
        if (!seen.body.includes('"tools/call"')) return false;
        response.once("close", () => dropped.resolve());
        arrived.resolve();
        return true;
      },
    });
    await using client = await open();
    const stop = new AbortController();
    const call = client.call("call_tool", { relay: stuckId, tool: "stuck" }, { signal: stop.signal });
    await arrived.promise;
    stop.abort(new Error("enough"));
    await expect(call).rejects.toThrow();
    await client[Symbol.asyncDispose]();
    await dropped.promise;
  });
});

test("MCP and REST give the same answers to the same questions", verifies("mcp.same-answers"), async () => {
  await using client = await sdk2(mcp.url, "auto");
  const rest = async (path: string) => {
    const { ok, ...answer } = await json(fetch(`${mcp.url}${path}`));
    expect(ok).toBe(true);
    return answer;
  };
  const agent = async (name: string, args: object) => (await client.call(name, args)).structuredContent;
  expect(await agent("get_relay", { id: mcp.id })).toEqual(await rest(`/v1/relays/${mcp.id}`));
  for (const [args, query] of [
    [{ q: "says it again" }, "q=says+it+again"],
    [{ q: "echo", limit: 1, online: false, auth: "bearer" }, "q=echo&limit=1&online=0&auth=bearer"],
    [{ q: "echo", verified: true }, "q=echo&verified=1"],
    [{ q: "echo", verified: false }, "q=echo&verified=0"],
  ] as const) {
    expect(await agent("find_tool", args)).toEqual(await rest(`/v1/tools?${query}`));
  }
  for (const [args, query] of [
    [{}, ""],
    [{ online: false }, "online=0"],
    [{ q: "paper", limit: 1 }, "q=paper&limit=1"],
  ] as const) {
    const listed = await agent("list_relays", args);
    const records = await rest(`/v1/relays?${query}`);
    expect(listed.total).toBe(records.total);
    expect(listed.relays).toEqual(records.relays.map(summarize));
  }
  const called = { tool: "echo", arguments: { a: 1 } };
  const overRest = await fetch(`${mcp.url}/v1/relays/${mcp.id}/call`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(called),
  });
  const { content } = await client.call("call_tool", { relay: mcp.id, ...called });
  expect((await json(overRest)).result.content).toEqual(content);
});
