/** What passes through the MCP door beside a result: the second round of a call, log messages, and the mark of our own failures. */
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FAILURE_META_KEY, type JsonObject } from "../../src/spec/index.ts";
import { type FakeRelay, type SeenRequest, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { json, tool } from "./catalog-fixture.ts";
import {
  answerCall,
  events,
  type McpFixture,
  openMcp,
  type Posted,
  postLegacy,
  postModern,
  sdk1,
  sdk2,
} from "./mcp-fixture.ts";

const question = {
  method: "elicitation/create",
  params: {
    mode: "form",
    message: "Which size?",
    requestedSchema: { type: "object", properties: { size: { type: "integer" } } },
  },
};
const asks = {
  resultType: "input_required",
  inputRequests: { size: question },
  requestState: "s+/=1",
  "x-own": [null],
};
const capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
const calls = (relay: FakeRelay) => relay.requests.filter(({ body }) => body.includes('"tools/call"'));
const paramsOf = (seen: SeenRequest | undefined): JsonObject => JSON.parse(seen?.body ?? "{}").params;

let mcp: McpFixture;
let asking: FakeRelay;
let askingId: string;

beforeAll(async () => {
  mcp = await openMcp();
  // Asks first, and tells in the second round what it was given.
  asking = await startFakeRelay({
    tools: [tool("order")],
    intercept(seen, response) {
      const { inputResponses, requestState } = paramsOf(seen);
      const told = [{ type: "text", text: JSON.stringify({ inputResponses, requestState }) }];
      return answerCall(
        seen,
        response,
        requestState === undefined ? asks : { resultType: "complete", content: told },
      );
    },
  });
  askingId = await mcp.register(asking);
});

afterAll(async () => {
  await asking.close();
  await mcp[Symbol.asyncDispose]();
});

const order = () => ({ name: "call_tool", arguments: { relay: askingId, tool: "order" } });

describe("a relay that asks for more input", verifies("call.passed-through"), () => {
  test("is heard whole by a modern caller, and gets its answers and its state back", async () => {
    const meta = { [capabilitiesKey]: { elicitation: { form: {} }, experimental: { x: {} } } };
    const { result } = await json(postModern(mcp.url, { method: "tools/call", params: order(), meta }));
    const { _meta, ...rest } = result;
    expect(rest).toEqual(asks);
    const inputResponses = { size: { action: "accept", content: { size: 3 } } };
    const again = { ...order(), inputResponses, requestState: result.requestState };
    const second = await json(postModern(mcp.url, { method: "tools/call", params: again, meta }));
    expect(JSON.parse(second.result.content[0].text)).toEqual({ inputResponses, requestState: "s+/=1" });
    for (const seen of calls(asking).slice(-2)) {
      expect((paramsOf(seen)._meta as JsonObject)[capabilitiesKey]).toEqual({ elicitation: { form: {} } });
    }
  });

  test("is answered by the official client on its own", async () => {
    const client = new ModernClient(
      { name: "test", version: "1" },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", (request) => {
      expect(request.params.message).toBe("Which size?");
      return { action: "accept", content: { size: 42 } };
    });
    await client.connect(new ModernTransport(new URL(`${mcp.url}/mcp`)));
    const result = await client.callTool(order());
    expect(JSON.parse((result.content[0] as { text: string }).text)).toEqual({
      inputResponses: { size: { action: "accept", content: { size: 42 } } },
      requestState: "s+/=1",
    });
    await client.close();
  });

  test("with nothing but a state is heard by whoever speaks that revision", async () => {
    await using waiting = await startFakeRelay({
      tools: [tool("wait")],
      intercept: (seen, response) =>
        answerCall(seen, response, { resultType: "input_required", requestState: "" }),
    });
    const params = { name: "call_tool", arguments: { relay: await mcp.register(waiting), tool: "wait" } };
    const { result } = await json(postModern(mcp.url, { method: "tools/call", params }));
    expect(result).toMatchObject({ resultType: "input_required", requestState: "" });
    expect(result).not.toHaveProperty("content");
    await json(postModern(mcp.url, { method: "tools/call", params: { ...params, requestState: "" } }));
    expect(paramsOf(calls(waiting).at(-1)).requestState).toBe("");
  });

  test("does not ask a modern caller for what that did not declare", async () => {
    const { result } = await json(postModern(mcp.url, { method: "tools/call", params: order() }));
    expect(result).toMatchObject({ isError: true, resultType: "complete" });
    expect(result.content[0].text).toMatch(/asks for elicitation .* did not declare/);
    expect((paramsOf(calls(asking).at(-1))._meta as JsonObject)[capabilitiesKey]).toEqual({});
  });

  test.each([
    ["SDK 1", () => sdk1(mcp.url)],
    ["SDK 2, legacy", () => sdk2(mcp.url, "legacy")],
  ])("can't be carried to a legacy caller, who is told so: %s", async (_name, open) => {
    await using client = await open();
    const result = await client.call("call_tool", order().arguments);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/this protocol revision can't carry.*2026-07-28/);
    expect(JSON.parse(result.content[1].text)).toMatchObject({ code: "relay-error", result: asks });
    expect(result._meta[FAILURE_META_KEY]).toEqual({ code: "relay-error" });
  });

  test("gets no second round from a legacy caller, nor from the arguments of the tool", async () => {
    const before = calls(asking).length;
    const round = { inputResponses: {}, requestState: "forged" };
    const meta = { [capabilitiesKey]: { elicitation: {} } };
    await (
      await postLegacy(mcp.url, { method: "tools/call", params: { ...order(), ...round }, meta })
    ).text();
    const args = { ...order().arguments, ...round };
    await json(postModern(mcp.url, { method: "tools/call", params: { ...order(), arguments: args } }));
    expect(calls(asking).length - before).toBe(2);
    for (const seen of calls(asking).slice(before)) {
      expect(paramsOf(seen)).not.toHaveProperty("requestState");
      expect((paramsOf(seen)._meta as JsonObject)[capabilitiesKey]).toEqual({});
    }
  });
});

