/** Shapes that the property tests of spec/ draw from: JSON, endpoints in many spellings, records. */
import fc from "fast-check";
import type { JsonObject, JsonValue, RelayRecord, ToolDefinition } from "../../src/spec/index.ts";

const awkwardKey = fc.oneof(
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "length",
    "",
    "0",
    "10",
    "2",
    "\u{1F600}",
    "\uFB33",
  ),
);

/** Any JSON value, with keys and texts that trip naive code. */
export const jsonValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 5 }),
    fc
      .array(fc.tuple(awkwardKey, tie("value")), { maxLength: 5 })
      .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))) as JsonValue),
  ),
})).value;

export const jsonObject = fc
  .array(fc.tuple(awkwardKey, jsonValue), { maxLength: 6 })
  .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries))) as JsonObject);

/** The same JSON with the members of every object in another order. */
export function reordered(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, reordered(member)] as const);
  return JSON.parse(
    `{${entries
      .reverse()
      .map(([key, member]) => `${JSON.stringify(key)}:${JSON.stringify(member)}`)
      .join(",")}}`,
  ) as JsonValue;
}

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,7}$/);
const host = fc.oneof(
  fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join(".")),
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
);
const segment = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._~%!$&'()*+,;=:@-]{0,10}$/),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.constantFrom("api", "v1", "mcp", "MCP", "%7Eteam", "%2f", "%", "%2", "%zz", "%2%65", "..", "%2e%2E"),
);

/** Text that is often a URL of an endpoint, and may be none. */
export const endpointText = fc
  .tuple(
    fc.constantFrom("http", "https", "HTTPS"),
    host,
    fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: null }),
    fc.array(segment, { maxLength: 4 }),
    fc.option(fc.string({ maxLength: 8 }), { nil: null }),
  )
  .map(
    ([scheme, name, port, segments, query]) =>
      `${scheme}://${name}${port === null ? "" : `:${port}`}${segments.map((part) => `/${part}`).join("")}${
        query === null ? "" : `?${query}`
      }`,
  )
  .filter((text) => URL.canParse(text));

export function tool(name: string, more: JsonObject = {}): ToolDefinition {
  return { name, description: `Does ${name}.`, inputSchema: { type: "object", properties: {} }, ...more };
}

/** A listed relay that answers; `more` changes what a test is about. */
export function record(more: Partial<RelayRecord> = {}): RelayRecord {
  return {
    id: "board.example",
    source: "https://board.example/.well-known/openmcp.json",
    descriptor: { mcp: "https://board.example/mcp", name: "Board" },
    tools: [tool("search_jobs"), tool("get_job")],
    server: { name: "board", version: "1.0.0", protocolVersion: "2025-11-25" },
    verified: true,
    online: true,
    seenAt: "2026-11-01T10:00:00.000Z",
    firstSeenAt: "2026-11-01T10:00:00.000Z",
    failures: 0,
    lastError: null,
    via: null,
    probe: {
      state: "online",
      era: "2025-11-25",
      transport: "streamable-http",
      httpStatus: 200,
      latencyMs: 41,
      at: "2026-11-01T10:00:00.000Z",
      nextAt: "2026-11-01T10:10:00.000Z",
      attempts: 1,
      verifiedBy: "openmcp",
      toolsHash: null,
      toolsTruncated: false,
    },
    toolsFrom: "relay",
    ...more,
  };
}
