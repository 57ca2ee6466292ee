/** Whom the catalog may call: every spelling of a forbidden place that we know is refused before a byte is sent. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExchange, judgeAddress, judgeUrl, type NetworkPolicy } from "../../src/net/index.ts";
import { verifies } from "../requirements.ts";
import { failure, limits, network, serveHttp, text } from "./servers.ts";

const strict: NetworkPolicy = { allowLoopback: false, allowNetworks: [] };
const development: NetworkPolicy = { allowLoopback: true, allowNetworks: [] };

/** Host as it is typed into a URL, and a word of the sentence that refuses it. */
const forbiddenHosts: readonly (readonly [host: string, why: string])[] = [
  // Loopback, in every notation that inet_aton and the URL standard know
  ["127.0.0.1", "loopback"],
  ["127.1", "loopback"],
  ["127.0.1", "loopback"],
  ["127.255.255.254", "loopback"],
  ["127.0.0.1.", "loopback"],
  ["2130706433", "loopback"],
  ["017700000001", "loopback"],
  ["0x7f000001", "loopback"],
  ["0x7F.1", "loopback"],
  ["0177.0.0.1", "loopback"],
  ["0177.0x0.0.01", "loopback"],
  ["0x7f.0x0.0x0.0x1", "loopback"],
  ["00000177.0.0.1", "loopback"],
  ["%31%32%37.0.0.1", "loopback"],
  // IDNA maps these to ASCII digits, dots and letters
  ["127。0。0。1", "loopback"],
  ["\uff11\uff12\uff17.0.0.1", "loopback"], // full-width digits
  ["①②⑦.⓪.⓪.①", "loopback"],
  ["𝟏𝟐𝟕.𝟎.𝟎.𝟏", "loopback"],
  ["ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "this machine"],
  ["\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54", "this machine"], // full-width letters
  ["1\u00ad27.0.0.1", "loopback"],
  // Names of this machine
  ["localhost", "this machine"],
  ["LOCALHOST", "this machine"],
  ["localhost.", "this machine"],
  ["a.localhost", "this machine"],
  ["deep.er.localhost.", "this machine"],
  ["loc%61lhost", "this machine"],
  // Other IPv4 ranges
  ["0.0.0.0", "unspecified"],
  ["0", "unspecified"],
  ["0.1.2.3", "unspecified"],
  ["10.0.0.1", "private"],
  ["10.255.255.255", "private"],
  ["167772161", "private"],
  ["0xa.0.0.1", "private"],
  ["172.16.0.1", "private"],
  ["172.31.255.255", "private"],
  ["192.168.1.1", "private"],
  ["0xc0a80101", "private"],
  ["192.168.257", "private"],
  ["100.64.0.1", "carrier-grade NAT"],
  ["100.127.255.255", "carrier-grade NAT"],
  ["169.254.1.1", "link-local"],
  ["169.254.169.254", "metadata"],
  ["2852039166", "metadata"],
  ["0xa9fea9fe", "metadata"],
  ["0251.0376.0251.0376", "metadata"],
  ["169.254.43518", "metadata"],
  ["169.254.170.2", "metadata"],
  ["168.63.129.16", "metadata"],
  ["100.100.100.200", "metadata"],
  ["192.0.0.192", "metadata"],
  ["198.18.0.1", "benchmark"],
  ["198.19.255.255", "benchmark"],
  ["192.0.0.8", "reserved"],
  ["192.88.99.1", "reserved"],
  ["192.0.2.1", "documentation"],
  ["198.51.100.7", "documentation"],
  ["203.0.113.9", "documentation"],
  ["224.0.0.1", "multicast"],
  ["239.255.255.250", "multicast"],
  ["240.0.0.1", "reserved"],
  ["255.255.255.255", "broadcast"],
  // IPv6
  ["[::]", "unspecified"],
  ["[::1]", "loopback"],
  ["[0:0:0:0:0:0:0:1]", "loopback"],
  ["[0000:0000:0000:0000:0000:0000:0000:0001]", "loopback"],
  ["[fe80::1]", "link-local"],
  ["[febf::1]", "link-local"],
  ["[fc00::1]", "unique local"],
  ["[fdff:ffff::1]", "unique local"],
  ["[fd00:ec2::254]", "metadata"],
  ["[fd20:ce::254]", "metadata"],
  ["[fec0::1]", "site-local"],
  ["[ff02::1]", "multicast"],
  ["[100::1]", "discard"],
  ["[2001:db8::1]", "documentation"],
  ["[3fff::1]", "documentation"],
  ["[2001:2::1]", "benchmark"],
  ["[2001:10::1]", "reserved"],
  ["[5f00::1]", "reserved"],
  ["[4000::1]", "reserved"],
  // IPv4 inside IPv6
  ["[::ffff:127.0.0.1]", "loopback"],
  ["[::ffff:7f00:1]", "loopback"],
  ["[::ffff:10.0.0.1]", "private"],
  ["[::ffff:0:10.0.0.1]", "private"],
  ["[::ffff:169.254.169.254]", "metadata"],
  ["[::127.0.0.1]", "loopback"],
  ["[::7f00:1]", "loopback"],
  ["[::a00:1]", "private"],
  ["[64:ff9b::127.0.0.1]", "loopback"],
  ["[64:ff9b::a9fe:a9fe]", "metadata"],
  ["[64:ff9b:1::10.0.0.1]", "reserved"],
  ["[64:ff9b:1:a00:0:100::]", "reserved"],
  ["[2002:7f00:1::]", "loopback"],
  ["[2002:a00:1::1]", "private"],
  ["[2002:a9fe:a9fe::]", "metadata"],
  ["[2001:0:7f00:1::]", "loopback"], // Teredo server 127.0.0.1
  ["[2001:0:808:808:0:0:f5ff:fffe]", "private"], // Teredo client 10.0.0.1, inverted
  ["[2606:4700::5efe:10.0.0.1]", "private"], // ISATAP
  ["[2606:4700::200:5efe:127.0.0.1]", "loopback"],
  // No hosts at all
  ["a..example", "not a host name"],
  ["127.0.0.1..", "not a host name"],
  ["ex%2Aample.example", "not a host name"],
];

/** Whole URLs that are refused for something else than their address. */
const forbiddenUrls: readonly (readonly [url: string, why: string])[] = [
  ["http://user@relay.example/mcp", "credentials"],
  ["http://user:secret@relay.example/mcp", "credentials"],
  ["http://:secret@relay.example/mcp", "credentials"],
  ["https://8.8.8.8@10.0.0.1/", "credentials"],
  ["https://relay.example:22/mcp", "port 22"],
  ["https://relay.example:25/", "port 25"],
  ["https://relay.example:0/", "port 0"],
  ["http://relay.example:1023/", "port 1023"],
  ["http://[2606:4700::1111]:53/", "port 53"],
  ["ftp://relay.example/", "scheme"],
  ["file:///etc/passwd", "scheme"],
  ["gopher://relay.example:70/", "scheme"],
  ["data:text/plain,hello", "scheme"],
  ["javascript:alert(1)", "scheme"],
  ["ws://relay.example/", "scheme"],
  ["blob:https://relay.example/1", "scheme"],
  ["unix:/var/run/docker.sock", "scheme"],
  ["", "can not be read"],
  ["relay.example/mcp", "can not be read"],
  ["http://", "can not be read"],
  ["http://1.2.3.4.5/", "can not be read"],
  ["http://256.256.256.256/", "can not be read"],
  ["http://[::1%25lo]/", "can not be read"],
  ["http://[fe80::1%eth0]/", "can not be read"],
  ["https://relay.example:99999/", "can not be read"],
];

describe("forbidden places", () => {
  test("the tables hold at least sixty spellings, none twice", () => {
    const urls = [...forbiddenHosts.map(([host]) => host), ...forbiddenUrls.map(([url]) => url)];
    expect(urls.length).toBeGreaterThanOrEqual(60);
    expect(new Set(urls).size).toBe(urls.length);
  });

  test(
    "no spelling of a forbidden host is called, whatever its port",
    verifies("network.refused-ranges", "network.spellings"),
    async () => {
      const canary = await serveHttp((_request, response) => response.end("reached"));
      const canary6 = await serveHttp((_request, response) => response.end("reached"), "::1");
      const { exchange } = network(strict);
      for (const [host, why] of forbiddenHosts) {
        for (const port of [canary.port, canary6.port]) {
          const url = `http://${host}:${port}/mcp`;
          const error = await failure(exchange({ method: "GET", url }, limits));
          expect([host, error.code, error.message]).toEqual([host, "blocked", expect.stringContaining(why)]);
        }
        expect([host, judgeUrl(`https://${host}/`, strict).permitted]).toEqual([host, false]);
      }
      expect([canary.accepted, canary6.accepted]).toEqual([0, 0]);
    },
  );

  test("no URL with another fault is called", verifies("network.urls"), async () => {
    const { exchange } = network(development);
    for (const [url, why] of forbiddenUrls) {
      const error = await failure(exchange({ method: "POST", url, body: "{}" }, limits));
      expect([url, error.code, error.message]).toEqual([url, "blocked", expect.stringContaining(why)]);
      expect(error.message).not.toContain("secret");
    }
  });

  test("the sentence names the address and the cure", () => {
    expect(judgeAddress("127.0.0.1", strict)).toEqual({
      permitted: false,
      reason: "127.0.0.1 is a loopback address",
      cure: "start the catalog with --allow-network 127.0.0.0/8, or on a loopback URL, to permit it",
      kind: "loopback",
    });
    expect(judgeAddress("::ffff:10.0.0.1", strict)).toMatchObject({
      reason: "::ffff:10.0.0.1 (which stands for 10.0.0.1) is a private address",
      cure: "--allow-network 10.0.0.0/8 permits it, where the catalog is started (or to openmcp probe)",
    });
    // Nobody is advised to open these.
    expect(judgeAddress("169.254.169.254", strict)).toMatchObject({ cure: null });
    expect(judgeAddress("no address", strict)).toMatchObject({ permitted: false });
  });
});

describe("permitted places", () => {
  test.each([
    "https://relay.example/mcp",
    "http://relay.example:8080/mcp",
    "https://relay.example:80/",
    "http://relay.example:443/",
    "https://relay.example:1024/",
    "https://relay.example./",
    "https://xn--bcher-kva.example/",
    "https://bücher.example/",
    "https://under_score.example/",
    "https://notlocalhost/",
    "https://localhost.example/",
    "https://8.8.8.8/",
    "https://9.255.255.255/",
    "https://11.0.0.0/",
    "https://100.63.255.255/",
    "https://100.128.0.0/",
    "https://126.255.255.255/",
    "https://128.0.0.0/",
    "https://169.253.255.255/",
    "https://169.255.0.0/",
    "https://172.15.255.255/",
    "https://172.32.0.0/",
    "https://192.167.255.255/",
    "https://192.169.0.0/",
    "https://198.17.255.255/",
    "https://198.20.0.0/",
    "https://223.255.255.255/",
    "https://[2606:4700::1111]/",
    "https://[2a00:1450:4001::200e]/",
    "https://[64:ff9b::808:808]/", // NAT64 of a public address: how an IPv6-only host reaches it
    "https://[2002:808:808::1]/",
    "https://[::ffff:8.8.8.8]/",
  ])("%s", (url) => {
    expect(judgeUrl(url, strict)).toEqual({ permitted: true });
  });
});

/** The forms that an IPv4 address can hide in. */
const forms: readonly ((octets: readonly number[]) => string)[] = [
  (octets) => `::ffff:${octets.join(".")}`,
  (octets) => `::ffff:0:${octets.join(".")}`,
  (octets) => `64:ff9b::${octets.join(".")}`,
  ([a = 0, b = 0, c = 0, d = 0]) => `2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::1`,
  ([a = 0, b = 0, c = 0, d = 0]) =>
    `2001:0:808:808:0:0:${(((a << 8) | b) ^ 0xffff).toString(16)}:${(((c << 8) | d) ^ 0xffff).toString(16)}`,
];

test("an IPv4 address gets one verdict in all its forms", verifies("network.spellings"), () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const first = fc.oneof(octet, fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 255));
  fc.assert(
    fc.property(first, octet, octet, octet, fc.boolean(), (a, b, c, d, allowLoopback) => {
      const policy = { allowLoopback, allowNetworks: ["10.1.0.0/16"] };
      const octets = [a, b, c, d];
      const expected = judgeAddress(octets.join("."), policy).permitted;
      const number = ((a * 256 + b) * 256 + c) * 256 + d;
      for (const spelled of [`${number}`, `0x${number.toString(16)}`, `${a}.${(b * 256 + c) * 256 + d}`]) {
        expect(judgeUrl(`http://${spelled}:8080/`, policy).permitted).toBe(expected);
      }
      for (const form of forms) expect(judgeAddress(form(octets), policy).permitted).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

describe("what an operator opens", () => {
  test(
    "development may call loopback, in all its forms, and nothing else",
    verifies("network.loopback"),
    async () => {
      const server = await serveHttp((_request, response) => response.end("reached"));
      const { exchange } = network(development);
      for (const host of ["127.0.0.1", "2130706433", "localhost", "any.localhost", "[::ffff:127.0.0.1]"]) {
        const response = await exchange({ method: "GET", url: `http://${host}:${server.port}/` }, limits);
        expect([host, await text(response)]).toEqual([host, "reached"]);
      }
      for (const host of ["10.0.0.1", "[fc00::1]", "169.254.169.254", "0.0.0.0", "[::]"]) {
        expect(judgeUrl(`http://${host}/`, development).permitted).toBe(false);
      }
      expect(judgeUrl("http://127.0.0.1:22/", development).permitted).toBe(false);
    },
  );

  test("a network opens its addresses and no others", verifies("network.allow"), async () => {
    const server = await serveHttp((_request, response) => response.end("reached"), "127.0.0.2");
    const policy = { allowLoopback: false, allowNetworks: ["127.0.0.2", "10.0.0.0/8", "fd12::/16"] };
    const response = await network(policy).exchange({ method: "GET", url: server.url }, limits);
    expect(await text(response)).toBe("reached");
    const verdicts = [
      "127.0.0.2",
      "127.0.0.3",
      "10.9.9.9",
      "::ffff:10.1.1.1",
      "fd12::1",
      "fd13::1",
      "192.168.0.1",
    ];
    expect(verdicts.map((address) => judgeAddress(address, policy).permitted)).toEqual([
      true,
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(judgeUrl("http://localhost/", policy).permitted).toBe(false);
    expect(judgeUrl("http://localhost/", { ...policy, allowNetworks: ["127.0.0.0/8"] }).permitted).toBe(true);
  });

  test("a metadata address is opened by its own name only", () => {
    const wide = {
      allowLoopback: false,
      allowNetworks: ["169.254.0.0/16", "100.64.0.0/10", "fd00::/8", "0.0.0.0/0"],
    };
    for (const address of ["169.254.169.254", "100.100.100.200", "fd00:ec2::254", "168.63.129.16"]) {
      expect(judgeAddress(address, wide).permitted).toBe(false);
      expect(judgeAddress(address, { ...wide, allowNetworks: [address] }).permitted).toBe(true);
    }
    expect(judgeAddress("169.254.1.1", wide).permitted).toBe(true);
  });

  test.each(["10.0.0.0/33", "localhost", "010.0.0.0/8", "10.0.0/8", "::/129", "", "10.0.0.0/8/8"])(
    "%j is no network",
    (entry) => {
      expect(() => createExchange({ allowLoopback: false, allowNetworks: [entry] })).toThrow(
        expect.objectContaining({ code: "invalid-input", message: expect.stringContaining("allowNetworks") }),
      );
    },
  );
});
