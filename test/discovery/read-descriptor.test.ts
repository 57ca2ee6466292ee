import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DescriptorOutcome, readDescriptor } from "../../src/discovery/index.ts";
import { createExchange, type OwnedExchange } from "../../src/net/index.ts";
import { DESCRIPTOR_PATH } from "../../src/spec/index.ts";
import { type FakeRelayOptions, type SeenRequest, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";

let network: OwnedExchange;
beforeAll(() => {
  network = createExchange({ allowLoopback: true, allowNetworks: [] });
});
afterAll(() => network.close());

const now = () => Date.now();

type Intercept = NonNullable<FakeRelayOptions["intercept"]>;

/** What is found on an origin whose descriptor path answers by hand. */
async function found(answer: (response: Parameters<Intercept>[1], seen: SeenRequest) => void) {
  await using relay = await startFakeRelay({
    intercept(seen, response) {
      if (seen.method !== "GET") return false;
      answer(response, seen);
      return true;
    },
  });
  const look = await readDescriptor(relay.url, { exchange: network.exchange, now });
  return { ...look, origin: relay.origin, requests: relay.requests };
}

const good = JSON.stringify({ mcp: "/mcp", "x-own": { kept: [1, null] } });

describe("readDescriptor", () => {
  it("finds what the origin serves, whatever URL of it is given", verifies("probe.any-url"), async () => {
    await using relay = await startFakeRelay({ descriptor: { mcp: "api/mcp", name: "One" } });
    for (const given of [
      relay.origin,
      relay.url,
      `${relay.origin}${DESCRIPTOR_PATH}`,
      `${relay.origin}/a/b?c#d`,
    ]) {
      const look = await readDescriptor(given, { exchange: network.exchange, now });
      expect(look.found).toEqual({
        outcome: "served",
        descriptor: { mcp: "api/mcp", name: "One" },
        endpoint: `${relay.origin}/.well-known/api/mcp`,
        source: `${relay.origin}${DESCRIPTOR_PATH}`,
      });
      expect(look.step).toMatchObject({ step: "descriptor", method: "GET", status: 200, ok: true });
    }
    expect(relay.requests.every((seen) => seen.headers.authorization === undefined)).toBe(true);
  });

  it(
    "resolves mcp on the URL that answered after redirects",
    verifies("descriptor.mcp-relative"),
    async () => {
      await using target = await startFakeRelay({ descriptor: { mcp: "../tools/mcp" } });
      const look = await found((response) =>
        response.writeHead(302, { location: `${target.origin}${DESCRIPTOR_PATH}` }).end(),
      );
      expect(look.found).toMatchObject({
        outcome: "served",
        endpoint: `${target.origin}/tools/mcp`,
        source: `${target.origin}${DESCRIPTOR_PATH}`,
      });
      expect(look.answeredBy).toBe(`${target.origin}${DESCRIPTOR_PATH}`);
    },
  );

  it("keeps unknown keys and ignores the content type", verifies("descriptor.kept"), async () => {
    const look = await found((response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end(good),
    );
    expect(look.found).toMatchObject({ outcome: "served", descriptor: JSON.parse(good) });
  });

  it.each<[string, number, string | null, DescriptorOutcome["outcome"]]>([
    ["an app's page for every path", 200, "<!doctype html><p>hello", "absent"],
    ["nothing at all", 200, "", "absent"],
    ["no content", 204, null, "absent"],
    ["a list", 200, "[]", "absent"],
    ["another document", 200, '{"name":"x"}', "absent"],
    ["an mcp that is no URL", 200, '{"mcp":17}', "absent"],
    ["an mcp of another scheme", 200, '{"mcp":"file:///etc/passwd"}', "absent"],
    ["an mcp without a host", 200, '{"mcp":"https://./mcp"}', "absent"],
    ["an endless mcp", 200, JSON.stringify({ mcp: `/${"a".repeat(3_000)}` }), "absent"],
    ["JSON nested to exhaust", 200, `{"mcp":"/mcp","a":${"[".repeat(9_000)}${"]".repeat(9_000)}}`, "absent"],
    ["not found", 404, "no", "absent"],
    ["gone", 410, "no", "absent"],
    ["an endpoint that wants a session", 400, '{"jsonrpc":"2.0"}', "absent"],
    ["POST only", 405, "no", "absent"],
    ["a gate", 401, "no", "unknown"],
    ["a firewall", 403, "no", "unknown"],
    ["too many requests", 429, "no", "unknown"],
    ["a broken server", 500, good, "unknown"],
    ["a deployment", 503, "no", "unknown"],
  ])("reads %s (%i) as what it is", async (_name, status, body, outcome) => {
    const look = await found((response) => response.writeHead(status).end(body ?? undefined));
    expect(look.found.outcome).toBe(outcome);
    expect(look.step).toMatchObject({ status, ok: false });
    expect(look.step.outcome).toMatch(/\w+ \w+/);
  });

  it("refuses a document over 1 MiB, also one that unpacks to it", verifies("network.limits"), async () => {
    const { gzipSync } = await import("node:zlib");
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024, 32));
    const packed = await found((response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
    );
    expect(packed.found).toMatchObject({ outcome: "absent" });
    const long = await found((response) =>
      response.writeHead(200).end(`{"mcp":"/mcp","a":"${"x".repeat(1_100_000)}"}`),
    );
    expect(long.found).toMatchObject({ outcome: "absent" });
  });

  it("takes no evidence from an origin that hangs, breaks off or leads on and on", async () => {
    const broken = await found((response) => response.destroy());
    expect(broken.found.outcome).toBe("unknown");
    const maze = await found((response, seen) =>
      response.writeHead(302, { location: `${seen.path}x` }).end(),
    );
    expect(maze.found.outcome).toBe("unknown");
    expect(maze.requests.length).toBe(4);
    await using hanging = await startFakeRelay({ intercept: () => true });
    const look = await readDescriptor(hanging.url, { exchange: network.exchange, now, timeoutMs: 50 });
    expect(look.found.outcome).toBe("unknown");
    expect(look.answeredBy).toBeNull();
  });

  it("says when the network policy forbids to ask", async () => {
    await using closed = createExchange({ allowLoopback: false, allowNetworks: [] });
    const look = await readDescriptor("http://127.0.0.1:9/", { exchange: closed.exchange, now });
    expect(look.found.outcome).toBe("blocked");
    const inside = await found((response) =>
      response.writeHead(302, { location: "http://10.0.0.1/.well-known/openmcp.json" }).end(),
    );
    expect(inside.found.outcome).toBe("blocked");
  });

  it("gives up when the caller does", async () => {
    await using hanging = await startFakeRelay({ intercept: () => true });
    const abort = new AbortController();
    const reading = readDescriptor(hanging.url, { exchange: network.exchange, now, signal: abort.signal });
    abort.abort();
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
  });

  it("never rejects for what an origin answers", async () => {
    let body = "";
    await using relay = await startFakeRelay({
      intercept(_seen, response) {
        response.writeHead(200).end(body);
        return true;
      },
    });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.json(),
          fc.string({ unit: "binary" }),
          fc.webUrl().map((mcp) => JSON.stringify({ mcp })),
        ),
        async (text) => {
          body = text;
          const { found: outcome } = await readDescriptor(relay.origin, { exchange: network.exchange, now });
          expect(["served", "absent"]).toContain(outcome.outcome);
        },
      ),
      { numRuns: 60 },
    );
  });
});
