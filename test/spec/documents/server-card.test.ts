/** Server Card v1: the hand-written rules against the schema's own, the lints beyond it, and the two verdicts. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DiagnosticCode,
  type JsonValue,
  readServerCard,
  SERVER_CARD_SCHEMA,
  validateServerCard,
} from "../../../src/spec/index.ts";
import { verifies } from "../../requirements.ts";
import { cleanCard, woundedCard } from "./card-arbitraries.ts";

/** The schema as it is published, without its descriptions. */
const schema = JSON.parse(
  readFileSync(new URL("server-card.schema.json", import.meta.url), "utf8"),
) as object;
const ajv = new Ajv2020({ strict: false });
(addFormats as unknown as { default: (to: Ajv2020) => void }).default(ajv);
ajv.addSchema(schema, "card");
const bySchema = ajv.compile({ $ref: "card#/$defs/ServerCard" });

const minimal = {
  $schema: SERVER_CARD_SCHEMA,
  name: "com.example/weather",
  version: "1.4.2",
  description: "Forecasts",
  remotes: [{ type: "streamable-http", url: "https://weather.example.com/mcp" }],
} as const;

const withRemote = (remote: object): JsonValue => ({
  ...minimal,
  remotes: [{ ...minimal.remotes[0], ...remote }],
});

const codesOf = (card: string | JsonValue): DiagnosticCode[] =>
  readServerCard(card).diagnostics.map(({ code }) => code);

describe("the schema of v1", () => {
  it("and the hand-written rules say the same of every card", verifies("card.schema"), () => {
    fc.assert(
      fc.property(fc.oneof(cleanCard as fc.Arbitrary<unknown>, woundedCard), (card) => {
        const valid = bySchema(card);
        expect(validateServerCard(card as JsonValue).length === 0, JSON.stringify(bySchema.errors)).toBe(
          valid,
        );
      }),
      { numRuns: 1_500 },
    );
  });

  it("counts code points: 100 emoji are a description, 101 are not", verifies("card.code-points"), () => {
    expect(readServerCard({ ...minimal, description: "\u{1F600}".repeat(100) }).conformant).toBe(true);
    const long = readServerCard({ ...minimal, description: "\u{1F600}".repeat(101) });
    expect(long).toMatchObject({ conformant: false, usable: true });
    expect(long.diagnostics).toMatchObject([{ code: "too-long", pointer: "/description" }]);
  });

  it.each([
    [
      "$schema",
      "https://static.modelcontextprotocol.io/schemas/2025-10-17/server-card.schema.json",
      "schema-url",
    ],
    ["name", "weather", "wrong-format"],
    ["name", "a/b/c", "wrong-format"],
    ["version", "x".repeat(256), "too-long"],
    ["description", "", "too-short"],
    ["title", "", "too-short"],
    ["icons", null, "null-value"],
    ["icons", [{ src: "https://example.com/i.png", theme: "blue" }], "unknown-value"],
    ["repository", { url: "https://example.com" }, "missing-member"],
    ["remotes", [{ type: "http", url: "https://example.com" }], "unknown-value"],
    ["remotes", [{ type: "sse", url: "ftp://example.com" }], "wrong-format"],
  ])("refuses %s %j", (member, value, code) => {
    const reading = readServerCard({ ...minimal, [member]: value as JsonValue });
    expect(reading.conformant).toBe(false);
    expect(reading.diagnostics.map((found) => found.code)).toContain(code);
  });

  it("lets unknown members survive, also under awkward names", verifies("card.open"), () => {
    const text = JSON.stringify(minimal).replace(
      "{",
      '{"__proto__":{"polluted":true},"constructor":1,"x-more":[1],',
    );
    const { value, conformant } = readServerCard(text);
    expect(conformant).toBe(true);
    expect(Object.keys(value ?? {})).toEqual(expect.arrayContaining(["__proto__", "constructor", "x-more"]));
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });
});

