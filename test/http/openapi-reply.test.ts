import { describe, expect, it } from "vitest";
import { openApiReply, preferredType } from "../../src/http/index.ts";
import { verifies } from "../requirements.ts";

const url = "https://host.example/mcp/openapi.json";
const types = ["application/vnd.oai.openapi+json", "application/json"] as const;

describe("the type of a text that has several", () => {
  it.each([
    [null, 0],
    ["", 0],
    ["*/*", 0],
    ["application/*", 0],
    ["text/html,application/xhtml+xml,*/*;q=0.8", 0],
    ["application/json", 1],
    ["application/json, */*", 1],
    ["Application/JSON;charset=utf-8", 1],
    ["application/json, application/vnd.oai.openapi+json", 1],
    ["application/vnd.oai.openapi+json, application/json", 0],
    ["application/json;q=0.5, application/vnd.oai.openapi+json", 0],
    ["application/json;q=0", 0],
    ["application/jsonx", 0],
    [",,;q=1;", 0],
  ])("for Accept %j", verifies("openapi.served"), (accept, expected) => {
    expect(preferredType(accept, types)).toBe(types[expected]);
  });
});

describe("an OpenAPI document that is made for each read", () => {
  it("has a tag of its own for each type, and is not sent again", verifies("openapi.served"), async () => {
    const ask = (headers: Record<string, string> = {}) =>
      openApiReply(new Request(url, { headers }), () => "{}");
    const [first, json] = [await ask(), await ask({ accept: "application/json" })];
    expect(first.headers.get("content-type")).toBe(types[0]);
    expect(json.headers.get("content-type")).toBe(types[1]);
    expect(json.headers.get("etag")).not.toBe(first.headers.get("etag"));
    expect(first.headers.get("cache-control")).toBe("no-cache");
    expect(first.headers.get("vary")).toBe("Accept");
    expect(first.headers.get("access-control-allow-origin")).toBe("*");
    const known = await ask({ "if-none-match": first.headers.get("etag") as string });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    expect(known.headers.get("vary")).toBe("Accept");
    const other = await ask({
      "if-none-match": first.headers.get("etag") as string,
      accept: "application/json",
    });
    expect(other.status).toBe(200);
  });

  it("is kept by no cache between where users differ", verifies("openapi.served"), async () => {
    const reply = await openApiReply(new Request(url), () => "{}", { private: true });
    expect(reply.headers.get("cache-control")).toBe("private, no-cache");
    expect(reply.headers.get("vary")).toBe("Accept, Authorization, Cookie");
  });

  it(
    "answers HEAD as GET without a body, and is not made for other methods",
    verifies("openapi.served"),
    async () => {
      const head = await openApiReply(new Request(url, { method: "HEAD" }), () => '"é"');
      expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "4", ""]);
      let made = 0;
      const make = () => String(++made);
      const post = await openApiReply(new Request(url, { method: "POST" }), make);
      expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      expect((await openApiReply(new Request(url, { method: "OPTIONS" }), make)).status).toBe(204);
      expect(made).toBe(0);
    },
  );

  it("is not there when making it fails", async () => {
    await expect(
      openApiReply(new Request(url), () => Promise.reject(new Error("predicate"))),
    ).rejects.toThrow("predicate");
  });
});
