/** Who sent a request: what a proxy of ours says is taken, what anyone else says is not. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addressGroup,
  createClientAddress,
  parseNetwork,
  rateLimitHeaders,
  type TrustedProxies,
} from "../../src/http/index.ts";
import { verifies } from "../requirements.ts";

const one: TrustedProxies = { proxies: { hops: 1 }, header: "x-forwarded-for" };
const two: TrustedProxies = { proxies: { hops: 2 }, header: "x-forwarded-for" };
const inside: TrustedProxies = {
  proxies: { networks: ["10.0.0.0/8", "fd00::/8", "127.0.0.1/32"] },
  header: "x-forwarded-for",
};
const rfc7239: TrustedProxies = { ...inside, header: "forwarded" };

/** What the connection is from, what the headers say, who it is. */
const table: readonly (readonly [
  string,
  TrustedProxies | null,
  string | null,
  Record<string, string>,
  string | null,
])[] = [
  [
    "no trust",
    null,
    "203.0.113.9",
    { "x-forwarded-for": "198.51.100.1", forwarded: "for=198.51.100.1" },
    "203.0.113.9",
  ],
  ["no trust, loopback", null, "127.0.0.1", { "x-forwarded-for": "198.51.100.1" }, "127.0.0.1"],
  ["IPv4 in IPv6 form", null, "::ffff:203.0.113.9", {}, "203.0.113.9"],
  ["a zone", null, "fe80::1%eth0", {}, "fe80::1"],
  ["no connection any more", one, null, { "x-forwarded-for": "198.51.100.1" }, null],
  ["one proxy", one, "10.0.0.1", { "x-forwarded-for": "198.51.100.1" }, "198.51.100.1"],
  [
    "one proxy, the sender made some up",
    one,
    "10.0.0.1",
    { "x-forwarded-for": "1.1.1.1, 8.8.8.8,198.51.100.1" },
    "198.51.100.1",
  ],
  ["one proxy that says nothing", one, "10.0.0.1", {}, "10.0.0.1"],
  ["two proxies", two, "10.0.0.1", { "x-forwarded-for": "1.1.1.1, 198.51.100.1, 10.0.0.2" }, "198.51.100.1"],
  ["two proxies, one seen", two, "10.0.0.1", { "x-forwarded-for": "198.51.100.1" }, "198.51.100.1"],
  ["networks", inside, "10.0.0.1", { "x-forwarded-for": "1.1.1.1, 198.51.100.1, 10.9.9.9" }, "198.51.100.1"],
  [
    "networks, a stranger past the proxy",
    inside,
    "203.0.113.9",
    { "x-forwarded-for": "198.51.100.1" },
    "203.0.113.9",
  ],
  ["networks, all of them ours", inside, "10.0.0.1", { "x-forwarded-for": "10.0.0.3, 10.0.0.2" }, "10.0.0.3"],
  [
    "networks, mapped connection",
    inside,
    "::ffff:10.0.0.1",
    { "x-forwarded-for": "198.51.100.1" },
    "198.51.100.1",
  ],
  [
    "networks of both families",
    inside,
    "fd00::1",
    { "x-forwarded-for": "2001:db8::7, 127.0.0.1" },
    "2001:db8::7",
  ],
  ["ports and brackets", one, "10.0.0.1", { "x-forwarded-for": "[2001:db8::1]:443" }, "2001:db8::1"],
  ["a port", one, "10.0.0.1", { "x-forwarded-for": "198.51.100.1:55000" }, "198.51.100.1"],
  ["garbage from the proxy", one, "10.0.0.1", { "x-forwarded-for": "198.51.100.1, unknown" }, "10.0.0.1"],
  ["an empty entry", one, "10.0.0.1", { "x-forwarded-for": "198.51.100.1," }, "10.0.0.1"],
  ["octal and short forms are garbage", one, "10.0.0.1", { "x-forwarded-for": "0127.1" }, "10.0.0.1"],
  ["the other header is not read", one, "10.0.0.1", { forwarded: "for=198.51.100.1" }, "10.0.0.1"],
  [
    "Forwarded",
    rfc7239,
    "10.0.0.1",
    { forwarded: "for=198.51.100.1;proto=https;by=10.0.0.1" },
    "198.51.100.1",
  ],
  [
    "Forwarded, not the other",
    rfc7239,
    "10.0.0.1",
    { forwarded: "for=198.51.100.1", "x-forwarded-for": "1.1.1.1" },
    "198.51.100.1",
  ],
  [
    "Forwarded, several",
    rfc7239,
    "10.0.0.1",
    { forwarded: "for=1.1.1.1, For=198.51.100.1, proto=http; FOR=10.2.2.2" },
    "198.51.100.1",
  ],
  [
    "Forwarded, IPv6 with a port",
    rfc7239,
    "10.0.0.1",
    { forwarded: 'proto=https;for="[2001:db8:cafe::17]:4711"' },
    "2001:db8:cafe::17",
  ],
  ["Forwarded, hidden", rfc7239, "10.0.0.1", { forwarded: "for=1.1.1.1, for=_hidden" }, "10.0.0.1"],
  ["Forwarded, no for", rfc7239, "10.0.0.1", { forwarded: "for=1.1.1.1, proto=https" }, "10.0.0.1"],
  [
    "Forwarded, a comma in quotes",
    rfc7239,
    "10.0.0.1",
    { forwarded: 'for=198.51.100.1;host="a, for=1.1.1.1"' },
    "198.51.100.1",
  ],
  [
    "Forwarded, a for in quotes",
    rfc7239,
    "10.0.0.1",
    { forwarded: 'host="a;for=1.1.1.1";for=198.51.100.1' },
    "198.51.100.1",
  ],
  [
    "Forwarded, a quote left open before ours",
    rfc7239,
    "10.0.0.1",
    { forwarded: 'for=1.1.1.1;x=", for=198.51.100.1' },
    "10.0.0.1",
  ],
  [
    "Forwarded, the same with our quotes",
    rfc7239,
    "10.0.0.1",
    { forwarded: 'for=1.1.1.1;x=", for="[2001:db8::1]"' },
    "10.0.0.1",
  ],
  [
    "Forwarded, escapes",
    rfc7239,
    "10.0.0.1",
    { forwarded: 'x="\\", for=1.1.1.1", for=198.51.100.1' },
    "198.51.100.1",
  ],
];

