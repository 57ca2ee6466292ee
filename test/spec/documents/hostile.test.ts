/** Documents made to cost more than they weigh, each a megabyte: what is not linear does not end within a test's time. */
import { describe, expect, it } from "vitest";
import {
  fillRemote,
  lintDocument,
  locatePointers,
  type Remote,
  readServerCard,
  SERVER_CARD_SCHEMA,
} from "../../../src/spec/index.ts";

const MEBIBYTE = 1024 * 1024;
const filled = (unit: string): string => unit.repeat(Math.floor(MEBIBYTE / unit.length));

const card = (members: object): string =>
  JSON.stringify({
    $schema: SERVER_CARD_SCHEMA,
    name: "com.example/weather",
    version: "1.0.0",
    description: "d",
    ...members,
  });
const remote = (members: object): string =>
  card({ remotes: [{ type: "sse", url: "https://example.com/mcp", ...members }] });

describe("a megabyte of", () => {
  it.each<[string, string]>([
    [
      "half tokens",
      remote({
        headers: [{ name: "X", description: filled("eyJ"), placeholder: filled(`${"eyJ".repeat(1300)} `) }],
      }),
    ],
    ["placeholders", remote({ url: `https://example.com/${filled("{a}")}` })],
    ["open braces", remote({ url: `https://example.com/${filled("{")}` })],
    [
      "different placeholders",
      remote({ url: `https://h/${Array.from({ length: 100_000 }, (_, at) => `{v${at}}`).join("")}` }),
    ],
    ["colons", card({ websiteUrl: `https://${filled(":1")}` })],
    ["a host", remote({ url: `https://${filled("a.")}/` })],
    ["dots", card({ name: `${filled(".")}/a`, version: filled("1.") })],
    ["blanks", card({ version: filled(" "), title: filled(" \n") })],
    [
      "headers",
      remote({ headers: Array.from({ length: 40_000 }, (_, at) => ({ name: `X-${at}`, isRequired: true })) }),
    ],
    [
      "variables",
      remote({ variables: Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`v${at}`, {}])) }),
    ],
    ["one key", `{${Array(150_000).fill('"a":1').join(",")}}`],
    [
      "entries with one key twice",
      `{"specVersion":"1.0","entries":[${Array(50_000).fill('{"a":1,"a":2}').join(",")}]}`,
    ],
    ["long keys, deep", `${`{"${"k".repeat(300)}":`.repeat(100)}[${filled("1,")}1]${"}".repeat(100)}`],
    ["query", remote({ url: `https://example.com/?${filled("key=abcdefgh&")}` })],
    ["backslashes", `{"name":"${filled("\\\\")}","endpoint":"${filled('\\"')}"}`],
    ["opening tags", filled("<")],
  ])("%s is read, and costs what it weighs", (_what, text) => {
    const reading = lintDocument(text, { url: "https://example.com/card" });
    expect(reading.diagnostics.length).toBeLessThanOrEqual(200);
    expect(JSON.stringify(reading.diagnostics).length).toBeLessThan(400_000);
    locatePointers(
      text,
      reading.diagnostics.map(({ pointer }) => pointer),
    );
    for (const found of (readServerCard(text).value?.remotes ?? []) as readonly Remote[])
      fillRemote(found, { a: "x" });
  });

  it("keys that come twice drops every entry that has one, or the whole catalog", () => {
    const entry = (at: number) =>
      `{"identifier":"urn:x:${at}","type":"application/mcp-server-card+json","url":"https://example.com/${at}","url":"https://evil.example/"}`;
    const catalog = (count: number) =>
      lintDocument(
        `{"specVersion":"1.0","entries":[${Array.from({ length: count }, (_, at) => entry(at)).join(",")}]}`,
      );
    expect(catalog(500).value).toMatchObject({ entries: [], dropped: 500 });
    expect(catalog(2_000)).toMatchObject({ usable: false, conformant: false });
  });
});