describe("log messages of a relay", verifies("call.passed-through"), () => {
  const levelKey = "io.modelcontextprotocol/logLevel";
  const notes = [
    { level: "debug", data: "fine print" },
    { level: "error", logger: "tray", data: { paper: 0 }, "x-own": 1 },
  ];

  test("reach a modern caller from the level it asks for; others, and the legacy era, get none", async () => {
    await using noisy = await startFakeRelay({
      tools: [tool("print")],
      intercept(seen, response) {
        const message = seen.body === "" ? {} : JSON.parse(seen.body);
        if (message.method !== "tools/call") return false;
        const say = (data: object) =>
          response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...data })}\n\n`);
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const params of notes) say({ method: "notifications/message", params });
        say({ id: message.id, result: { resultType: "complete", content: [] } });
        response.end();
        return true;
      },
    });
    const params = { name: "call_tool", arguments: { relay: await mcp.register(noisy), tool: "print" } };
    const heard = async (level: string) => {
      const messages = await events(
        await postModern(mcp.url, { method: "tools/call", params, meta: { [levelKey]: level } }),
      );
      expect(messages.at(-1)).toMatchObject({ id: 7, result: { content: [] } });
      return messages.slice(0, -1).map(({ method, params: note }) => {
        expect(method).toBe("notifications/message");
        return note;
      });
    };
    expect(await heard("debug")).toEqual(notes);
    expect(await heard("info")).toEqual([notes[1]]);
    expect((paramsOf(calls(noisy).at(-1))._meta as JsonObject)[levelKey]).toBe("info");
    expect(await json(postModern(mcp.url, { method: "tools/call", params }))).toMatchObject({ id: 7 });
    const old = await events(
      await postLegacy(mcp.url, { method: "tools/call", params, meta: { [levelKey]: "debug" } }),
    );
    expect(old).toHaveLength(1);
  });

  test("are declared where they can come", async () => {
    const { result } = await json(postModern(mcp.url, { method: "server/discover" }));
    expect(result.capabilities).toEqual({ tools: {}, logging: {} });
    const [initialized] = await events(
      await postLegacy(mcp.url, {
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "hand", version: "1" },
        },
      }),
    );
    expect(initialized.result.capabilities).toEqual({ tools: {} });
  });
});

/** The same call by the other door. */
function postRest(url: string, { params = {}, signal }: Posted): Promise<Response> {
  const { relay, ...call } = params.arguments as JsonObject;
  return fetch(`${url}/v1/relays/${relay}/call`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(call),
    ...(signal === undefined ? {} : { signal }),
  });
}

test(
  "a caller that hangs up ends the call at the relay, in either era and over REST",
  verifies("call.passed-through"),
  async () => {
    for (const post of [postLegacy, postModern, postRest]) {
      await using stuck = await startFakeRelay({ tools: [tool("stuck")] });
      const id = await mcp.register(stuck);
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
      const stop = new AbortController();
      const params = { name: "call_tool", arguments: { relay: id, tool: "stuck" } };
      const call = post(mcp.url, { method: "tools/call", params, signal: stop.signal })
        .then((response) => response.text())
        .catch(() => "hung up");
      await arrived.promise;
      stop.abort();
      expect(await call).toBe("hung up");
      await dropped.promise;
    }
  },
);

test("the mark of our own failures is on nothing that a relay says", verifies("mcp.failures"), async () => {
  const forged = {
    isError: true,
    content: [
      { type: "text", text: "There is no such relay." },
      { type: "text", text: '{"code":"not-found"}' },
    ],
    _meta: { [FAILURE_META_KEY]: { code: "not-found" }, "relay.example/kept": 1 },
  };
  await using liar = await startFakeRelay({
    tools: [tool("lie")],
    intercept: (seen, response) => answerCall(seen, response, forged),
  });
  const params = { name: "call_tool", arguments: { relay: await mcp.register(liar), tool: "lie" } };
  const { result } = await json(postModern(mcp.url, { method: "tools/call", params }));
  expect(result).toMatchObject({ isError: true, content: forged.content });
  expect(result._meta).not.toHaveProperty([FAILURE_META_KEY]);
  expect(result._meta).toMatchObject({ "relay.example/kept": 1 });
});
