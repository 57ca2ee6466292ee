import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Probe, type ProbeDeps, probeUrl } from "../../src/catalog/index.ts";
import { givenEndpoint, onAnsweringOrigin, siteEndpoints } from "../../src/catalog/probe/candidates.ts";
import { judgeVouching } from "../../src/catalog/probe/inspector.ts";
import { readDescriptor } from "../../src/discovery/index.ts";
import { createExchange, type OwnedExchange } from "../../src/net/index.ts";
import { DESCRIPTOR_PATH, type ProbeStep } from "../../src/spec/index.ts";
import type { FakeRelayOptions } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { failed, online, vouched } from "./findings.ts";
import { relaysOfTests } from "./relays.ts";

let network: OwnedExchange;
beforeAll(() => {
  network = createExchange({
    allowLoopback: true,
    allowNetworks: [],
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
  });
});
afterAll(() => network.close());

const relay = relaysOfTests();

const probe = (given: string, more: Partial<ProbeDeps> = {}): Promise<Probe> =>
  probeUrl(given, { exchange: network.exchange, now: () => Date.now(), ...more });

describe("probeUrl", () => {
  it(
    "asks for the descriptor first, then the endpoint, and tells each step as it is done",
    verifies("probe.descriptor-first", "probe.unauthenticated"),
    async () => {
      const one = await relay({ descriptor: { mcp: "/mcp", name: "One" } });
      const told: ProbeStep[] = [];
      const found = await probe(one.url, { onStep: (step) => told.push(step) });
      expect(one.requests.map((seen) => seen.method)).toEqual([
        "GET",
        ...Array(one.requests.length - 1).fill("POST"),
      ]);
      expect(one.requests.every((seen) => seen.headers.authorization === undefined)).toBe(true);
      expect(told).toEqual(found.steps);
      expect(told[0]).toMatchObject({ step: "descriptor", url: `${one.origin}${DESCRIPTOR_PATH}`, ok: true });
      expect(told.length).toBeGreaterThan(1);
      expect(found).toMatchObject({
        url: one.url,
        finding: {
          endpoint: one.url,
          source: `${one.origin}${DESCRIPTOR_PATH}`,
          verifiedBy: "openmcp",
          descriptorEvidence: "served",
          descriptor: { name: "One" },
          verdict: { state: "online" },
        },
        others: [],
      });
    },
  );

  it(
    "asks every path of a site that answers nothing, and the root last",
    verifies("probe.site-paths"),
    async () => {
      const bare = await relay({ path: "/none" });
      const found = await probe(bare.origin);
      const paths = [
        ...new Set(bare.requests.filter((seen) => seen.method === "POST").map((seen) => seen.path)),
      ];
      expect(paths).toEqual(["/mcp", "/api/mcp", "/api/v1/mcp", "/v1/mcp", "/"]);
      expect(found.finding.verdict.state).not.toBe("online");
    },
  );

  it("finds a relay at the root of its host", async () => {
    const root = await relay({ path: "/" });
    expect((await probe(root.origin)).finding).toMatchObject({ url: root.url, verdict: { state: "online" } });
  });

  it("prefers what says most of a site that is not open", async () => {
    const gated = await relay({ path: "/api/mcp", token: "t" });
    expect((await probe(gated.origin)).finding).toMatchObject({
      url: gated.url,
      verdict: { state: "auth-required" },
    });
  });

  it("asks no other path of a host that can't be reached", async () => {
    const gone = await relay();
    await gone.close();
    const told: ProbeStep[] = [];
    const found = await probe(gone.origin, { onStep: (step) => told.push(step) });
    expect(found.finding.verdict.state).toBe("unreachable");
    expect(new Set(told.map((step) => new URL(step.url).pathname))).toEqual(
      new Set([DESCRIPTOR_PATH, "/mcp"]),
    );
  });

  it("looks at the endpoint while the descriptor hangs, and takes no evidence from that", async () => {
    const asked = Promise.withResolvers<void>();
    const half = await relay({
      intercept(seen) {
        if (seen.method === "POST") asked.resolve();
        return seen.method === "GET";
      },
    });
    const found = await probe(half.url, {
      // It hangs until the endpoint was asked: who waits for it first waits for ever.
      async readDescriptor(url, options) {
        await asked.promise;
        return readDescriptor(url, { ...options, timeoutMs: 1 });
      },
    });
    expect(found.finding).toMatchObject({
      descriptorEvidence: "unknown",
      verifiedBy: null,
      verdict: { state: "online" },
    });
  });

  it(
    "follows a redirect of the whole host from http to https and from www",
    verifies("id.endpoint-is-identity"),
    async () => {
      const target = await relay();
      const { port } = new URL(target.url);
      const origin = `http://board.example:${port}`;
      // Its own POSTs are answered too: the host still says where it lives.
      await relay({
        host: "127.0.0.5",
        port: Number(port),
        intercept(seen, response) {
          if (seen.method !== "GET") return false;
          response.writeHead(301, { location: `${origin}${seen.path}` }).end();
          return true;
        },
      });
      await using named = createExchange({
        allowLoopback: true,
        allowNetworks: [],
        lookup: async (host) => [{ address: host.startsWith("www.") ? "127.0.0.5" : "127.0.0.1", family: 4 }],
      });
      const found = await probe(`http://www.board.example:${port}/mcp`, { exchange: named.exchange });
      expect(found.finding).toMatchObject({ endpoint: `${origin}/mcp`, verdict: { state: "online" } });
    },
  );

  describe("an endpoint that redirects", () => {
    const redirecting = (location: string, status = 308): FakeRelayOptions => ({
      intercept(seen, response) {
        if (seen.method !== "POST") return false;
        response.writeHead(status, { location }).end();
        return true;
      },
    });

    it.each([301, 302, 307, 308])("to another origin (%d) is that one, by its own word", async (status) => {
      const target = await relay({ descriptor: { mcp: "/mcp", name: "Target" } });
      const one = await relay(redirecting(target.url, status));
      const found = await probe(one.url);
      expect(found.finding).toMatchObject({
        endpoint: target.url,
        verifiedBy: "openmcp",
        source: `${target.origin}${DESCRIPTOR_PATH}`,
        verdict: { state: "online" },
      });
      expect(found.others).toMatchObject([
        { endpoint: one.url, verifiedBy: null, verdict: { state: "not-mcp", redirectsTo: target.url } },
      ]);
    });

    it("is vouched for by neither the other's descriptor nor its own's word on the other", async () => {
      const target = await relay();
      const one = await relay({ ...redirecting(target.url), descriptor: { mcp: "/mcp", name: "Mine" } });
      const found = await probe(one.url);
      expect(found.finding).toMatchObject({ endpoint: target.url, verifiedBy: null, descriptor: null });
      expect(found.others).toMatchObject([{ endpoint: one.url, verifiedBy: "openmcp" }]);
      expect(found.others[0]?.verdict.state).not.toBe("online");
    });

    it("to nothing, in circles or to a forbidden place lists nothing else, and is asked no more than three times", async () => {
      const gone = await relay();
      await gone.close();
      for (const [location, state] of [
        [gone.url, "not-mcp"],
        ["http://10.0.0.1/mcp", "blocked"],
        ["http://169.254.169.254/", "blocked"],
        ["file:///etc/passwd", "not-mcp"],
      ] as const) {
        const one = await relay(redirecting(location));
        const found = await probe(one.url);
        expect(found.finding).toMatchObject({ endpoint: one.url, verdict: { state } });
        expect(found.finding.verdict.error).toContain("redirects");
      }
      const there = await relay();
      const back = await relay(redirecting(there.url));
      there.update(redirecting(back.url));
      const found = await probe(there.url);
      expect(found.finding).toMatchObject({ endpoint: there.url, verdict: { redirectsTo: back.url } });
    });
  });

  it("asks a listed relay by the spelling of its record, and another only in vain", async () => {
    const one = await relay();
    const odd = one.url.replace("/mcp", "/%6Dcp");
    const known = async () => ({ url: one.url, hints: null });
    const found = await probe(odd, { known });
    expect(found.finding).toMatchObject({ url: one.url, verdict: { state: "online" } });
    expect(one.requests.every((seen) => !seen.path.includes("%"))).toBe(true);
  });

  it("refuses what is no URL, and gives up with the caller", async () => {
    await expect(probe("no url")).rejects.toMatchObject({ code: "invalid-input", data: { field: "url" } });
    const hanging = await relay({ intercept: () => true });
    const abort = new AbortController();
    const probing = probe(hanging.url, { signal: abort.signal });
    abort.abort();
    await expect(probing).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("candidates", () => {
  it.each([
    ["https://a.example/", null],
    ["https://a.example/?x=1", null],
    [`https://a.example${DESCRIPTOR_PATH}`, null],
    ["https://a.example/.well-known/mcp", null],
    ["https://a.example/mcp", "https://a.example/mcp"],
    ["https://a.example/.well-knownish", "https://a.example/.well-knownish"],
  ])("%s may be an endpoint: %s", (url, endpoint) => {
    expect(givenEndpoint(url)).toBe(endpoint);
  });

  it("of a site are its usual paths; a query counts at the root", () => {
    expect(siteEndpoints("https://a.example/.well-known/x")[0]).toBe("https://a.example/mcp");
    expect(siteEndpoints("https://a.example/?key=1")[0]).toBe("https://a.example/?key=1");
    expect(siteEndpoints("https://a.example/")).toHaveLength(5);
  });

  it.each([
    ["https://a.example", null, null],
    ["https://a.example", `https://a.example${DESCRIPTOR_PATH}`, null],
    ["https://a.example", "https://b.example/login", null],
    [
      "https://a.example",
      `https://b.example${DESCRIPTOR_PATH}`,
      { url: "https://b.example/t/mcp?k=1", sameHost: false },
    ],
    [
      "http://a.example",
      `https://a.example${DESCRIPTOR_PATH}`,
      { url: "https://a.example/t/mcp?k=1", sameHost: true },
    ],
    [
      "https://www.a.example",
      `https://a.example${DESCRIPTOR_PATH}`,
      { url: "https://a.example/t/mcp?k=1", sameHost: true },
    ],
  ])("of %s, whose descriptor was answered by %s, move to %j", (origin, answeredBy, moved) => {
    const document = { url: `${origin}${DESCRIPTOR_PATH}`, answeredBy };
    expect(onAnsweringOrigin(`${origin}/t/mcp?k=1`, document)).toEqual(moved);
  });
});

describe("judgeVouching", () => {
  const step: ProbeStep = {
    step: "descriptor",
    method: "GET",
    url: "",
    status: 200,
    ms: 0,
    outcome: "",
    ok: true,
  };
  const reading = (found: Parameters<typeof judgeVouching>[1]["found"]) => ({
    url: `https://a.example${DESCRIPTOR_PATH}`,
    answeredBy: null,
    found,
    document: null,
    step,
  });
  it.each([
    ["https://a.example/mcp", "served", "openmcp"],
    ["https://a.example/mcp/", "served", "openmcp"],
    ["https://A.example:443/%6dcp", "served", "openmcp"],
    ["https://a.example/other", "absent", null],
    ["http://a.example/mcp", "absent", null],
    ["https://b.example/mcp", "absent", null],
  ])(
    "of %s by a descriptor that names https://a.example/mcp is %s",
    verifies("descriptor.other-origin"),
    (url, evidence, by) => {
      const descriptor = vouched().descriptor ?? { mcp: "/mcp" };
      const found = {
        outcome: "served",
        descriptor,
        endpoint: "https://a.example/mcp",
        source: "s",
      } as const;
      expect(judgeVouching(url, reading(found))).toMatchObject({
        descriptorEvidence: evidence,
        verifiedBy: by,
      });
    },
  );

  it.each([
    ["absent", "absent"],
    ["unknown", "unknown"],
    ["blocked", "unknown"],
  ] as const)("by an origin whose descriptor is %s is %s", (outcome, evidence) => {
    expect(judgeVouching("https://a.example/mcp", reading({ outcome, problem: "p" }))).toMatchObject({
      descriptor: null,
      descriptorEvidence: evidence,
    });
  });
});

describe("verdicts", () => {
  it("that may pass are looked at twice, refusals are not", async () => {
    const { mayPass, noUseAskingOn } = await import("../../src/catalog/probe/verdicts.ts");
    expect(mayPass(online())).toBe(false);
    const passing = ["timeout", "unreachable", "protocol-error", "not-mcp"] as const;
    expect(passing.every((state) => mayPass(failed(state)))).toBe(true);
    const staying = ["auth-required", "wrong-transport", "blocked"] as const;
    expect(staying.some((state) => mayPass(failed(state)))).toBe(false);
    expect(noUseAskingOn(failed("not-mcp"))).toBe(false);
    expect(noUseAskingOn(failed("timeout"))).toBe(true);
  });
});
