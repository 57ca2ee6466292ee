/** A bad request gets the error of wire.md, on every route: whatever is sent, the answer is a success or a problem. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restDoor } from "../../src/doors/rest/index.ts";
import { routes } from "../../src/doors/rest/routes.ts";
import { errorCodes, OpenMcpError } from "../../src/spec/index.ts";
import { ADMIN_TOKEN, type CatalogFixture, openCatalog } from "./catalog-fixture.ts";

let catalog: CatalogFixture;
let app: ReturnType<typeof restDoor>;

beforeAll(async () => {
  catalog = await openCatalog();
  await catalog.list("https://a.example/mcp");
  // No relay is asked for real: what is fuzzed is the door.
  const exchange = () => Promise.reject(new OpenMcpError("unreachable", "no network in this test"));
  app = restDoor({ context: { ...catalog.context, exchange }, adminToken: ADMIN_TOKEN });
});

afterAll(() => catalog[Symbol.asyncDispose]());

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    "",
    "0",
    "1",
    "-1",
    "abc",
    "true",
    "null",
    "%",
    "' or 1=1 --",
    "*",
    '"',
    "\u0000",
    "😀",
    "__proto__",
    "1e9",
  ),
);
const segment = fc
  .oneof(
    text.map((part) => encodeURIComponent(part.toWellFormed())),
    fc.constantFrom("a.example", "%", "%zz", "%2F", "%00", "%E0%A4%A", "bulk", "..%2f"),
  )
  .filter((part) => part !== "" && part !== "." && part !== "..");
const query = fc.dictionary(
  fc.oneof(fc.constantFrom("q", "limit", "cursor", "online", "verified", "tag", "auth", "maxTokens"), text),
  text,
  { maxKeys: 5 },
);
const body = fc.oneof(
  text,
  fc.json({ maxDepth: 4 }),
  fc
    .record(
      {
        url: fc.jsonValue({ maxDepth: 1 }),
        urls: fc.oneof(fc.array(text, { maxLength: 5 }), fc.jsonValue({ maxDepth: 2 })),
        tool: fc.oneof(fc.constant("echo"), fc.jsonValue({ maxDepth: 1 })),
        arguments: fc.jsonValue({ maxDepth: 3 }),
        token: fc.jsonValue({ maxDepth: 1 }),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 50 }),
);
const headers = fc.record(
  {
    "content-type": fc.constantFrom(
      "application/json",
      "text/plain",
      "application/json;charset=latin1",
      "x",
      "",
    ),
    "if-none-match": fc.constantFrom("*", '"x"', "W/", "\u00ff"),
    authorization: fc.constantFrom(`Bearer ${ADMIN_TOKEN}`, "Bearer", "Basic x"),
    "x-relay-authorization": fc.constantFrom("Bearer abc", "Bearer", "abc"),
    origin: fc.constantFrom("null", "https://evil.example", "http://localhost:1"),
    "content-length": fc.constantFrom("0", "99999999999", "-1", "x"),
  },
  { requiredKeys: [] },
);

describe.each(routes.map((entry) => [`${entry.method} ${entry.path}`, entry] as const))(
  "%s",
  (_name, entry) => {
    test("answers a success or a problem, whatever is sent", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(segment, { minLength: 2, maxLength: 2 }),
          query,
          body,
          headers,
          async (parts, asked, sent, given) => {
            let at = 0;
            const path = entry.path.replace(/:[a-z]+/g, () => parts[at++] as string);
            const url = `http://127.0.0.1:8790${path}?${new URLSearchParams(
              Object.entries(asked).map(([name, value]): [string, string] => [
                name.toWellFormed(),
                value.toWellFormed(),
              ]),
            )}`;
            const response = await app.request(
              new Request(url, {
                method: entry.method,
                headers: given as Record<string, string>,
                ...(entry.method === "GET" ? {} : { body: sent as string }),
              }),
            );
            const answer = await response.text();
            if (response.status === 304) {
              expect(answer).toBe("");
              return;
            }
            if (response.headers.get("content-type")?.startsWith("image/svg+xml")) {
              expect([200, 404]).toContain(response.status);
              expect(answer).toMatch(/^<svg [^<]*>(?:<[^<>]*>[^<>&]*|&[a-z0-9#]+;[^<>&]*)*<\/svg>$/);
              return;
            }
            const value = JSON.parse(answer);
            if (response.status < 300) {
              // Documents have shapes of their own, and no `ok`.
              const isDocument = entry.shape?.bare !== undefined || entry.shape?.type !== undefined;
              expect(value).toEqual(isDocument ? expect.any(Object) : expect.objectContaining({ ok: true }));
              return;
            }
            expect([400, 401, 403, 404, 413, 415, 422, 502], answer).toContain(response.status);
            expect(response.headers.get("content-type")).toBe("application/problem+json");
            expect(value).toMatchObject({ ok: false, status: response.status, error: value.detail });
            expect(errorCodes).toContain(value.code);
          },
        ),
        { numRuns: 60 },
      );
      expect(catalog.log.filter(({ level }) => level === "error")).toEqual([]);
    });
  },
);
