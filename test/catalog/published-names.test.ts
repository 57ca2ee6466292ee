/** Names in published documents: whose they are, and the way back from a minted one to its relay. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  catalogName,
  idOfName,
  isOwnIdentifier,
  isOwnName,
  mintedName,
  namespaceOf,
} from "../../src/catalog/publishing/names.ts";
import { relayId } from "../../src/spec/index.ts";

const CARD_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/;

describe("a namespace", () => {
  it.each([
    ["https://catalog.example", "example.catalog"],
    ["https://catalog.example:8443/under/a/path", "example.catalog"],
    ["https://CATALOG.example.", "example.catalog"],
    ["http://localhost:8790", "localhost"],
    ["http://127.0.0.1:8790", "127.0.0.1"],
    ["http://[2001:db8::1]", "2001-db8--1"],
    ["https://b\u00fccher.example", "example.xn--bcher-kva"],
  ])("of %s is %s", (url, namespace) => {
    expect(namespaceOf(url)).toBe(namespace);
  });

  it("leaves room for every id", () => {
    const url = `https://${Array(5).fill("a".repeat(45)).join(".")}.example`;
    const name = mintedName(url, "r".repeat(129));
    expect(name.length).toBeLessThanOrEqual(200);
    expect(name).toMatch(CARD_NAME);
  });
});

describe("a minted name", () => {
  it("leads back to its relay, and is never the catalog's own", () => {
    const url = "https://catalog.example";
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (endpoint) => {
        const id = relayId(endpoint);
        const name = mintedName(url, id);
        expect(name).toMatch(CARD_NAME);
        expect(idOfName(url, name)).toBe(id);
        expect(name).not.toBe(catalogName(url));
      }),
    );
    expect(mintedName(url, "openmcp")).not.toBe(catalogName(url));
    expect(idOfName(url, mintedName(url, "openmcp"))).toBe("openmcp");
    for (const name of ["example.catalog/", "example.catalog", "com.example/x", ""]) {
      expect(idOfName(url, name)).toBeNull();
    }
  });
});

describe("a relay's own name", () => {
  it.each([
    ["com.example/weather", "https://example.com/mcp", true],
    ["com.example/weather", "https://mcp.example.com/mcp", true],
    ["com.example.mcp/weather", "https://mcp.example.com/mcp", true],
    ["COM.Example/weather", "https://example.com/mcp", true],
    ["com.example.other/weather", "https://mcp.example.com/mcp", false],
    ["com/weather", "https://example.com/mcp", false],
    ["com.google/maps", "https://example.com/mcp", false],
    ["com.example/weather", "https://notexample.com/mcp", false],
    ["uk.co/weather", "https://example.co.uk/mcp", false],
    ["app.vercel/weather", "https://mine.vercel.app/mcp", false],
    ["app.vercel.mine/weather", "https://mine.vercel.app/mcp", true],
    ["io.github.somebody/weather", "https://mine.vercel.app/mcp", false],
    ["1.0.0.127/weather", "http://127.0.0.1/mcp", false],
    ["127.0.0.1/weather", "http://127.0.0.1/mcp", false],
    ["localhost/weather", "http://localhost:3000/mcp", true],
    ["com.example/..", "https://example.com/mcp", false],
    ["com.example/a/b", "https://example.com/mcp", false],
    ["weather", "https://example.com/mcp", false],
    [`com.example/${"x".repeat(200)}`, "https://example.com/mcp", false],
  ])("%s at %s: %s", async (name, endpoint, own) => {
    expect(await isOwnName(name, endpoint)).toBe(own);
  });
});

describe("a publisher's identifier", () => {
  it.each([
    ["urn:air:example.com:mcp:weather", "https://mcp.example.com/mcp", true],
    ["urn:air:Example.com:weather", "https://example.com/mcp", true],
    ["urn:air:example.com:mcp:weather", "https://example.org/mcp", false],
    ["urn:air:com:mcp:weather", "https://example.com/mcp", false],
    ["urn:air:vercel.app:mcp:weather", "https://mine.vercel.app/mcp", false],
    ["urn:mcp:server:com.example/weather", "https://example.com/mcp", false],
    ["urn:air:example.com:mcp:a\u001b[31m", "https://example.com/mcp", false],
    [`urn:air:example.com:${"x:".repeat(40)}`, "https://example.com/mcp", false],
    ["https://example.com/card", "https://example.com/mcp", false],
  ])("%s at %s: %s", async (identifier, endpoint, own) => {
    expect(await isOwnIdentifier(identifier, endpoint)).toBe(own);
  });
});
