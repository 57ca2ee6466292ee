/** `judge` on recorded evidence: pure, total, and the same for a record that was written down and read again. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Asked, ask, judge } from "../../src/relay/index.ts";
import type { ErrorCode, JsonObject, ProbeState } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { exchange, legacy, modern, serve, tool } from "./harness.ts";

type Exchanged = Asked["exchanges"][number];
type Answer = Exchanged["answer"];

const at = Date.parse("2026-11-30T12:00:00Z");
const endpoint = "https://relay.example/mcp";

const listen: Exchanged["step"] = { kind: "listen" };
const asking = (method: "server/discover" | "initialize" | "tools/list"): Exchanged["step"] => ({
  kind: "ask",
  message: { method, id: 1, params: {} },
  dress: { era: method === "initialize" ? "legacy" : "modern", version: "2026-07-28", sessionId: null },
  maxBytes: 1,
});

function recorded(
  step: Exchanged["step"],
  answer: Answer,
  status: number | null = 200,
  headers: Record<string, string> = {},
): Exchanged {
  return { step, url: endpoint, status, headers, answer, bytes: 10, ms: 12.4 };
}

function asked(...exchanges: Exchanged[]): Asked {
  return { endpoint, hints: null, at, exchanges };
}

const failed = (code: ErrorCode): Answer => ({ kind: "failed", code });
const rpc = (code: number, message = "no", data?: JsonObject): Answer => ({
  kind: "error",
  exact: true,
  error: { code, message, ...(data === undefined ? {} : { data }) },
});
const page = (...tools: JsonObject[]): Answer => ({ kind: "result", result: { tools } });
const discovered: Answer = {
  kind: "result",
  result: { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } },
};
const discover = asking("server/discover");
const initialize = asking("initialize");
const list = asking("tools/list");

describe("states", verifies("record.states"), () => {
  it.each<[string, ProbeState, Exchanged[]]>([
    ["modern", "online", [recorded(discover, discovered), recorded(list, page(tool("a")))]],
    ["nothing was asked", "timeout", []],
    [
      "both eras hang",
      "timeout",
      [recorded(discover, failed("timeout"), null), recorded(initialize, failed("timeout"), null)],
    ],
    [
      "one hangs, the other is a page",
      "timeout",
      [recorded(discover, failed("timeout"), null), recorded(initialize, { kind: "html" }, 404)],
    ],
    [
      "one breaks off, the other is a page",
      "not-mcp",
      [recorded(discover, failed("unreachable"), null), recorded(initialize, { kind: "html" })],
    ],
    [
      "no connection",
      "unreachable",
      [recorded(discover, failed("unreachable"), null), recorded(initialize, failed("unreachable"), null)],
    ],
    ["a certificate", "unreachable", [recorded(discover, failed("tls-failed"), null)]],
    [
      "a loop of redirects",
      "not-mcp",
      [
        recorded(discover, failed("too-many-redirects"), null),
        recorded(initialize, failed("too-many-redirects"), null),
      ],
    ],
    ["the policy", "blocked", [recorded(discover, failed("blocked"), null)]],
    [
      "a redirect to a forbidden place after a page",
      "blocked",
      [recorded(discover, { kind: "html" }), recorded(initialize, failed("blocked"), null)],
    ],
    [
      "gated in one era, a page in the other",
      "auth-required",
      [recorded(discover, { kind: "html" }, 403), recorded(initialize, { kind: "html" }, 404)],
    ],
    [
      "gated, and a timeout",
      "auth-required",
      [recorded(discover, failed("timeout"), null), recorded(initialize, { kind: "empty" }, 401)],
    ],
    [
      "HTTP+SSE",
      "wrong-transport",
      [
        recorded(discover, { kind: "html" }, 404),
        recorded(initialize, { kind: "html" }, 404),
        recorded(listen, { kind: "endpoint-event" }),
      ],
    ],
    [
      "a gateway",
      "unreachable",
      [recorded(discover, { kind: "html" }, 502), recorded(initialize, { kind: "html" }, 502)],
    ],
    [
      "Cloudflare's own",
      "unreachable",
      [recorded(discover, { kind: "html" }, 522), recorded(initialize, { kind: "html" }, 522)],
    ],
    [
      "a list that hangs",
      "timeout",
      [recorded(discover, discovered), recorded(list, failed("timeout"), null)],
    ],
    [
      "a list that is too large",
      "protocol-error",
      [recorded(discover, discovered), recorded(list, failed("too-large"))],
    ],
    [
      "a list that is gated",
      "auth-required",
      [recorded(discover, discovered), recorded(list, { kind: "empty" }, 403)],
    ],
    [
      "a list that was promised and is not known",
      "protocol-error",
      [recorded(discover, discovered), recorded(list, rpc(-32601))],
    ],
    ["a record that stops short", "timeout", [recorded(discover, discovered)]],
  ])("%s: %s", (_, state, exchanges) => {
    const verdict = judge(asked(...exchanges));
    expect(verdict.state).toBe(state);
    expect(verdict.error === null).toBe(state === "online");
    expect(verdict.tools === null).toBe(state !== "online");
    expect(verdict.hints === null).toBe(state !== "online");
    expect(verdict.steps).toHaveLength(exchanges.length);
  });
});

it("reads the record it is given, not who asked", async () => {
  for (const respond of [modern([tool("a"), { nameless: true }]), legacy([tool("a")])]) {
    await using server = await serve(respond);
    const evidence = await ask(server.url, { exchange, now: () => at });
    expect(judge(JSON.parse(JSON.stringify(evidence)) as Asked)).toEqual(judge(evidence));
  }
});

it("is total: whatever was answered, in whatever order, has a verdict", () => {
  const words = fc.constantFrom(
    "tools",
    "capabilities",
    "supportedVersions",
    "protocolVersion",
    "serverInfo",
    "_meta",
    "nextCursor",
    "name",
  );
  const results = fc.dictionary(words, fc.jsonValue({ maxDepth: 3 })) as fc.Arbitrary<JsonObject>;
  const answers: fc.Arbitrary<Answer> = fc.oneof(
    results.map((result): Answer => ({ kind: "result", result })),
    fc
      .record({
        code: fc.constantFrom(-32601, -32022, -32020, -32603, 7),
        message: fc.string(),
        data: results,
      })
      .map((error): Answer => ({ kind: "error", exact: true, error })),
    fc
      .constantFrom<Answer["kind"]>(
        "mismatch",
        "odd-result",
        "stream-ended",
        "endpoint-event",
        "other-json",
        "html",
        "empty",
        "bad-json",
        "too-deep",
      )
      .map((kind) => ({ kind }) as Answer),
    fc
      .constantFrom<ErrorCode>("timeout", "unreachable", "blocked", "tls-failed", "too-large", "internal")
      .map(failed),
  );
  const exchanges = fc.record({
    step: fc.constantFrom(discover, initialize, list, listen),
    url: fc.constant(endpoint),
    status: fc.option(fc.integer({ min: 100, max: 599 })),
    headers: fc.dictionary(
      fc.constantFrom("www-authenticate", "mcp-session-id", "retry-after", "location"),
      fc.string(),
    ),
    answer: answers,
    bytes: fc.nat(),
    ms: fc.double({ min: 0, max: 1e6, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(exchanges, { maxLength: 8 }), (record) => {
      const verdict = judge(asked(...record));
      expect(verdict.state === "online").toBe(verdict.error === null);
      expect(JSON.parse(JSON.stringify(verdict))).toBeTypeOf("object");
    }),
  );
});
