/** Reading bytes that come in any pieces: the same bytes give the same verdict, and a long event costs what it is long. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callTool, look, parameterHeaderFault } from "../../src/relay/index.ts";
import type { Exchange, JsonObject, JsonValue } from "../../src/spec/index.ts";
import { tool } from "./harness.ts";

/** An exchange that answers in memory, cut into the pieces that `cut` makes. */
function inMemory(
  type: string,
  form: (text: string) => string,
  cut: (bytes: Uint8Array) => readonly Uint8Array[],
  tools: readonly JsonValue[],
): Exchange {
  return async (request) => {
    const { id, method } = JSON.parse(String(request.body)) as { id: number; method: string };
    const result =
      method === "server/discover"
        ? { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }
        : { tools };
    const bytes = new TextEncoder().encode(form(JSON.stringify({ jsonrpc: "2.0", id, result })));
    return {
      status: 200,
      headers: { "content-type": type },
      url: request.url,
      hops: [request.url],
      body: (async function* () {
        yield* cut(bytes);
      })(),
      cancel() {},
    };
  };
}

const endpoint = "https://relay.example/mcp";
const lineEnds = fc.constantFrom("\n", "\r\n", "\r");
const texts = fc.string({ unit: "grapheme", maxLength: 20 });

describe("any pieces", () => {
  const cuts = fc.array(fc.nat({ max: 400 }), { maxLength: 12 });
  const pieces = (at: readonly number[]) => (bytes: Uint8Array) => {
    const marks = [0, ...at.map((mark) => mark % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
    return marks.slice(1).map((end, i) => bytes.subarray(marks[i], end));
  };

  it.each([
    ["application/json", (_: string, text: string) => text],
    [
      "text/event-stream",
      (end: string, text: string) =>
        `\uFEFFid: 1${end}: note${end}event: message${end}data: ${text}${end}${end}`,
    ],
    [
      "text/event-stream",
      (end: string, text: string) => `data: ${text.replaceAll(",", `,${end}data: `)}${end}${end}`,
    ],
  ] as const)("%s", async (type, form) => {
    await fc.assert(
      fc.asyncProperty(cuts, lineEnds, texts, async (at, end, description) => {
        // A comma is where the third form cuts the text into lines, so it stays out of strings.
        const tools = [
          tool("a", { description: description.replaceAll(",", ";") }),
          tool("ö", { n: { "😀": [1, null] } }),
        ];
        const exchange = inMemory(type, (text) => form(end, text), pieces(at), tools);
        const verdict = await look(endpoint, { exchange, now: Date.now });
        expect(verdict.error).toBeNull();
        expect(verdict.tools).toEqual(tools);
      }),
      { numRuns: 60 },
    );
  });
});

it("an event of 6 MB in small pieces is read in one pass", async () => {
  const tools = Array.from({ length: 3_000 }, (_, i) => tool(`t${i}`, { description: "é".repeat(1_000) }));
  let pieces = 0;
  const cut = (bytes: Uint8Array) =>
    Array.from({ length: Math.ceil(bytes.length / 100) }, (_, i) => {
      pieces++;
      return bytes.subarray(i * 100, i * 100 + 100);
    });
  const exchange = inMemory("text/event-stream", (text) => `data: ${text}\n\n`, cut, tools);
  // Buffering that copies what it has for every piece would move 180 GB here; the test's own time limit would end it.
  expect((await look(endpoint, { exchange, now: Date.now })).tools).toHaveLength(3_000);
  expect(pieces).toBeGreaterThan(60_000);
});

it("a brace in a string is no nesting, and 200 levels are read", async () => {
  let deep: JsonValue = "{[".repeat(500);
  for (let i = 0; i < 190; i++) deep = i % 2 === 0 ? [deep] : { '\\"{': deep };
  const tools = [tool("a", { deep })];
  const exchange = inMemory(
    "application/json",
    (text) => text,
    (bytes) => [bytes],
    tools,
  );
  expect((await look(endpoint, { exchange, now: Date.now })).tools).toEqual(tools);
});

it("a call goes along to https on the same host, and to no other", async () => {
  const asked: string[] = [];
  const moving =
    (location: string): Exchange =>
    async (request, limits) => {
      asked.push(request.url);
      if (request.url.startsWith("http:")) {
        const headers = { location };
        return {
          status: 308,
          headers,
          url: request.url,
          hops: [request.url],
          body: (async function* () {})(),
          cancel() {},
        };
      }
      return inMemory(
        "application/json",
        (text) => text,
        (bytes) => [bytes],
        [],
      )(request, limits);
    };
  const hints = {
    era: "modern",
    protocolVersion: "2026-07-28",
    session: false,
    judgedAt: new Date().toISOString(),
  } as const;
  const call = (location: string) =>
    callTool(
      "http://relay.example/mcp",
      { tool: "a", arguments: {}, token: "secret" },
      { exchange: moving(location), hints, now: Date.now },
    );
  expect(await call("https://relay.example/mcp")).toMatchObject({ kind: "result" });
  expect(await call("https://other.example/mcp")).toMatchObject({ kind: "unreachable" });
  expect(await call("https://relay.example:8443/mcp")).toMatchObject({ kind: "unreachable" });
  expect(asked.filter((url) => url.startsWith("https:"))).toEqual(["https://relay.example/mcp"]);
});

describe("x-mcp-header, whatever the schema is", () => {
  it("is judged without throwing, and only found where it is declared", () => {
    const keys = fc.constantFrom(
      "properties",
      "items",
      "x-mcp-header",
      "type",
      "oneOf",
      "$defs",
      "a",
      "b",
      "__proto__",
    );
    const { schema } = fc.letrec<{ schema: JsonValue }>((tie) => ({
      schema: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom<JsonValue>("string", "A", "", null, 7),
        fc.array(tie("schema"), { maxLength: 3 }),
        fc.dictionary(keys, tie("schema"), { maxKeys: 4 }),
      ) as fc.Arbitrary<JsonValue>,
    }));
    fc.assert(
      fc.property(schema, (inputSchema) => {
        const fault = parameterHeaderFault({ name: "t", inputSchema } as JsonObject);
        if (!JSON.stringify(inputSchema).includes("x-mcp-header")) expect(fault).toBeNull();
      }),
    );
  });
});