describe("what the schema lets pass and is wrong", () => {
  it("finds nothing in a clean card", () => {
    fc.assert(
      fc.property(cleanCard, (card) => {
        const found = codesOf(card as unknown as JsonValue).filter((code) => code !== "no-remotes");
        expect(found).toEqual([]);
      }),
    );
  });

  it.each(["^1", "~1", ">=1", "1.x", "1.X.2", "*", "x", "1.2.3 - 2.0.0", "a || b", "latest", "", " 1.0.0"])(
    "the version %j is none",
    verifies("card.version"),
    (version) => {
      const { conformant, usable, diagnostics } = readServerCard({ ...minimal, version });
      expect({ conformant, usable, codes: diagnostics.map(({ code }) => code) }).toEqual({
        conformant: false,
        usable: true,
        codes: ["version-range"],
      });
    },
  );

  it.each(["1.0.0", "v2", "2026-07-28", "1.0.0-x86", "1.0.0+build.7", "xenial", "1.0-next"])(
    "the version %j is one",
    (version) => {
      expect(codesOf({ ...minimal, version })).toEqual([]);
    },
  );

  const template = "https://{tenant}.example.com/mcp";
  it.each<[string, DiagnosticCode, JsonValue]>([
    ["a name of dots", "name-traversal", { ...minimal, name: "../.." }],
    ["a script as website", "unsafe-url", { ...minimal, websiteUrl: "javascript:alert(1)" }],
    ["a file as icon", "unsafe-url", { ...minimal, icons: [{ src: "file:///etc/passwd" }] }],
    [
      "credentials in a remote",
      "credential-in-url",
      withRemote({ url: "https://me:secret@example.com/mcp" }),
    ],
    [
      "a key in a remote's query",
      "credential-in-url",
      withRemote({ url: "https://example.com/mcp?api_key=9f8a7b6c5d4e" }),
    ],
    [
      "a token in a remote's path",
      "credential-in-url",
      withRemote({ url: "https://example.com/ghp_abcdefghijklmnopqrst0123/mcp" }),
    ],
    ["loopback", "private-address", withRemote({ url: "http://127.0.0.1:3000/mcp" })],
    ["loopback as a number", "private-address", withRemote({ url: "http://2130706433/mcp" })],
    ["loopback mapped", "private-address", withRemote({ url: "http://[::ffff:7f00:1]/mcp" })],
    ["loopback by name", "private-address", withRemote({ url: "https://localhost./mcp" })],
    ["cloud metadata", "private-address", withRemote({ url: "http://169.254.169.254/mcp" })],
    ["carrier-grade NAT", "private-address", withRemote({ url: "https://100.64.0.1/mcp" })],
    ["plain http", "unencrypted-url", withRemote({ url: "http://example.com/mcp" })],
    [
      "a name that can't be substituted",
      "variable-name",
      withRemote({ url: "https://example.com/{tenant-id}/mcp", variables: { "tenant-id": {} } }),
    ],
    ["a placeholder that nobody describes", "undeclared-variable", withRemote({ url: template })],
    ["a variable that nobody uses", "unused-variable", withRemote({ variables: { tenant: {} } })],
    [
      "a host that is typed in",
      "host-from-input",
      withRemote({ url: "https://{host}/mcp", variables: { host: {} } }),
    ],
    [
      "a secret with a default",
      "secret-literal",
      withRemote({ url: template, variables: { tenant: { isSecret: true, default: "hunter2" } } }),
    ],
    [
      "a secret with a value",
      "secret-literal",
      withRemote({ headers: [{ name: "X-Key", isSecret: true, value: "hunter2" }] }),
    ],
    [
      "a token as header",
      "token-literal",
      withRemote({ headers: [{ name: "Authorization", value: "Bearer abcdef123456" }] }),
    ],
    [
      "an issued key as default",
      "token-literal",
      withRemote({ url: template, variables: { tenant: { default: "sk-abcdefghijklmnop1234" } } }),
    ],
    [
      "a default that is no choice",
      "value-not-a-choice",
      withRemote({ url: template, variables: { tenant: { default: "eu", choices: ["us"] } } }),
    ],
    [
      "a header that is the client's",
      "header-name",
      withRemote({ headers: [{ name: "Host", value: "evil.example" }] }),
    ],
    ["a header with a line break", "header-name", withRemote({ headers: [{ name: "X-A\r\nX-B" }] })],
    ["a header twice", "duplicate-header", withRemote({ headers: [{ name: "X-A" }, { name: "x-a" }] })],
    ["tools in a card", "runtime-member", { ...minimal, tools: [] }],
    ["no remote", "no-remotes", { ...minimal, remotes: [] }],
  ])("%s: %s", verifies("card.lints"), (_what, code, card) => {
    expect(bySchema(card), "valid by the schema").toBe(true);
    expect(codesOf(card)).toContain(code);
  });

  it("a secret that is asked for is none, nor an example", () => {
    const headers = [
      {
        name: "Authorization",
        isSecret: true,
        isRequired: true,
        value: "Bearer {token}",
        variables: { token: { isSecret: true, placeholder: "sk-your-key-here-please" } },
      },
      { name: "X-Region", value: "eu-central-1" },
      { name: "X-Api-Key", value: "<your key>" },
    ];
    expect(codesOf(withRemote({ headers }))).toEqual([]);
  });

  it("repeats no secret in what it says", () => {
    const card = withRemote({
      url: "https://me:hunter22@example.com/mcp",
      headers: [
        { name: "Authorization", value: "Bearer hunter22hunter22" },
        { name: "X", isSecret: true, default: "hunter22" },
      ],
    });
    expect(JSON.stringify(readServerCard(card).diagnostics)).not.toContain("hunter22");
  });

  it("takes a private address for none in a card that was read on a private network", () => {
    const card = withRemote({ url: "http://127.0.0.1:3000/mcp" });
    expect(readServerCard(card, { url: "http://127.0.0.1:3000/mcp/server-card" }).diagnostics).toEqual([]);
    expect(readServerCard(card, { url: "https://example.com/mcp/server-card" }).conformant).toBe(false);
  });
});

