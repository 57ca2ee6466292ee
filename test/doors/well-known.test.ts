import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wellKnownDoor } from "../../src/doors/well-known/index.ts";
import { DESCRIPTOR_PATH, parseDescriptor } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogFixture, openCatalog } from "./catalog-fixture.ts";

let catalog: CatalogFixture;
let app: ReturnType<typeof wellKnownDoor>;

beforeAll(async () => {
  catalog = await openCatalog({
    url: "https://catalog.example",
    operator: "https://me.example/.well-known/openprofile.md",
  });
  await catalog.list("https://a.example/mcp");
  await catalog.list("https://b.example/mcp", { online: false });
  app = wellKnownDoor({ context: catalog.context, tools: ["find_tool"] });
});

afterAll(() => catalog[Symbol.asyncDispose]());

const ask = (init: RequestInit = {}) => app.request(`https://catalog.example${DESCRIPTOR_PATH}`, init);

describe("the catalog's own descriptor", () => {
  test("is a relay's descriptor with the catalog's key", verifies("catalog.descriptor"), async () => {
    const response = await ask();
    const text = await response.text();
    expect(parseDescriptor(text, `https://catalog.example${DESCRIPTOR_PATH}`)).toMatchObject({
      ok: true,
      endpoint: "https://catalog.example/mcp",
    });
    expect(JSON.parse(text)).toMatchObject({
      openmcp: "0.1",
      name: "Test catalog",
      auth: { kind: "none" },
      operator: "https://me.example/.well-known/openprofile.md",
      tools: ["find_tool"],
      catalog: { relays: 2, online: 1, api: "https://catalog.example/v1", peers: [] },
    });
  });

  test.each(["text/html", "application/json", "image/png", "*/*"])(
    "a plain GET works with Accept: %s",
    async (accept) => {
      const response = await ask({ headers: { accept } });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    },
  );

  test("any origin may read it, also by preflight", async () => {
    const origin = { origin: "https://elsewhere.example" };
    const response = await ask({ headers: origin });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-methods")).toBe("GET");
    expect(response.headers.get("access-control-allow-headers")).toBe("Content-Type, If-None-Match");
    expect(response.headers.get("access-control-expose-headers")).toContain("ETag");
    const preflight = await ask({
      method: "OPTIONS",
      headers: { ...origin, "access-control-request-method": "GET" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("Content-Type, If-None-Match");
  });

  test("is cached for an hour and answers 304 with the same headers", async () => {
    const whole = await ask();
    expect(whole.headers.get("cache-control")).toBe("public, max-age=3600");
    const etag = whole.headers.get("etag") as string;
    for (const given of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const response = await ask({ headers: { "if-none-match": given } });
      expect(response.status, given).toBe(304);
      expect(response.headers.get("etag")).toBe(etag);
      expect(response.headers.get("cache-control")).toBe("public, max-age=3600");
      expect(response.headers.get("access-control-allow-origin")).toBe("*");
    }
    expect((await ask({ headers: { "if-none-match": '"x"' } })).status).toBe(200);
  });

  test("HEAD has the headers and no body; other methods are 405", async () => {
    const head = await ask({ method: "HEAD" });
    expect(head.status).toBe(200);
    expect(head.headers.get("etag")).toMatch(/^"/);
    expect(await head.text()).toBe("");
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const response = await ask({ method });
      expect(response.status).toBe(405);
      expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
      expect(await response.json()).toMatchObject({ ok: false, code: "method-not-allowed" });
    }
  });

  test("a Host that is not ours gets nothing, and no URL comes from it", async () => {
    const response = await ask({ headers: { host: "10.0.0.5" } });
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain("10.0.0.5");
  });

  test("nothing else is published", async () => {
    const response = await app.request("https://catalog.example/.well-known/other.json");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ ok: false, code: "not-found" });
  });
});
