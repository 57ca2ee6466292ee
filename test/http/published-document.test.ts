import { createAdaptorServer } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGate, publishedDocument, strongEtag } from "../../src/http/index.ts";
import { verifies } from "../requirements.ts";

const BODY = '{"name":"com.example/überall"}';
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET",
  "access-control-allow-headers": "Content-Type, If-None-Match",
  "access-control-expose-headers": "ETag",
};

/** With and without a socket: what a kit hands to any server, and what arrives. */
let url: string;
let server: ReturnType<typeof createAdaptorServer>;
const document = publishedDocument(
  {
    body: BODY,
    mediaType: "application/mcp-server-card+json",
    headers: { link: '<https://h.example/next>; rel="next"' },
  },
  { gate: createGate({ url: "http://127.0.0.1" }) },
);

beforeAll(async () => {
  server = createAdaptorServer({ fetch: document });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/card`;
});

afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

const ask = (method: string, headers: Record<string, string> = {}) => fetch(url, { method, headers });
const of = (response: Response, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, response.headers.get(name)]));

describe("a published document", () => {
  test.each(["*/*", "text/html", "application/json;q=0.1", "image/png"])(
    "is read with Accept: %s",
    verifies("publish.plain-get"),
    async (accept) => {
      const response = await ask("GET", { accept });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/mcp-server-card+json");
      expect(await response.text()).toBe(BODY);
    },
  );

  test("has the headers of the drafts, each with its value", verifies("publish.cors"), async () => {
    const response = await ask("GET", { origin: "https://elsewhere.example" });
    expect(of(response, Object.keys(CORS))).toEqual(CORS);
    expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
    expect(response.headers.get("etag")).toBe(strongEtag(BODY));
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("vary")).toBeNull();
  });

  test("HEAD is GET without its body", verifies("publish.methods"), async () => {
    const [head, get] = [await ask("HEAD"), await ask("GET")];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    const names = [...Object.keys(CORS), "etag", "cache-control", "content-type", "content-length", "link"];
    expect(of(head, names)).toEqual(of(get, names));
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(BODY)));
  });

  test("OPTIONS is 204, as a preflight and without", verifies("publish.methods"), async () => {
    for (const headers of [
      {},
      {
        origin: "https://a.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "if-none-match",
      },
    ]) {
      const response = await ask("OPTIONS", headers as Record<string, string>);
      expect(response.status).toBe(204);
      expect(of(response, Object.keys(CORS))).toEqual(CORS);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(await response.text()).toBe("");
    }
  });

  test.each(["POST", "PUT", "PATCH", "DELETE", "PROPFIND"])(
    "%s is 405 and names what is allowed",
    verifies("publish.methods"),
    async (method) => {
      const response = await ask(method, { origin: "https://a.example" });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
      expect(await response.json()).toMatchObject({ ok: false, code: "method-not-allowed" });
    },
  );

  const tag = strongEtag(BODY);
  test.each([
    [tag, 304],
    [`W/${tag}`, 304],
    [`"a", ${tag}`, 304],
    [`"a",W/${tag} , "b"`, 304],
    ["*", 304],
    [" * ", 304],
    ['"a"', 200],
    ['W/"a", "b"', 200],
    [tag.replaceAll('"', ""), 200],
    [`"${tag}"`, 200],
    ["", 200],
  ])("If-None-Match: %s is %i", verifies("publish.conditional"), async (given, status) => {
    for (const method of ["GET", "HEAD"]) {
      const response = await ask(method, { "if-none-match": given });
      expect(response.status, method).toBe(status);
      const names = [...Object.keys(CORS), "etag", "cache-control", "link", "x-content-type-options"];
      expect(of(response, names), method).toEqual(of(await ask("GET"), names));
      if (status === 304) expect(await response.text()).toBe("");
    }
  });

  test("If-None-Match on another method changes nothing", async () => {
    expect((await ask("POST", { "if-none-match": "*" })).status).toBe(405);
    expect((await ask("OPTIONS", { "if-none-match": "*" })).status).toBe(204);
  });

  test("the origin is asked of no one, the host is", verifies("publish.host"), async () => {
    for (const origin of ["null", "https://evil.example", "not an origin"]) {
      expect((await ask("GET", { origin })).status).toBe(200);
    }
    const request = new Request("http://evil.example/card", { headers: { host: "evil.example" } });
    expect(document(request).status).toBe(403);
  });
});