describe("two verdicts", () => {
  it("keeps what is usable of a card that is not conformant", verifies("card.verdicts"), () => {
    const reading = readServerCard({
      ...minimal,
      title: 7,
      websiteUrl: "javascript:alert(1)",
      icons: [{ src: "https://example.com/i.png" }, { src: 7 }, null],
      remotes: [
        { type: "streamable-http", url: "https://good.example.com/mcp", headers: null },
        { type: "stdio", url: "https://bad.example.com/mcp" },
        { type: "sse", url: "ftp://bad.example.com" },
        { type: "sse", url: "https://me:secret@bad.example.com" },
        null,
      ],
    });
    expect(reading).toMatchObject({ conformant: false, usable: true, shape: "v1" });
    expect(reading.value).toEqual({
      ...minimal,
      icons: [{ src: "https://example.com/i.png" }],
      remotes: [{ type: "streamable-http", url: "https://good.example.com/mcp" }],
    });
  });

  it("says what was not said by an empty text, and is of no use with neither name nor remote", () => {
    expect(readServerCard({ $schema: SERVER_CARD_SCHEMA, remotes: minimal.remotes }).value).toMatchObject({
      name: "",
      version: "",
      description: "",
    });
    expect(readServerCard({ $schema: SERVER_CARD_SCHEMA, title: "x" })).toMatchObject({
      usable: false,
      value: null,
    });
  });

  it.each([
    ["", "not-json"],
    ["{", "not-json"],
    ["<!doctype html><html>", "html"],
    ["[]", "wrong-type"],
    ["null", "wrong-type"],
    ['{"a":1}', "unknown-document"],
    [`${'{"a":'.repeat(200)}1${"}".repeat(200)}`, "too-deep"],
    ['"https://static.modelcontextprotocol.io"', "wrong-type"],
  ])("%j is no card: %s", (text, code) => {
    const { conformant, usable, diagnostics } = readServerCard(text);
    expect({ conformant, usable, code: diagnostics[0]?.code }).toEqual({
      conformant: false,
      usable: false,
      code,
    });
  });

  it("tells of a byte order mark, and of a key that comes twice", () => {
    expect(readServerCard(`\uFEFF${JSON.stringify(minimal)}`)).toMatchObject({
      conformant: true,
      diagnostics: [{ code: "byte-order-mark" }],
    });
    const twice = JSON.stringify(minimal).replace('"version"', '"na\\u006de":"com.evil/weather","version"');
    expect(readServerCard(twice)).toMatchObject({
      conformant: false,
      diagnostics: [{ code: "duplicate-key", pointer: "/name" }],
    });
  });

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(woundedCard, (card) => readServerCard(JSON.stringify(card)).diagnostics.length >= 0),
    );
  });
});
