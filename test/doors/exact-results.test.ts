/** "`result` with every key and value that the relay sent": what JavaScript's numbers and objects would lose on the way. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { runCli } from "../cli/run-cli.ts";
import { verifies } from "../requirements.ts";
import { tool } from "./catalog-fixture.ts";
import { answerCall, type McpFixture, openMcp, postLegacy, postModern, sdk1, sdk2 } from "./mcp-fixture.ts";

const NUMBERS = "[12345678901234567890,1e400,1.0,-0,0.1000000000000000055,1E2,7,-1.5e-7]";
const CONTENT = '[{"type":"text","text":"12345678901234567890, 1.0"}]';
const NUMBERED = `{"content":${CONTENT},"structuredContent":{"n":${NUMBERS}},"resultType":"complete"}`;
const ODD_KEYS = `{ "content":${CONTENT}, "a":1, "a":2.0, "__proto__":{"isError":true}, "constructor":null, "é\\u0061":"\\u2028" }`;

let mcp: McpFixture;
let relay: FakeRelay;
let id: string;
let text = NUMBERED;

beforeAll(async () => {
  mcp = await openMcp();
  relay = await startFakeRelay({
    tools: [tool("count"), { ...tool("typed"), outputSchema: { type: "object" } }],
    intercept: (seen, response) => answerCall(seen, response, text),
  });
  id = await mcp.register(relay);
});

afterAll(async () => {
  await relay.close();
  await mcp[Symbol.asyncDispose]();
});

const post = async (path: string, body: object) => {
  const response = await fetch(`${mcp.url}/v1/relays/${id}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
};
const params = () => ({ name: "call_tool", arguments: { relay: id, tool: "count" } });

describe("over REST", verifies("rest.call"), () => {
  test("a result is the relay's own text", async () => {
    for (const result of [NUMBERED, ODD_KEYS]) {
      text = result;
      const answer = await post("/call", { tool: "count" });
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(`{"ok":true,"relay":${JSON.stringify(id)},"tool":"count","result":${result}}`);
    }
  });

  test("the bare answer is the text of the structured content, or of the whole result", async () => {
    text = NUMBERED;
    expect((await post("/tools/typed", {})).text).toBe(`{"n":${NUMBERS}}`);
    expect((await post("/tools/count", {})).text).toBe(NUMBERED);
    text = `{"content":[],"structuredContent":1.0}`;
    expect((await post("/tools/typed", {})).text).toBe("1.0");
  });

  test("a failed tool's result is its own text too", async () => {
    text = `{"isError":true,"content":[],"n":${NUMBERS}}`;
    expect((await post("/call", { tool: "count" })).text).toContain(`"ok":false`);
    const bare = await post("/tools/count", {});
    expect(bare.status).toBe(422);
    expect(bare.text).toContain(`"result":${text}`);
  });

  test("of a key that comes twice the last counts, as in JavaScript; the text has both", async () => {
    text = '{"isError":true,"content":[],"isError":false}';
    const answer = await post("/call", { tool: "count" });
    expect(answer.text).toBe(`{"ok":true,"relay":${JSON.stringify(id)},"tool":"count","result":${text}}`);
  });

  test("`__proto__` is a key like any other: it makes no failure of a success", async () => {
    text = ODD_KEYS;
    expect((await post("/call", { tool: "count" })).text).toMatch(/^\{"ok":true,/);
    expect(({} as { isError?: boolean }).isError).toBeUndefined();
  });

  test("the second round comes and goes", verifies("call.passed-through"), async () => {
    text =
      '{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}},"requestState":"s","x":1.0}';
    const first = await post("/call", { tool: "count", clientCapabilities: { roots: {} } });
    expect(first.text).toContain(`"ok":true`);
    expect(first.text).toContain(`"result":${text}`);
    const sent = { inputResponses: { a: { roots: [] } }, requestState: "s" };
    await post("/call", { tool: "count", ...sent });
    expect(JSON.parse(relay.requests.at(-1)?.body ?? "").params).toMatchObject(sent);
    for (const [field, value] of [
      ["inputResponses", []],
      ["requestState", 1],
      ["clientCapabilities", "all"],
    ] as const) {
      const wrong = await post("/call", { tool: "count", [field]: value });
      expect(JSON.parse(wrong.text)).toMatchObject({ code: "invalid-input", field });
    }
  });
});

describe("over MCP", verifies("mcp.call-untouched"), () => {
  test("every number is spelled as the relay did, in both eras", async () => {
    text = NUMBERED;
    for (const response of [
      await postModern(mcp.url, { method: "tools/call", params: params() }),
      await postLegacy(mcp.url, { method: "tools/call", params: params() }),
    ]) {
      const answer = await response.text();
      expect(answer).toContain(`"structuredContent":{"n":${NUMBERS}}`);
      expect(answer).toContain(`"content":${CONTENT}`);
    }
  });

  test("also where the legacy era needs another form of it", async () => {
    text = `{"content":[],"structuredContent":${NUMBERS}}`;
    const answer = await (await postLegacy(mcp.url, { method: "tools/call", params: params() })).text();
    expect(answer).toContain(`"structuredContent":{"result":${NUMBERS}}`);
  });

  test("keys are as `JSON.parse` has them: each once, the last one's value, `__proto__` too", async () => {
    text = ODD_KEYS;
    const answer = await (await postModern(mcp.url, { method: "tools/call", params: params() })).text();
    expect(answer).toContain(`"a":2.0,"__proto__":{"isError":true},"constructor":null,"éa":"\u2028"`);
    expect(answer).not.toContain('"a":1');
  });

  test("no official client chokes on it", async () => {
    text = NUMBERED;
    for (const open of [() => sdk2(mcp.url, "auto"), () => sdk2(mcp.url, "legacy"), () => sdk1(mcp.url)]) {
      await using client = await open();
      const result = await client.call("call_tool", params().arguments);
      expect(result.structuredContent.n).toEqual(JSON.parse(NUMBERS));
    }
  });
});

test("the command line prints as JSON what came, digit by digit", verifies("rest.call"), async () => {
  text = NUMBERED;
  const ended = await runCli(["call", id, "count", "--json", "--catalog", mcp.url]);
  expect(ended.stdout.replaceAll(/\s/g, "")).toContain(`"n":${NUMBERS}`);
});

describe("what goes to the relay is what the caller wrote", () => {
  // One key is a name that JavaScript's objects have a setter for.
  const given = `{"n":${NUMBERS},"__proto__":{"a":1},"deep":{"id":[9007199254740993]},"text":"1.0"}`;
  const asArguments = `"arguments":${given}`;

  /** The relay's own echo of the bytes of the last call. */
  const sent = () => relay.requests.filter((seen) => seen.body.includes('"tools/call"')).at(-1)?.body ?? "";
  const postText = (url: string, body: string, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body,
    }).then((response) => response.text());

  test("over REST, by both routes", verifies("rest.call"), async () => {
    text = NUMBERED;
    const base = `${mcp.url}/v1/relays/${id}`;
    await postText(`${base}/call`, `{"tool":"count",${asArguments}}`);
    expect(sent()).toContain(asArguments);
    await postText(`${base}/tools/count`, given);
    expect(sent()).toContain(asArguments);
  });

  test("over MCP, in both eras and in a batch", verifies("mcp.call-untouched"), async () => {
    text = NUMBERED;
    const call = `"name":"call_tool","arguments":{"relay":${JSON.stringify(id)},"tool":"count",${asArguments}}`;
    const rpc = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params}}}`;
    const mark = (count: number) => expect(relay.requests.length).toBeGreaterThan(count);
    const prefix = "io.modelcontextprotocol/";
    const envelope = `"_meta":{"${prefix}protocolVersion":"2026-07-28","${prefix}clientCapabilities":{},"${prefix}clientInfo":{"name":"hand","version":"1"}}`;
    const modern = {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "call_tool",
    };
    for (const [body, headers] of [
      [rpc(call), {}],
      [`[${rpc(call)}]`, {}],
      [rpc(`${call},${envelope}`), modern],
    ] as const) {
      const before = relay.requests.length;
      expect(await postText(`${mcp.url}/mcp`, body, headers)).toContain('"result"');
      mark(before);
      expect(sent()).toContain(asArguments);
    }
  });
});
