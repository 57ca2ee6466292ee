/** The Explorer's pure parts: exact numbers, masking, the wire's memory, commands to copy, URI templates. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { memberText } from "../../src/spec/index.ts";
import { MASK, maskHeader, maskText } from "../../web/explorer/connection/mask.ts";
import { recordingFetch } from "../../web/explorer/connection/record-wire.ts";
import { createWire } from "../../web/explorer/connection/wire.ts";
import { asCode, asCommand, asConfig, asCurl, type CallFacts } from "../../web/explorer/copy/commands.ts";
import { expand, variablesOf } from "../../web/explorer/copy/uri-template.ts";
import { pretty, readExact, readNumber, whyNotJson, withMember } from "../../web/explorer/json/exact.ts";
import { MAX_FRAMES } from "../../web/explorer/limits.ts";
import { readRoute } from "../../web/explorer/route.ts";
import { verifies } from "../requirements.ts";
import { strangeKit } from "./strange-server.ts";

describe("numbers", () => {
  it("are kept digit by digit", verifies("explorer.exact"), () => {
    const text = '{"a":12345678901234567890,"b":1.0,"c":-0,"d":1e400}';
    expect(JSON.stringify(readExact(text))).toBe(text);
    expect(JSON.stringify(readNumber("0.10"))).toBe("0.10");
    for (const none of ["", "1.", "0x1", "NaN", "--1", "01"])
      expect([none, readNumber(none)]).toEqual([none, null]);
    expect(pretty(readExact("[1.50]"))).toBe("[\n  1.50\n]");
  });

  it("and members have no way to a prototype", () => {
    const value = withMember({}, "__proto__", { broken: true });
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(({} as { broken?: boolean }).broken).toBeUndefined();
    expect(withMember({ a: 1, b: 2 }, "a", undefined)).toEqual({ b: 2 });
    expect(whyNotJson('{"a": }')).toMatch(/Line 1|JSON/);
  });
});

describe("the wire", () => {
  it("masks what was typed and what is named like a secret", verifies("explorer.masked"), () => {
    expect(maskHeader("Authorization", "Bearer abcdef")).toBe(`Bearer ${MASK}`);
    expect(maskHeader("X-Relay-Authorization", "Bearer abcdef")).toBe(`Bearer ${MASK}`);
    expect(maskHeader("x-api-key", "abcdef")).toBe(MASK);
    expect(maskHeader("content-type", "application/json")).toBe("application/json");
    expect(maskText('{"password": "a\\"b", "note":"my-secret-token"}', ["my-secret-token"])).toBe(
      `{"password": "${MASK}", "note":"${MASK}"}`,
    );
  });

  it(
    "has every frame as it was written, before the client reads it, and a bound",
    verifies("explorer.wire"),
    async () => {
      const wire = createWire(memberText);
      const events = [
        '{"jsonrpc":"2.0","method":"notifications/progress"}',
        '{"jsonrpc":"2.0","id":1,"result":{"n":1.0}}',
      ];
      const fetch = recordingFetch(
        async () =>
          new Response(`: hello\n\nevent: message\r\ndata: ${events[0]}\r\n\r\ndata: ${events[1]}\n\n`, {
            headers: { "content-type": "text/event-stream" },
          }),
        { wire, headers: () => ({ authorization: "Bearer x" }), now: () => 0 },
      );
      const since = wire.next;
      const answer = await fetch("http://here.example/", {
        method: "POST",
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/call"}',
      });
      await answer.text();
      expect(wire.frames.get().map(({ direction, label, answers }) => [direction, label, answers])).toEqual([
        ["out", "tools/call", null],
        ["in", "", null],
        ["in", "notifications/progress", null],
        ["in", "result", "tools/call"],
      ]);
      expect(wire.exactResult("tools/call", { since, result: { n: 1 } })).toBe('{"n":1.0}');
      expect(wire.exactResult("tools/call", { since, result: { n: 2 } })).toBeNull();
      for (let at = 0; at < MAX_FRAMES * 2; at += 1)
        wire.add({ at, direction: "in", via: "event", status: 200, ms: 0, headers: [], text: "{}" });
      expect(wire.frames.get()).toHaveLength(MAX_FRAMES);
    },
  );

  it("has the words of a refusal, of JSON-RPC or of a problem document", () => {
    const wire = createWire(memberText);
    const came = (status: number, text: string) => {
      wire.add({ at: 0, direction: "in", via: "answer", status, ms: 0, headers: [], text });
      return wire.refusal();
    };
    expect(
      came(502, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no such command"}}'),
    ).toEqual({
      title: null,
      words: "no such command",
    });
    expect(came(404, '{"title":"There is no such thing","detail":"no relay x"}')).toEqual({
      title: "There is no such thing",
      words: "no relay x",
    });
    for (const text of ["<html>", "null", '{"error":"text"}', '{"error":{"message":7}}'])
      expect(came(500, text)).toBeNull();
    expect(came(200, '{"title":"fine"}')).toBeNull();
  });
});

describe("what is copied", () => {
  const facts: CallFacts = {
    tool: "say it",
    args: { text: "it's $HOME `id` 🎉" },
    endpoint: "https://weather.example/mcp",
    command: null,
    forward: null,
    era: "modern",
    protocolVersion: "2026-07-28",
    withCredential: true,
  };

  it("names no credential", verifies("explorer.copy"), () => {
    const forward = { catalog: "https://catalog.example", relay: "weather.example" };
    for (const given of [facts, { ...facts, forward }, { ...facts, era: "legacy" as const }]) {
      expect(asCurl(given)).toMatch(/\$TOKEN|YOUR-CREDENTIAL/);
    }
    expect(asCommand({ ...facts, forward })).toContain("openmcp call weather.example 'say it'");
    expect(asCommand({ ...facts, command: ["npx", "a b"] })).toBe("openmcp inspect -- npx 'a b'");
    expect(asCode({ ...facts, forward })).toContain('new CatalogClient("https://catalog.example")');
    expect(asCode(facts)).toContain('connect("https://weather.example/mcp"');
    const config = asConfig({ name: "A server!", endpoint: facts.endpoint, command: null });
    expect(JSON.parse(config.vscode)).toEqual({
      servers: { "A-server-": { type: "http", url: facts.endpoint } },
    });
    // Claude Desktop has no entry for a URL, and no package is named that may be another's.
    expect(JSON.parse(config.desktop)).toEqual({ mcpServers: { "A-server-": { url: facts.endpoint } } });
  });

  it.runIf(existsSync("/usr/bin/curl"))("runs, in both eras", verifies("explorer.copy"), async () => {
    await using on = await strangeKit().listen();
    const args = { name: 'it\'s $HOME `id` "x" 🎉', kind: 3, place: { city: "Bern" } };
    for (const era of ["modern", "legacy"] as const) {
      const protocolVersion = era === "modern" ? "2026-07-28" : "2025-11-25";
      const line = asCurl({
        ...facts,
        endpoint: on.url,
        tool: "form",
        args: args as never,
        era,
        protocolVersion,
        withCredential: false,
      });
      const { stdout } = await promisify(execFile)("bash", ["-c", line ?? ""]);
      const data = stdout.split("\n").findLast((each) => each.includes('"jsonrpc"')) ?? "";
      const { result } = JSON.parse(data.replace(/^data: /, ""));
      expect([era, JSON.parse(result.content[0].text)]).toEqual([era, args]);
    }
  });
});

describe("a URI template", () => {
  it("has its parts filled in, and left out", () => {
    expect(variablesOf("demo://{type}/{+path}{?q,page:3}")).toEqual(["type", "path", "q", "page"]);
    expect(expand("demo://{type}/{+path}{?q,page}", { type: "a b", path: "x/y", q: "1&2" })).toBe(
      "demo://a%20b/x/y?q=1%262",
    );
    expect(expand("demo://{id}", {})).toBe("demo://");
  });
});

describe("a route", () => {
  it("is read from any fragment", () => {
    expect(readRoute("#/tools/a%2Fb/c")).toEqual({ place: "tools", name: "a/b/c" });
    expect(readRoute("#/resources/%E0%A4%A")).toEqual({ place: "resources", name: "%E0%A4%A" });
    expect(readRoute("#/constructor")).toEqual({ place: "tools", name: null });
  });
});
