import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalEndpoint, distinctRelayId, MAX_ID_LENGTH, relayId } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { endpointText } from "./arbitraries.ts";

describe("relayId", () => {
  it.each([
    // wire.md's own examples
    ["https://www.Board.Example/api/mcp", "board.example"],
    ["https://x.example/teams/acme/mcp", "x.example-teams-acme"],
    ["http://127.0.0.1:8931/mcp", "127.0.0.1-8931"],
    ["https://x.example/api/v1/mcp", "x.example-api"],
    // the specification's
    ["https://agenticjobs.work/api/mcp", "agenticjobs.work"],
    // every name an endpoint goes by, and what only looks like one
    ["https://x.example/mcp", "x.example"],
    ["https://x.example/v1/mcp", "x.example"],
    ["https://x.example/MCP", "x.example"],
    ["https://x.example/Api/Mcp/", "x.example"],
    ["https://x.example/myapi/mcp", "x.example-myapi"],
    ["https://x.example/foo-mcp", "x.example-foo-mcp"],
    ["https://x.example/mcp/server", "x.example-mcp-server"],
    ["https://x.example/mcp/mcp", "x.example-mcp"],
    ["https://mcp.x.example/", "mcp.x.example"],
    ["https://x.example", "x.example"],
    ["https://x.example//", "x.example"],
    // ports
    ["https://x.example:443/mcp", "x.example"],
    ["http://x.example:443/mcp", "x.example-443"],
    ["https://x.example:8443/a/mcp", "x.example-8443-a"],
    // hosts
    ["https://www.www.example/mcp", "www.example"],
    ["https://wwwx.example/mcp", "wwwx.example"],
    ["https://x.example./mcp", "x.example"],
    ["https://bücher.example/mcp", "xn-bcher-kva.example"],
    ["http://[2001:db8::1]:8080/mcp", "2001-db8-1-8080"],
    ["http://[::]/mcp", "relay"],
    ["http://2130706433/mcp", "127.0.0.1"],
    // paths
    ["https://x.example/a_b/c.d~e/mcp", "x.example-a-b-c.d-e"],
    ["https://x.example/%7Eteam/mcp", "x.example-team"],
    ["https://x.example/caf%C3%A9/mcp", "x.example-caf-c3-a9"],
    ["https://x.example/-a-/mcp", "x.example-a"],
    ["https://x.example/mcp?tenant=7", "x.example"],
  ])("of %s is %s", verifies("id.slug"), (url, id) => {
    expect(relayId(url)).toBe(id);
  });

  it("is cut at 120 characters, and never ends in a dash", () => {
    expect(relayId(`https://x.example/${"a".repeat(300)}/mcp`)).toBe(`x.example-${"a".repeat(110)}`);
    expect(relayId(`https://x.example/${"a".repeat(109)}/b/mcp`)).toBe(`x.example-${"a".repeat(109)}`);
  });

  it(
    "is a slug for whatever URL, the same for every spelling of it",
    verifies("id.slug", "id.stable"),
    () => {
      fc.assert(
        fc.property(endpointText, (url) => {
          const id = relayId(url);
          expect(id).toMatch(/^[a-z0-9.](?:[a-z0-9.-]*[a-z0-9.])?$/);
          expect(id.length).toBeLessThanOrEqual(MAX_ID_LENGTH);
          expect(relayId(canonicalEndpoint(url))).toBe(id);
          expect(relayId(`${url}#fragment`)).toBe(id);
        }),
      );
    },
  );
});