describe("the client's address", verifies("fair.proxies"), () => {
  it.each(table)("%s", (_what, trust, connection, headers, expected) => {
    expect(createClientAddress(trust)(connection, new Headers(headers))).toBe(expected);
  });

  it("is no other, whatever a sender puts before what the proxy adds", () => {
    const of = createClientAddress(one);
    const forwarded = createClientAddress({ ...rfc7239, proxies: { hops: 1 } });
    const sent = fc.string({ unit: fc.constantFrom(...'for=1.2 ,;"\\:[]%abc') });
    fc.assert(
      fc.property(sent, (text) => {
        const made = new Map([["x-forwarded-for", `${text}, 198.51.100.1`]]);
        expect(of("10.0.0.1", { get: (name) => made.get(name) ?? null })).toBe("198.51.100.1");
        // Where the sender left a quote open, the proxy is counted itself.
        const added = new Map([["forwarded", `${text}, for=198.51.100.1;proto=https`]]);
        const found = forwarded("10.0.0.1", { get: (name) => added.get(name) ?? null });
        expect(["198.51.100.1", "10.0.0.1"]).toContain(found);
      }),
      { numRuns: 1_000 },
    );
  });

  it("reads a header of the largest size in a moment", () => {
    const forwarded = createClientAddress(rfc7239);
    const value = `"${'\\"'.repeat(8_000)}\\`;
    expect(forwarded("10.0.0.1", { get: () => value })).toBe("10.0.0.1");
  });
});

describe("what stands for an address", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["::1", "::/64"],
  ])("%s: %s", (address, group) => {
    expect(addressGroup(address)).toBe(group);
  });
});

describe("a network", () => {
  it.each([
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["fd00::/8", "fd00::/8"],
    ["10.1.2.3", "10.1.2.3/32"],
    ["::1", "::1/128"],
    ["10.0.0.0/33", null],
    ["10.1/8", null],
    ["proxy.example", null],
    ["", null],
  ])("%j: %j", (text, network) => {
    expect(parseNetwork(text)).toBe(network);
  });
});

it("a budget's headers say what is given, in which time, and what is left", () => {
  expect(
    rateLimitHeaders({
      name: "call",
      rule: { perMinute: 600, burst: 1_200 },
      remaining: 7,
      fullInSeconds: 119,
    }),
  ).toEqual({ "ratelimit-policy": '"call";q=1200;w=120', ratelimit: '"call";r=7;t=119' });
});
