import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseGivenUrl } from "../../src/catalog/index.ts";
import { canonicalEndpoint } from "../../src/spec/index.ts";

describe("parseGivenUrl", () => {
  it.each([
    ["relay.example", "https://relay.example/"],
    ["relay.example/mcp", "https://relay.example/mcp"],
    ["relay.example:8443/mcp", "https://relay.example:8443/mcp"],
    ["  https://relay.example/mcp#top\n", "https://relay.example/mcp"],
    ["//relay.example/mcp", "https://relay.example/mcp"],
    ["HTTP://Relay.Example/", "http://relay.example/"],
    ["localhost:3000", "http://localhost:3000/"],
    ["localhost", "http://localhost/"],
    ["127.0.0.1:8931/mcp", "http://127.0.0.1:8931/mcp"],
    ["[::1]:8931", "http://[::1]:8931/"],
    ["localhost.example:3000", "https://localhost.example:3000/"],
    ["münchen.example", "https://xn--mnchen-3ya.example/"],
    ["https://relay.example/mcp?key=1", "https://relay.example/mcp?key=1"],
  ])("reads %j as %s", (given, url) => {
    expect(parseGivenUrl(given)).toEqual({ ok: true, url });
  });

  it.each([
    ["", /nothing was given/],
    ["   ", /nothing was given/],
    ["ftp://relay.example", /"ftp:"/],
    ["javascript:alert(1)", /"javascript:"/],
    ["mailto:a@b.example", /"mailto:"/],
    ["https://user:pass@relay.example", /holds no credentials/],
    ["https://relay.example/a b", /white space/],
    ["https://relay.example/\u0000", /white space/],
    ["https://", /not a URL/],
    ["https://./mcp", /no host/],
    ["https://relay.example:99999", /not a URL/],
    [`https://relay.example/${"a".repeat(3_000)}`, /longer than 2048/],
  ])("refuses %j and says why", (given, problem) => {
    const read = parseGivenUrl(given);
    expect(read.ok).toBe(false);
    expect(read.ok ? "" : read.problem).toMatch(problem);
  });

  it("takes anything without throwing, and gives only URLs that have an identity", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.webUrl(), fc.domain()), (given) => {
        const read = parseGivenUrl(given);
        if (!read.ok) return;
        expect(parseGivenUrl(read.url)).toEqual(read);
        expect(canonicalEndpoint(read.url)).toMatch(/^https?:\/\/[^/]/);
      }),
    );
  });
});
