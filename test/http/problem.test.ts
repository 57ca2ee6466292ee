import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createAdminCheck, mountDoors, problemReply, problems, publicError } from "../../src/http/index.ts";
import { type ErrorCode, errorCodes, OpenMcpError, RawJson } from "../../src/spec/index.ts";

describe("problem documents", () => {
  test.each(errorCodes.map((code) => [code] as const))("%s", async (code: ErrorCode) => {
    const reply = problemReply({ code, message: "a sentence", data: { field: "x" } });
    const { status, title } = problems[code];
    expect(reply.status).toBe(status);
    expect(reply.headers.get("content-type")).toBe("application/problem+json");
    expect(await reply.json()).toEqual({
      type: `urn:openmcp:error:${code}`,
      title,
      status,
      detail: "a sentence",
      code,
      ok: false,
      error: "a sentence",
      field: "x",
    });
  });

  test("data never takes the place of a member of its own", async () => {
    const data = { status: 200, ok: true, code: "fine", detail: "x", error: "x", type: "x", title: "x" };
    const body = await problemReply({ code: "not-found", message: "no", data }).json();
    expect(body).toMatchObject({ status: 404, ok: false, code: "not-found", detail: "no", error: "no" });
  });

  test("evidence that is JSON text already goes out as JSON", async () => {
    const reply = problemReply({
      code: "tool-error",
      message: "no",
      data: { result: new RawJson('{"a":1}') },
    });
    expect(await reply.json()).toMatchObject({ result: { a: 1 } });
  });

  test("says when to come back, what is allowed, and how to get in", () => {
    const limited = problemReply({ code: "rate-limited", message: "", data: { retryAfterSeconds: 1.2 } });
    expect(limited.headers.get("retry-after")).toBe("2");
    const method = problemReply({
      code: "method-not-allowed",
      message: "",
      data: { allow: ["GET", "HEAD"] },
    });
    expect(method.headers.get("allow")).toBe("GET, HEAD");
    const denied = problemReply({ code: "unauthorized", message: "", data: {} });
    expect(denied.headers.get("www-authenticate")).toMatch(/^Bearer /);
  });
});

describe("publicError", () => {
  const secret = "postgres://root:hunter2@10.0.0.5";

  test.each([
    [new Error(secret)],
    [secret],
    [null],
    [undefined],
    [{ message: secret, code: "not-found" }],
    [new OpenMcpError("internal", secret, { data: { secret } })],
    [new OpenMcpError("schema-too-new", secret, { data: { secret } })],
  ])("keeps the message of %s in the house", (thrown) => {
    const told = publicError(thrown, () => "id-1");
    expect(told).toMatchObject({ code: "internal", requestId: "id-1", data: { requestId: "id-1" } });
    expect(JSON.stringify(told)).not.toContain("hunter2");
  });

  test("passes on what was meant for the caller", () => {
    const error = new OpenMcpError("not-found", "no such relay", {
      data: { id: "x" },
      cause: new Error(secret),
    });
    expect(publicError(error)).toEqual({ code: "not-found", message: "no such relay", data: { id: "x" } });
  });
});

describe("the admin credential", () => {
  test("matches itself and nothing else", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{1,40}$/), fc.stringMatching(/^[!-~]{0,40}$/), (token, other) => {
        const check = createAdminCheck(token);
        expect(check.configured).toBe(true);
        expect(check.matches(`Bearer ${token}`)).toBe(true);
        expect(check.matches(`bearer ${token}`)).toBe(true);
        expect(check.matches(`Bearer ${other}`)).toBe(other === token);
        expect(check.matches(token)).toBe(false);
        expect(check.matches(null)).toBe(false);
      }),
    );
  });

  test.each([null, undefined, ""])("with %j configured nobody is admin, not even with nothing", (token) => {
    const check = createAdminCheck(token);
    expect(check.configured).toBe(false);
    expect(check.matches("Bearer ")).toBe(false);
    expect(check.matches("Bearer undefined")).toBe(false);
    expect(check.matches(null)).toBe(false);
  });

  test("a long header with blanks inside is read in one pass: as a pattern it held the process for half a second", () => {
    // A million blanks are hours for a pattern that looks again from each.
    const check = createAdminCheck("secret");
    expect(check.matches(`Bearer a${" ".repeat(1_000_000)}b`)).toBe(false);
    expect(check.matches(`Bearer secret${" ".repeat(1_000_000)}`)).toBe(true);
    expect(check.matches("Bearersecret")).toBe(false);
    expect(check.matches("Basic secret")).toBe(false);
  });
});

describe("mountDoors", () => {
  const door = mountDoors({
    doors: [
      ["/v1", () => new Response("rest")],
      ["/mcp", () => new Response("mcp")],
    ],
    otherwise: () => new Response("pages"),
  });

  test.each([
    ["http://a.test/v1", "rest"],
    ["http://a.test/v1/relays?x=/mcp", "rest"],
    ["http://a.test/v1?x", "rest"],
    ["http://a.test/v10", "pages"],
    ["http://a.test/mcp", "mcp"],
    ["http://a.test/mcp/x", "mcp"],
    ["http://a.test/", "pages"],
    ["http://a.test", "pages"],
    ["http://a.test?/v1", "pages"],
  ])("%s goes to %s", async (url, expected) => {
    expect(await (await door(new Request(url))).text()).toBe(expected);
  });

  test("only the path decides, whatever else the URL holds", async () => {
    const query = fc.webQueryParameters().map((text) => `?${text}`);
    const path = fc.constantFrom(
      ["/v1", "rest"],
      ["/v1/", "rest"],
      ["/mcp/v1", "mcp"],
      ["/v1x", "pages"],
      ["", "pages"],
    );
    await fc.assert(
      fc.asyncProperty(
        fc.webAuthority({ withPort: true }),
        path,
        query,
        async (authority, [start, expected], rest) => {
          const request = new Request(`http://${authority}${start}${rest}`);
          expect(await (await door(request)).text()).toBe(expected);
        },
      ),
    );
  });
});
