/** Templates: what is typed in never decides who is called (discovery.md "Templates", cases 8 and 9). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fillRemote,
  type Input,
  type KeyValueInput,
  type Remote,
  remoteInputs,
  serverCardUrl,
} from "../../../src/spec/index.ts";
import { verifies } from "../../requirements.ts";

const remote = (url: string, rest: Partial<Remote> = {}): Remote => ({
  type: "streamable-http",
  url,
  ...rest,
});
const declared = (...names: readonly string[]): Record<string, Input> =>
  Object.fromEntries(names.map((name) => [name, {}]));
const problems = (filled: ReturnType<typeof fillRemote>): string[] =>
  filled.ok ? [] : filled.problems.map(({ name, problem }) => `${name} ${problem}`);

describe("a value", () => {
  it("is the input, else the value, else the default", verifies("template.values"), () => {
    const template = remote("https://example.com/{a}/{b}/{c}", {
      variables: { a: { value: "preset", default: "d" }, b: { default: "d" }, c: { default: "d" } },
    });
    expect(fillRemote(template, { b: "given" })).toMatchObject({
      ok: true,
      url: "https://example.com/preset/given/d",
    });
    expect(fillRemote(template, { a: "given", c: "" })).toMatchObject({
      url: "https://example.com/given/d/d",
    });
  });

  it("that is missing is listed with all others that are", () => {
    const template = remote("https://{host}.example.com/{path}", {
      variables: declared("host"),
      headers: [
        {
          name: "Authorization",
          isRequired: true,
          value: "Bearer {token}",
          variables: { token: { isSecret: true } },
        },
        { name: "X-Needed", isRequired: true },
        { name: "X-Optional" },
      ],
    });
    expect(problems(fillRemote(template))).toEqual([
      "host missing",
      "path missing",
      "token missing",
      "X-Needed missing",
    ]);
    expect(remoteInputs(template).map(({ name, where, required }) => `${name} ${where} ${required}`)).toEqual(
      [
        "host variable true",
        "path variable true",
        "token variable true",
        "X-Needed header true",
        "X-Optional header false",
      ],
    );
    expect(fillRemote(template, { host: "eu", path: "mcp", token: "t0p", "X-Needed": "yes" })).toEqual({
      ok: true,
      url: "https://eu.example.com/mcp",
      headers: { Authorization: "Bearer t0p", "X-Needed": "yes" },
    });
  });

  it("is one of the choices, and of its format; what is wrong with it is said without it", () => {
    const variables: Record<string, Input> = {
      region: { choices: ["eu", "us"] },
      port: { format: "number" },
      on: { format: "boolean" },
    };
    const template = remote("https://example.com/{region}/{port}/{on}", { variables });
    expect(fillRemote(template, { region: "eu", port: "80", on: "true" }).ok).toBe(true);
    const filled = fillRemote(template, { region: "hunter2", port: "hunter2", on: "hunter2" });
    expect(problems(filled)).toEqual([
      "region not-a-choice",
      "port not-of-its-format",
      "on not-of-its-format",
    ]);
    expect(JSON.stringify(filled)).not.toContain("hunter2");
  });

  it("of an optional header may be missing: the header is left out", () => {
    const header: KeyValueInput = {
      name: "Authorization",
      value: "Bearer {token}",
      variables: { token: { isRequired: true } },
    };
    expect(fillRemote(remote("https://example.com/mcp", { headers: [header] }))).toMatchObject({
      ok: true,
      headers: {},
    });
    const both: KeyValueInput = { name: "X-Both", value: "{a}:{b}", variables: declared("a", "b") };
    expect(problems(fillRemote(remote("https://example.com/mcp", { headers: [both] }), { a: "1" }))).toEqual([
      "b missing",
    ]);
  });

  it(
    "is put in once, as it is: no pattern, no placeholder, no line break",
    verifies("template.one-pass"),
    () => {
      const template = remote("https://example.com/{a}/{b}", {
        variables: declared("a", "b"),
        headers: [{ name: "X-A", value: "<{a}>" }],
      });
      expect(fillRemote(template, { a: "$&", b: "$1" })).toMatchObject({
        url: "https://example.com/$&/$1",
        headers: { "X-A": "<$&>" },
      });
      expect(fillRemote(template, { a: "{b}", b: "x" })).toMatchObject({
        url: "https://example.com/%7Bb%7D/x",
        headers: { "X-A": "<{b}>" },
      });
      for (const value of ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b"]) {
        expect(problems(fillRemote(template, { a: value, b: "x" }))).toEqual(["a line-break"]);
      }
      const literal = remote("https://example.com/mcp", {
        headers: [{ name: "X-A", value: "a\r\nX-Evil: 1" }],
      });
      expect(fillRemote(literal).ok).toBe(false);
    },
  );

  it("under the name of a member that every object has is nobody's", () => {
    const template = remote(
      "https://example.com/{constructor}/{__proto__}",
      JSON.parse('{"variables":{"__proto__":{"default":"p"}}}') as Partial<Remote>,
    );
    expect(problems(fillRemote(template))).toEqual(["constructor missing"]);
    expect(fillRemote(template, { constructor: "c" } as never)).toMatchObject({
      url: "https://example.com/c/p",
    });
  });

  it("never becomes a header that is the client's own", () => {
    for (const name of ["Host", "content-length", "X\r\nY", "Transfer-Encoding"]) {
      expect(fillRemote(remote("https://example.com/mcp", { headers: [{ name, value: "x" }] })).ok).toBe(
        false,
      );
    }
    expect(
      problems(
        fillRemote(remote("https://example.com/mcp", { headers: [{ name: "X-A", isRequired: true }] }), {
          "X-A": "\u{1F600}",
        }),
      ),
    ).toEqual(["X-A not-a-header"]);
  });
});

describe("the target", () => {
  it.each([
    "evil.com/#",
    "a@b",
    "$&",
    "{other}",
    "evil.com?",
    "evil.com\\",
    "evil.com:80",
    "..",
    "-",
    " ",
    "[::1]",
    "a/b",
    "%2e",
    "evil\u3002com/",
  ])("is not changed by %j in the host", verifies("template.target"), (value) => {
    const filled = fillRemote(remote("https://{tenant}.example.com/mcp", { variables: declared("tenant") }), {
      tenant: value,
    });
    expect(filled.ok).toBe(false);
  });

  it("stays within the path: no climbing, no cutting off", () => {
    const template = remote("https://example.com/t/{tenant}/mcp", { variables: declared("tenant") });
    for (const value of ["../admin", "..", ".", "a/../../b", "x#", "x?y", "evil.com/#", "..\\.."]) {
      expect(problems(fillRemote(template, { tenant: value })), value).toEqual(["tenant changes-the-target"]);
    }
    expect(fillRemote(template, { tenant: "%2e%2e" })).toMatchObject({
      url: "https://example.com/t/%252e%252e/mcp",
    });
    expect(fillRemote(template, { tenant: "a b/ü\\c" })).toMatchObject({
      url: "https://example.com/t/a%20b/%C3%BC%5Cc/mcp",
    });
    const pair = remote("https://example.com/{a}{b}/mcp", { variables: declared("a", "b") });
    expect(fillRemote(pair, { a: "x", b: "y.z" }).ok).toBe(true);
    expect(fillRemote(pair, { a: ".", b: "." }).ok).toBe(false);
    expect(fillRemote(remote("https://example.com/.{a}/mcp"), { a: ".x/y" }).ok).toBe(true);
    expect(fillRemote(remote("https://example.com/x{a}/mcp"), { a: "/.." }).ok).toBe(false);
  });

  it("takes one value behind the question mark", () => {
    const template = remote("https://example.com/mcp?tenant={tenant}&x=1", { variables: declared("tenant") });
    expect(fillRemote(template, { tenant: "a&admin=1#" })).toMatchObject({
      url: "https://example.com/mcp?tenant=a%26admin%3D1%23&x=1",
    });
  });

  it("may be the input's where the template begins with one, and is then a URL", () => {
    const template = remote("{base}/mcp", { variables: declared("base") });
    expect(fillRemote(template, { base: "https://self.example.org/" })).toMatchObject({
      url: "https://self.example.org/mcp",
    });
    expect(fillRemote(template, { base: "http://127.0.0.1:8080" })).toMatchObject({
      url: "http://127.0.0.1:8080/mcp",
    });
    for (const base of [
      "javascript:alert(1)//",
      "https://me:pw@h",
      "https://h/?x=",
      "https://h#",
      "h",
      "//h",
      "file:///etc",
      "https://h/../..",
    ]) {
      expect(fillRemote(template, { base }).ok, base).toBe(false);
    }
    expect(fillRemote(remote("{scheme}://example.com/mcp"), { scheme: "ftp" }).ok).toBe(false);
    expect(fillRemote(remote("https://localhost:{port}/mcp"), { port: "8080" })).toMatchObject({
      url: "https://localhost:8080/mcp",
    });
  });

  it("is what the literal parts say, whatever is typed in", () => {
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^[a-z.:/?#@\\%[\]{}$&-]{1,12}$/),
    );
    fc.assert(
      fc.property(value, value, value, (host, path, query) => {
        const filled = fillRemote(
          remote("https://{h}.example.com:8443/v1/{p}/mcp?q={q}&fixed=1", {
            variables: declared("h", "p", "q"),
          }),
          { h: host, p: path, q: query },
        );
        if (!filled.ok) return;
        const url = new URL(filled.url);
        expect(url.protocol).toBe("https:");
        expect(url.hostname.endsWith(".example.com")).toBe(true);
        expect([url.port, url.username, url.password, url.hash]).toEqual(["8443", "", "", ""]);
        expect(url.pathname.startsWith("/v1/") && url.pathname.endsWith("/mcp")).toBe(true);
        expect([...url.searchParams.keys()]).toEqual(["q", "fixed"]);
        expect(url.searchParams.get("q")).toBe(query.toWellFormed());
      }),
      { numRuns: 500 },
    );
  });
});

describe("the place of a card", () => {
  it.each([
    ["https://h/mcp/?tenant=a#f", "https://h/mcp/server-card"],
    ["https://h", "https://h/server-card"],
    ["https://h/mcp/server-card", "https://h/mcp/server-card/server-card"],
    ["https://h:8443/a/b///", "https://h:8443/a/b/server-card"],
    ["https://me:pw@h/mcp", "https://h/mcp/server-card"],
  ])("of %s is %s", verifies("card.place"), (endpoint, place) => {
    expect(serverCardUrl(endpoint)).toBe(place);
  });

  it("is nowhere for what is no endpoint", () => {
    for (const endpoint of ["", "/mcp", "ftp://h", "stdio:"])
      expect(() => serverCardUrl(endpoint)).toThrow("http");
  });
});