describe("canonicalEndpoint", () => {
  const one = "https://x.example/a/mcp";

  it.each([
    "https://x.example/a/mcp/",
    "https://x.example/a/mcp///",
    "https://X.EXAMPLE/a/mcp",
    "https://x.example:443/a/mcp",
    "https://x.example./a/mcp",
    "https://x.example.:443/a/mcp",
    "HTTPS://x.example/a/mcp#top",
    "https://x.example/%61/%6D%63%70",
    "https://x.example/b/../a/./mcp",
    "https://x.example/b/%2e%2E/a/mcp",
    "https://x.example/a/mcp?",
    "https://user:secret@x.example/a/mcp",
    "  https://x.example/a/mcp\n",
    "https:\\\\x.example\\a\\mcp",
  ])("has one spelling: %j", verifies("id.endpoint-is-identity"), (url) => {
    expect(canonicalEndpoint(url)).toBe(one);
  });

  it.each([
    ["https://x.example/A/mcp", "the case of the path"],
    ["http://x.example/a/mcp", "the scheme"],
    ["https://x.example:8443/a/mcp", "the port"],
    ["https://www.x.example/a/mcp", "www, which only the slug drops"],
    ["https://x.example/a/mcp?tenant=7", "the query"],
    ["https://x.example/a%2Fmcp", "an encoded slash"],
    ["https://x.example//a/mcp", "an empty segment"],
  ])("tells %s apart by %s", (url) => {
    expect(canonicalEndpoint(url)).not.toBe(one);
  });

  it.each([
    ["https://x.example/a%2fb", "https://x.example/a%2Fb"],
    ["https://x.example/%e2%82%ac", "https://x.example/%E2%82%AC"],
    ["https://x.example/€", "https://x.example/%E2%82%AC"],
    ["https://x.example/a|b^c", "https://x.example/a%7Cb%5Ec"],
    ["https://x.example/100%", "https://x.example/100%25"],
    ["https://x.example/%2%65", "https://x.example/%252e"],
    ["https://x.example/%252e", "https://x.example/%252e"],
    ["https://x.example?q=%7e%2F", "https://x.example?q=~%2F"],
    ["http://[::FFFF:7F00:1]:80/mcp", "http://[::ffff:7f00:1]/mcp"],
    ["http://0x7f.1/mcp", "http://127.0.0.1/mcp"],
  ])("of %s is %s", (url, canonical) => {
    expect(canonicalEndpoint(url)).toBe(canonical);
  });

  it("does not change what is canonical", () => {
    fc.assert(
      fc.property(endpointText, (url) => {
        const canonical = canonicalEndpoint(url);
        expect(canonicalEndpoint(canonical)).toBe(canonical);
        expect(canonicalEndpoint(`${canonical}#x`)).toBe(canonical);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    "ftp://x.example/mcp",
    "javascript:alert(1)",
    "/mcp",
    "x.example",
    "",
    "http://./mcp",
    "http://..:8080/",
  ])("refuses %j", (url) => {
    expect(() => canonicalEndpoint(url)).toThrow(TypeError);
  });
});

describe("distinctRelayId", () => {
  it("adds eight hex digits of SHA-256 over the canonical endpoint", async () => {
    const hash = createHash("sha256").update("https://x.example/mcp?tenant=7").digest("hex").slice(0, 8);
    expect(await distinctRelayId("https://X.example:443/mcp/?tenant=7")).toBe(`x.example-${hash}`);
    expect(await distinctRelayId("https://x.example/mcp?tenant=8")).not.toBe(`x.example-${hash}`);
  });

  it("tells apart endpoints of one slug, within 120 characters", async () => {
    const long = `https://x.example/${"a".repeat(200)}`;
    const ids = await Promise.all(
      [`${long}/1/mcp`, `${long}/2/mcp`, "https://y.example/mcp", "https://y.example/api/mcp"].map(
        distinctRelayId,
      ),
    );
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(MAX_ID_LENGTH);
    expect(ids[0]).toMatch(/^x\.example-a{101}-[0-9a-f]{8}$/);
  });

  it(
    "is the same in every catalog, whatever the spelling",
    verifies("id.stable", "id.collision"),
    async () => {
      await fc.assert(
        fc.asyncProperty(endpointText, async (url) => {
          const id = await distinctRelayId(url);
          expect(id).toMatch(/^[a-z0-9.](?:[a-z0-9.-]*)-[0-9a-f]{8}$/);
          expect(id.length).toBeLessThanOrEqual(MAX_ID_LENGTH);
          expect(await distinctRelayId(canonicalEndpoint(url))).toBe(id);
        }),
      );
    },
  );
});
