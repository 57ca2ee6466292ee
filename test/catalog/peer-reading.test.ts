/** What a peer's list says, piece by piece: the pure parts of reading it. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createListScanner } from "../../src/catalog/peers/list-scanner.ts";
import { judgePeerApi } from "../../src/catalog/peers/peer-api.ts";
import { parsePeerUrl } from "../../src/catalog/peers/peer-url.ts";
import { readOffer } from "../../src/catalog/peers/read-offer.ts";
import type { DescriptorLook } from "../../src/discovery/index.ts";
import type { Descriptor } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

function scan(text: string, { pieces = [text.length], maxEntryBytes = 1_000_000 } = {}) {
  const scanner = createListScanner({ maxEntryBytes });
  const bytes = new TextEncoder().encode(text);
  const entries: (string | null)[] = [];
  let at = 0;
  for (const size of [...pieces, bytes.length]) {
    entries.push(...scanner.push(bytes.slice(at, at + size)));
    at += size;
  }
  const { complete, hasList, nextCursor } = scanner;
  return { entries, complete, hasList, nextCursor };
}

describe("the scanner of a list", () => {
  it("gives what JSON.parse would, however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.record(
          { relays: fc.array(fc.jsonValue()), nextCursor: fc.option(fc.string()) },
          { requiredKeys: [] },
        ),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.array(fc.nat({ max: 9 })),
        fc.constantFrom(0, 1, 2),
        (page, others, pieces, indent) => {
          const { relays: _, nextCursor: __, ...beside } = others;
          const document = { ...beside, ...page };
          const scanned = scan(JSON.stringify(document, null, indent), { pieces });
          expect(scanned.entries.map((entry) => JSON.parse(entry ?? "?"))).toEqual(
            JSON.parse(JSON.stringify(page.relays ?? [])),
          );
          expect(scanned.complete).toBe(true);
          expect(scanned.hasList).toBe(page.relays !== undefined);
          expect(scanned.nextCursor).toBe(page.nextCursor || null);
        },
      ),
    );
  });

  it.each([
    ["broken off", '{"ok":true,"relays":[{"a":1},{"b":', ['{"a":1}'], { complete: false, hasList: true }],
    [
      "an entry that is no JSON",
      '{"relays":[{"a":1},{b:"}"},{"c":3}]}',
      ['{"a":1}', '{b:"}"}', '{"c":3}'],
      {},
    ],
    ["no list", '{"relays":{"a":[1]}}', [], { complete: true, hasList: false }],
    ["a list in a list", '{"x":{"relays":[1]},"relays":[[2]]}', ["[2]"], { hasList: true }],
    ["another document", '[{"relays":[1]}]', [], { complete: true, hasList: false }],
    ["a page", "<html><script>{a:[1]}</script>", [], { hasList: false }],
    ["nothing", "", [], { complete: false, hasList: false }],
    ["what comes after the end", '{"relays":[]}{"relays":[1]}', [], { complete: true, hasList: true }],
    ["a cursor that is no text", '{"relays":[],"nextCursor":{"a":1}}', [], { nextCursor: null }],
    ["an empty cursor", '{"relays":[],"nextCursor":""}', [], { nextCursor: null }],
    ["a cursor before the list", '{"nextCursor":"\\u0061","relays":[1]}', ["1"], { nextCursor: "a" }],
    ["more closed than opened", "}}}}]", [], { hasList: false }],
  ])("reads %s", (_name, text, entries, rest) => {
    expect(scan(text)).toMatchObject({ entries, ...rest });
    expect(scan(text, { pieces: Array.from({ length: text.length }, () => 1) })).toMatchObject({
      entries,
      ...rest,
    });
  });

  it("passes over an entry that is too large, and goes on after it", () => {
    const text = JSON.stringify({ relays: ["a", "x".repeat(50), "b"] });
    for (const pieces of [[], [20, 20, 20]]) {
      expect(scan(text, { pieces, maxEntryBytes: 20 }).entries).toEqual(['"a"', null, '"b"']);
    }
  });

  it("holds nothing but the entry at hand", () => {
    const long = `{"junk":"${"x".repeat(100_000)}","nextCursor":"${"y".repeat(100_000)}","relays":[1]}`;
    expect(scan(long, { pieces: [50_000, 50_000] })).toMatchObject({ entries: ["1"], nextCursor: null });
  });
});

describe("an entry of a peer's list", () => {
  it.each([
    ["an absolute endpoint", { descriptor: { mcp: "https://A.example/mcp/#x" } }, "https://a.example/mcp/"],
    [
      "one relative to its source",
      { source: "https://a.example/.well-known/openmcp.json", descriptor: { mcp: "/mcp" }, via: null },
      "https://a.example/mcp",
    ],
    [
      "what the peer learned itself",
      { descriptor: { mcp: "https://a.example/mcp" }, via: "https://c.example" },
      null,
    ],
    ["what may be learned", { descriptor: { mcp: "https://a.example/mcp" }, via: 7 }, null],
    ["no source for a relative endpoint", { source: "nowhere", descriptor: { mcp: "/mcp" } }, null],
    ["no descriptor", { source: "https://a.example" }, null],
    ["no endpoint", { descriptor: {} }, null],
    ["an endpoint that is no URL", { descriptor: { mcp: ["https://a.example"] } }, null],
    ["another scheme", { descriptor: { mcp: "file:///etc/passwd" } }, null],
    ["a credential", { descriptor: { mcp: "https://me:secret@a.example/mcp" } }, null],
    ["no host", { descriptor: { mcp: "https://./mcp" } }, null],
    ["a text", "https://a.example/mcp", null],
    ["nothing", null, null],
    ["a URL without end", { descriptor: { mcp: `https://a.example/${"x".repeat(3_000)}` } }, null],
  ])("with %s", (_name, entry, url) => {
    expect(readOffer(JSON.stringify(entry))?.url ?? null).toBe(url);
  });

  it("is given by its canonical endpoint", () => {
    const entry = { descriptor: { mcp: "https://A.example:443/mcp/" } };
    expect(readOffer(JSON.stringify(entry))?.endpoint).toBe("https://a.example/mcp");
  });

  it("may be broken or nested without end", () => {
    expect(readOffer("{")).toBeNull();
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(readOffer(`{"descriptor":{"mcp":"https://a.example/mcp","x":${deep}}}`)).toBeNull();
  });
});

describe("a peer's URL", () => {
  it.each([
    ["https://Peer.example/", "https://peer.example"],
    ["peer.example", "https://peer.example"],
    ["https://peer.example/.well-known/openmcp.json", "https://peer.example"],
    ["https://peer.example/v1", "https://peer.example"],
    ["https://peer.example/v1/relays?limit=5#x", "https://peer.example"],
    ["https://peer.example/mcp", "https://peer.example"],
    ["https://peer.example/catalogs/two/v1/", "https://peer.example/catalogs/two"],
    ["127.0.0.1:8790", "http://127.0.0.1:8790"],
  ])("%s is %s", (given, url) => {
    expect(parsePeerUrl(given)).toEqual({ ok: true, url });
  });

  it.each(["", "ftp://peer.example", "https://a:b@peer.example", "two words"])("%j is none", (given) => {
    expect(parsePeerUrl(given)).toMatchObject({ ok: false, problem: expect.stringMatching(/./) });
  });
});

describe("where a peer's API is", () => {
  const identity = { name: "", description: "", url: "https://own.example", operator: null, version: "0" };
  const served = (descriptor: Descriptor, origin = "https://peer.example"): DescriptorLook["found"] => ({
    outcome: "served",
    descriptor,
    endpoint: new URL(descriptor.mcp, origin).href,
    source: `${origin}/.well-known/openmcp.json`,
  });
  const none: DescriptorLook["found"] = { outcome: "absent", problem: "no descriptor" };

  it.each<[string, string, DescriptorLook["found"], string]>([
    ["no descriptor", "https://peer.example", none, "https://peer.example/v1"],
    [
      "a descriptor of no catalog",
      "https://peer.example",
      served({ mcp: "/mcp" }),
      "https://peer.example/v1",
    ],
    [
      "the descriptor's word",
      "https://peer.example",
      served({ mcp: "/mcp", catalog: { api: "https://api.peer.example/catalog/v1/" } }),
      "https://api.peer.example/catalog/v1",
    ],
    [
      "a relative one",
      "https://peer.example",
      served({ mcp: "/mcp", catalog: { api: "/rest/v1" } }),
      "https://peer.example/rest/v1",
    ],
    [
      "no URL",
      "https://peer.example",
      served({ mcp: "/mcp", catalog: { api: "javascript:alert(1)" } }),
      "https://peer.example/v1",
    ],
    [
      "the word of another catalog of the same origin",
      "https://peer.example/two",
      served({ mcp: "/mcp", catalog: { api: "https://peer.example/v1" } }),
      "https://peer.example/two/v1",
    ],
  ])("with %s", (_name, peer, found, api) => {
    expect(judgePeerApi(peer, look(found), identity)).toEqual({ kind: "api", api });
  });

  it("is nowhere for this catalog itself, whatever it is called", verifies("peers.not-itself"), () => {
    const own = served({ mcp: "https://own.example/mcp" }, "https://alias.example");
    expect(judgePeerApi("https://alias.example", look(own), identity)).toEqual({ kind: "self" });
    const api = served({ mcp: "/mcp", catalog: { api: "https://OWN.example/v1/" } });
    expect(judgePeerApi("https://peer.example", look(api), identity)).toEqual({ kind: "self" });
    expect(judgePeerApi("https://own.example", look(none), identity)).toEqual({ kind: "self" });
  });

  function look(found: DescriptorLook["found"]): Pick<DescriptorLook, "found"> {
    return { found };
  }
});
