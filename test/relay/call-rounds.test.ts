/** What passes through a forwarded call beside arguments and result: the second round, what the caller can be asked for, logs. */
import { describe, expect, it } from "vitest";
import type { CallLog } from "../../src/relay/index.ts";
import type { EndpointHints, JsonObject } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { callAt, error, type Heard, legacy, modern, type OddServer, result, serve, tool } from "./harness.ts";

const judgedAt = "2026-11-30T00:00:00.000Z";
const hints = {
  modern: { era: "modern", protocolVersion: "2026-07-28", session: false, judgedAt },
  legacy: { era: "legacy", protocolVersion: "2025-06-18", session: false, judgedAt },
} satisfies Record<string, EndpointHints>;
const tools = [tool("echo")];
const round = { inputResponses: { r1: { action: "accept", content: { size: 2 } } }, requestState: "opaque" };
const calls = (server: OddServer) => server.heard.filter(({ method }) => method === "tools/call");
const envelope = (heard: Heard | undefined, key: string) =>
  (heard?.params._meta as JsonObject | undefined)?.[`io.modelcontextprotocol/${key}`];

describe("the second round of a call", verifies("call.passed-through"), () => {
  it("goes to a modern relay as it came, beside what the caller can be asked for", async () => {
    await using server = await serve(modern(tools));
    const capabilities = { elicitation: { form: {} } };
    await callAt(server.url, { ...round, capabilities }, { hints: hints.modern });
    expect(server.heard[0]?.params).toMatchObject(round);
    expect(envelope(server.heard[0], "clientCapabilities")).toEqual(capabilities);
  });

  it("is nothing that a first call has", async () => {
    await using server = await serve(modern(tools));
    await callAt(server.url, {}, { hints: hints.modern });
    expect(server.heard[0]?.params).not.toHaveProperty("inputResponses");
    expect(server.heard[0]?.params).not.toHaveProperty("requestState");
    expect(envelope(server.heard[0], "clientCapabilities")).toEqual({});
    expect(envelope(server.heard[0], "logLevel")).toBeUndefined();
  });

  it("is never run as a first call by a legacy relay, whatever was remembered of it", async () => {
    await using server = await serve(
      legacy(tools, (heard, response) => {
        if (heard.headers["mcp-method"] === undefined) return false;
        error(heard, response, -32000, { status: 400, message: "Bad Request: no valid session" });
        return true;
      }),
    );
    for (const hint of [hints.modern, hints.legacy, null]) {
      const call = callAt(server.url, round, { hints: hint });
      await expect(call).rejects.toMatchObject({ code: "invalid-input", data: { field: "requestState" } });
    }
    // The modern attempt was turned away; nothing without its envelope was sent.
    expect(calls(server).every(({ headers }) => headers["mcp-protocol-version"] === "2026-07-28")).toBe(true);
    const only = callAt(server.url, { inputResponses: {} }, { hints: hints.legacy });
    await expect(only).rejects.toMatchObject({ data: { field: "inputResponses" } });
  });

  it("reaches a relay that is remembered as legacy and has become modern", async () => {
    await using server = await serve(modern(tools));
    const outcome = await callAt(server.url, round, { hints: hints.legacy });
    expect(outcome).toMatchObject({ kind: "result", hints: { era: "modern" } });
    expect(calls(server)).toHaveLength(1);
  });
});

describe("log messages of a relay", verifies("call.passed-through"), () => {
  const messages: readonly JsonObject[] = [
    { level: "debug", data: "too small" },
    { level: "warning", data: { a: [1] }, logger: "db", "x-own": true },
    { level: "shouting", data: "no level" },
    { level: "emergency" },
    { data: "no level either" },
    { level: "error", data: null },
  ];
  const talkative =
    (server: typeof modern | typeof legacy) =>
    (heard: Heard, response: Parameters<ReturnType<typeof modern>>[1]) =>
      server(tools, (asked, answer) => {
        if (asked.method !== "tools/call") return false;
        answer.writeHead(200, { "content-type": "text/event-stream" });
        for (const params of messages) {
          answer.write(
            `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params })}\n\n`,
          );
        }
        answer.end(
          `data: ${JSON.stringify({ jsonrpc: "2.0", id: asked.id, result: { content: [], resultType: "complete" } })}\n\n`,
        );
        return true;
      })(heard, response);

  it.each([
    ["modern", modern, hints.modern],
    ["legacy", legacy, hints.legacy],
  ] as const)("of the %s era come whole, from the level that was asked for", async (era, kind, hint) => {
    await using server = await serve(talkative(kind));
    const heard: JsonObject[] = [];
    const log: CallLog = { level: "notice", onMessage: (params) => heard.push(params) };
    await callAt(server.url, {}, { hints: hint, log });
    expect(heard).toEqual([messages[1], messages[5]]);
    expect(envelope(server.heard[0], "logLevel")).toBe(era === "modern" ? "notice" : undefined);
  });

  it("are not asked for, and go nowhere, unless someone listens", async () => {
    await using server = await serve(talkative(modern));
    expect(await callAt(server.url, {}, { hints: hints.modern })).toMatchObject({ kind: "result" });
    const heard: JsonObject[] = [];
    await callAt(
      server.url,
      {},
      { hints: hints.modern, log: { level: "loud", onMessage: (params) => heard.push(params) } },
    );
    expect(heard).toEqual([]);
  });
});

describe("the text of a result", () => {
  const odd = '{ "content" : [],\t"n":[12345678901234567890,1e400,1.0,-0,0.1000000000000000055],"a":1,"a":2}';
  const answer = (id: unknown) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${odd}}`;

  it.each([
    ["JSON", "application/json", answer],
    ["an event", "text/event-stream", (id: unknown) => `data: ${answer(id)}\n\n`],
    [
      "several lines of an event",
      "text/event-stream",
      (id: unknown) => `data: ${answer(id).replace(',"n"', '\ndata: ,"n"')}\n\n`,
    ],
    [
      "an array",
      "application/json",
      (id: unknown) => `[{"jsonrpc":"2.0","method":"notifications/x"},${answer(id)}]`,
    ],
    ["a byte order mark", "application/json", (id: unknown) => `\uFEFF${answer(id)}`],
  ])("is as the relay wrote it: in %s", async (_, type, body) => {
    await using server = await serve(({ id }, response) => {
      response.writeHead(200, { "content-type": type }).end(body(id));
    });
    const outcome = await callAt(server.url, {}, { hints: hints.modern });
    expect(outcome.kind === "result" && outcome.text.replace("\n", "")).toBe(odd);
  });

  it("is of the last of two results, as the value is", async () => {
    await using server = await serve(({ id }, response) => {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(`{"result":{"n":1},"jsonrpc":"2.0","id":${id},"result":{"n":2.0}}`);
    });
    expect(await callAt(server.url, {}, { hints: hints.modern })).toMatchObject({
      result: { n: 2 },
      text: '{"n":2.0}',
    });
  });

  it("is kept of calls only", async () => {
    await using server = await serve(
      modern(tools, (heard, response) => {
        if (heard.method !== "tools/call") return false;
        result(heard, response, { content: [] });
        return true;
      }),
    );
    expect(await callAt(server.url)).toMatchObject({ text: '{"content":[]}' });
  });
});
