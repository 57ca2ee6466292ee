import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { canonicalEndpoint, DESCRIPTOR_PATH, distinctRelayId, relayId } from "../../src/spec/index.ts";
import type { FakeRelay, FakeRelayOptions, SeenRequest } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { caller, deadUrl, startTestCatalog, type TestCatalog } from "./fixture.ts";
import { relaysOfTests } from "./relays.ts";

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await startTestCatalog();
});
afterEach(async () => {
  await catalog.close();
});

const relay = relaysOfTests();

/** A relay that has several endpoints under one origin: each of `paths` is handed on to the relay's own. */
async function house(paths: readonly string[], options: FakeRelayOptions = {}): Promise<FakeRelay> {
  const inner = await relay(options);
  return relay({
    ...options,
    path: paths[0] ?? "/mcp",
    async intercept(seen, response) {
      if (!paths.includes(seen.path) || seen.path === paths[0]) return false;
      const answer = await fetch(inner.url, {
        method: seen.method,
        headers: seen.headers as Record<string, string>,
        ...(seen.body === "" ? {} : { body: seen.body }),
      });
      response
        .writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" })
        .end(await answer.text());
      return true;
    },
  });
}

describe("registering", () => {
  it(
    "lists a relay with a descriptor from any URL of it, once",
    verifies("probe.any-url", "probe.descriptor-first", "record.keys"),
    async () => {
      const one = await relay({ descriptor: { mcp: "/mcp", name: "One", tags: ["A"], "x-own": 1 } });
      const first = await catalog.register(one.origin);
      expect(first).toMatchObject({ created: true, event: "relay.registered", events: ["relay.registered"] });
      expect(first.relay).toMatchObject({
        id: relayId(one.url),
        source: `${one.origin}${DESCRIPTOR_PATH}`,
        descriptor: { mcp: "/mcp", name: "One", tags: ["A"], "x-own": 1 },
        verified: true,
        online: true,
        failures: 0,
        lastError: null,
        via: null,
        toolsFrom: "relay",
        probe: { state: "online", verifiedBy: "openmcp", attempts: 1, nextAt: null, toolsTruncated: false },
      });
      expect(first.relay.probe.toolsHash).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(first.relay.seenAt).toBe(first.relay.firstSeenAt);
      for (const url of [one.url, `${one.origin}${DESCRIPTOR_PATH}`, one.origin.replace("http://", "")]) {
        const again = await catalog.register(url);
        expect(again).toMatchObject({ created: false, event: null, events: [] });
        expect(again.relay.id).toBe(first.relay.id);
      }
      expect(await catalog.ids()).toEqual([first.relay.id]);
      expect(one.requests.some((seen) => seen.headers.authorization !== undefined)).toBe(false);
    },
  );

  it(
    "takes a URL without a descriptor as the endpoint, unverified",
    verifies("probe.given-url-is-endpoint", "catalog.open-registration"),
    async () => {
      const plain = await relay({ path: "/teams/acme/mcp" });
      const { relay: record } = await catalog.register(plain.url);
      expect(record).toMatchObject({
        id: relayId(plain.url),
        source: plain.url,
        descriptor: { mcp: plain.url },
        verified: false,
        online: true,
        probe: { verifiedBy: null },
      });
      expect(Object.keys(record.descriptor)).toEqual(["mcp"]);
    },
  );

  it.each(["/mcp", "/api/mcp", "/api/v1/mcp", "/v1/mcp"])(
    "finds a bare site's endpoint at %s",
    verifies("probe.site-paths"),
    async (path) => {
      const site = await relay({ path });
      const { relay: record } = await catalog.register(site.origin);
      expect(record).toMatchObject({ online: true, descriptor: { mcp: site.url } });
    },
  );

  it(
    "lists a given endpoint that answers, and the descriptor's own beside it",
    verifies("probe.endpoint-and-descriptor"),
    async () => {
      const two = await house(["/mcp", "/teams/a/mcp"], { descriptor: { mcp: "/mcp", name: "Main" } });
      const answer = await catalog.register(`${two.origin}/teams/a/mcp`);
      expect(answer.relay).toMatchObject({
        verified: false,
        online: true,
        descriptor: { mcp: `${two.origin}/teams/a/mcp` },
      });
      expect(answer.relays).toMatchObject([{ verified: true, online: true, descriptor: { name: "Main" } }]);
      expect(await catalog.ids()).toHaveLength(2);
    },
  );

  it("means the descriptor's relay by a path that is no endpoint", async () => {
    const one = await relay({ descriptor: { mcp: "/mcp" } });
    const answer = await catalog.register(`${one.origin}/docs/start`);
    expect(answer.relay.id).toBe(relayId(one.url));
    expect(answer.relays).toBeUndefined();
  });

  it(
    "lists a gated relay by its descriptor, offline, with the tools it names",
    verifies("probe.gated-with-descriptor", "descriptor.tools-fallback"),
    async () => {
      const gated = await relay({ token: "secret", descriptor: { mcp: "/mcp", tools: ["a", "b", "a", 3] } });
      const { relay: record, created } = await catalog.register(gated.url);
      expect(created).toBe(true);
      expect(record).toMatchObject({
        verified: true,
        online: false,
        seenAt: null,
        failures: 1,
        tools: [{ name: "a" }, { name: "b" }],
        toolsFrom: "descriptor",
        probe: { state: "auth-required", httpStatus: 401 },
      });
      expect(record.lastError).toMatch(/\w+ \w+/);
    },
  );

  it(
    "refuses a gated relay without a descriptor, with evidence and what to serve",
    verifies("probe.auth-required", "probe.facts-only"),
    async () => {
      const gated = await relay({ token: "secret" });
      const refusal = catalog.register(gated.url);
      await expect(refusal).rejects.toMatchObject({
        code: "not-listed",
        data: {
          probe: { url: gated.url, state: "auth-required", httpStatus: 401 },
          serve: { url: `${gated.origin}${DESCRIPTOR_PATH}`, document: { openmcp: "0.1", mcp: gated.url } },
        },
      });
      const { data } = (await refusal.catch((error: unknown) => error)) as {
        data: { probe: { steps: unknown[] } };
      };
      expect(data.probe.steps.length).toBeGreaterThan(1);
      expect(await catalog.ids()).toEqual([]);
    },
  );

  it("refuses what neither answers nor is vouched for", verifies("probe.facts-only"), async () => {
    const page = await relay({
      intercept(_seen, response) {
        response.writeHead(200, { "content-type": "text/html" }).end("<html>hello</html>");
        return true;
      },
    });
    await expect(catalog.register(page.origin)).rejects.toMatchObject({
      code: "not-listed",
      data: { probe: { state: "not-mcp" } },
    });
    await expect(catalog.register(await deadUrl())).rejects.toMatchObject({
      code: "not-listed",
      data: { probe: { state: "unreachable" } },
    });
    await expect(catalog.register("http://10.1.2.3/mcp")).rejects.toMatchObject({
      code: "not-listed",
      data: { probe: { state: "blocked" } },
    });
    expect(await catalog.ids()).toEqual([]);
    expect(await catalog.changes()).toEqual([]);
  });

  it("lists a relay that is down but vouched for", async () => {
    const dead = await deadUrl();
    const { port } = new URL(dead);
    const origin = await relay({ descriptor: { mcp: "/gone", tools: ["kept"] } });
    const { relay: record } = await catalog.register(origin.origin);
    expect(record).toMatchObject({ verified: true, online: false, tools: [{ name: "kept" }] });
    expect(port).not.toBe("");
  });

  describe("a descriptor that names another's endpoint", () => {
    it(
      "proves nothing, and does not touch the other's record",
      verifies("descriptor.other-origin", "id.never-overwritten"),
      async () => {
        const victim = await relay({ descriptor: { mcp: "/mcp", name: "Victim", tags: ["bank"] } });
        const before = (await catalog.register(victim.origin)).relay;
        const thief = await relay({
          host: "127.0.0.2",
          path: "/evil",
          descriptor: { mcp: victim.url, name: "Not you", auth: { kind: "none" } },
        });
        const answer = await catalog.register(thief.origin);
        expect(answer).toMatchObject({ created: false, events: [] });
        expect(answer.relay.descriptor).toEqual(before.descriptor);
        expect(answer.relay.source).toBe(before.source);
        expect(await catalog.ids()).toEqual([before.id]);
      },
    );

    it(
      "leaves an endpoint without a descriptor unverified, under its own id",
      verifies("descriptor.other-origin"),
      async () => {
        const plain = await relay();
        const thief = await relay({
          host: "127.0.0.2",
          path: "/evil",
          descriptor: { mcp: plain.url, name: "Mine" },
        });
        const { relay: record } = await catalog.register(thief.origin);
        expect(record).toMatchObject({
          id: relayId(plain.url),
          verified: false,
          online: true,
          source: plain.url,
          descriptor: { mcp: plain.url },
        });
      },
    );

    it("is no reason to list a dead one", async () => {
      const thief = await relay({ path: "/evil", descriptor: { mcp: await deadUrl(), tools: ["x"] } });
      await expect(catalog.register(thief.origin)).rejects.toMatchObject({ code: "not-listed" });
    });

    it("verifies an endpoint whose own origin names it too", async () => {
      const api = await relay({
        host: "127.0.0.3",
        descriptor: { mcp: "/mcp", name: "From its own origin" },
      });
      const site = await relay({ path: "/none", descriptor: { mcp: api.url, name: "From the site" } });
      const { relay: record } = await catalog.register(site.origin);
      expect(record).toMatchObject({
        id: relayId(api.url),
        verified: true,
        source: `${api.origin}${DESCRIPTOR_PATH}`,
        descriptor: { name: "From its own origin" },
      });
    });
  });

  describe("spellings of one endpoint", () => {
    it("are one relay", verifies("id.endpoint-is-identity"), async () => {
      const one = await relay({ path: "/a-b/mcp" });
      const { port } = new URL(one.url);
      const first = await catalog.register(one.url);
      for (const spelling of [
        `HTTP://127.0.0.1:${port}/a-b/mcp`,
        `http://127.0.0.1:${port}/%61%2db/mcp`,
        `127.0.0.1:${port}/a-b/mcp#part`,
        `http://0x7f.1:${port}/a-b/mcp`,
      ]) {
        const again = await catalog.register(spelling);
        expect(again).toMatchObject({ created: false, events: [], relay: { id: first.relay.id } });
      }
      expect(await catalog.ids()).toHaveLength(1);
    });

    it("with a trailing slash keep the one that answers", async () => {
      const slash = await house(["/mcp/", "/mcp"]);
      const first = await catalog.register(`${slash.origin}/mcp/`);
      const again = await catalog.register(`${slash.origin}/mcp`);
      expect(again).toMatchObject({ created: false, events: [] });
      expect(again.relay.id).toBe(first.relay.id);
      expect(again.relay.descriptor.mcp).toBe(`${slash.origin}/mcp/`);
    });
  });

  it("tells two endpoints with one slug apart by a hash", verifies("id.collision"), async () => {
    const two = await house(["/mcp", "/api/mcp"]);
    const first = await catalog.register(`${two.origin}/mcp`);
    const later = await catalog.register(`${two.origin}/api/mcp`);
    expect(first.relay.id).toBe(relayId(two.url));
    expect(later.created).toBe(true);
    expect(later.relay.id).toBe(await distinctRelayId(`${two.origin}/api/mcp`));
    expect((await catalog.register(`${two.origin}/api/mcp`)).relay.id).toBe(later.relay.id);
  });

  describe("hosts by name", () => {
    it("are asked where they redirect to, with and without www", async () => {
      const target = await relay();
      const { port } = new URL(target.url);
      await catalog.close();
      catalog = await startTestCatalog({
        lookup: async (hostname) => [
          { address: hostname.startsWith("www.") ? "127.0.0.4" : "127.0.0.1", family: 4 as const },
        ],
      });
      await relay({
        host: "127.0.0.4",
        port: Number(port),
        intercept(seen, response) {
          response.writeHead(301, { location: `http://board.example:${port}${seen.path}` }).end();
          return true;
        },
      });
      for (const given of [
        `www.board.example:${port}`,
        `www.board.example:${port}/mcp`,
        `board.example:${port}`,
      ]) {
        const { relay: record } = await catalog.register(`http://${given}`);
        expect(record).toMatchObject({ id: `board.example-${port}`, online: true });
      }
      expect(await catalog.ids()).toHaveLength(1);
    });

    it("have a record each when both answer by themselves", verifies("id.slug"), async () => {
      const target = await relay();
      const { port } = new URL(target.url);
      await catalog.close();
      catalog = await startTestCatalog({ lookup: async () => [{ address: "127.0.0.1", family: 4 }] });
      const bare = await catalog.register(`http://board.example:${port}/mcp`);
      const www = await catalog.register(`http://www.board.example:${port}/mcp`);
      expect(bare.relay.id).toBe(`board.example-${port}`);
      expect(www.relay.id).toBe(
        await distinctRelayId(canonicalEndpoint(`http://www.board.example:${port}/mcp`)),
      );
    });
  });

  describe("an endpoint that redirects to another origin", () => {
    const redirectingTo = (location: string) => ({
      intercept: (seen: SeenRequest, response: ServerResponse) => {
        if (seen.method !== "POST") return false;
        response.writeHead(307, { location }).end();
        return true;
      },
    });

    it("is listed as where it leads, and what is listed can be called", async () => {
      const target = await relay();
      const one = await relay(redirectingTo(target.url));
      const { relay: record } = await catalog.register(one.url);
      expect(record).toMatchObject({ descriptor: { mcp: target.url }, online: true, verified: false });
      expect(await catalog.ids()).toEqual([record.id]);
      const input = { relay: record.id, tool: "echo" };
      await expect(operations.call.run(catalog.context, input, caller)).resolves.toMatchObject(input);
    });

    it("that begins to, goes offline and keeps its record: the other's answers are no evidence of it", async () => {
      const target = await relay();
      const one = await relay();
      const { relay: before } = await catalog.register(one.url);
      one.update(redirectingTo(target.url));
      const { relay: after, events } = await catalog.refresh(before.id);
      expect(events).toEqual(["relay.offline"]);
      expect(after).toMatchObject({
        id: before.id,
        descriptor: before.descriptor,
        tools: before.tools,
        online: false,
        lastError: expect.stringContaining(target.url),
      });
      expect(target.requests).toEqual([]);
      const again = await catalog.register(one.url);
      expect(again).toMatchObject({
        relay: { id: before.id, online: false },
        relays: [{ descriptor: { mcp: target.url }, online: true }],
      });
    });
  });

  describe("races", () => {
    it("of one URL share one probe and end as one relay", async () => {
      const one = await relay({ descriptor: { mcp: "/mcp" }, delayMs: 20 });
      const answers = await Promise.all(Array.from({ length: 12 }, () => catalog.register(one.url)));
      expect(new Set(answers.map((answer) => answer.relay.id)).size).toBe(1);
      expect(one.requests.filter((seen) => seen.path === DESCRIPTOR_PATH)).toHaveLength(1);
      expect(await catalog.changes()).toMatchObject([{ event: "relay.registered" }]);
    });

    it("of several URLs of one relay end as one record and one event", async () => {
      const one = await relay({ descriptor: { mcp: "/mcp" } });
      const answers = await Promise.all(
        [one.url, one.origin, `${one.url}/`, `${one.origin}${DESCRIPTOR_PATH}`, `${one.origin}/%6dcp`].map(
          (url) => catalog.register(url),
        ),
      );
      expect(new Set(answers.map((answer) => answer.relay.id))).toEqual(new Set([relayId(one.url)]));
      // Spellings of one endpoint share a registration, and its answer.
      const spellings = answers.filter((_, index) => index !== 1 && index !== 3);
      expect(new Set(spellings.map((answer) => answer.created)).size).toBe(1);
      expect([answers[0], answers[1], answers[3]].filter((answer) => answer?.created)).toHaveLength(1);
      expect((await catalog.changes()).filter((change) => change.event === "relay.registered")).toHaveLength(
        1,
      );
      expect(one.requests.filter((seen) => seen.path === DESCRIPTOR_PATH)).toHaveLength(1);
    });

    it("of two endpoints with one slug end as two relays", verifies("id.collision"), async () => {
      const two = await house(["/mcp", "/api/mcp", "/v1/mcp"]);
      const urls = ["/mcp", "/api/mcp", "/v1/mcp"].map((path) => `${two.origin}${path}`);
      const answers = await Promise.all(urls.map((url) => catalog.register(url)));
      expect(answers.every((answer) => answer.created)).toBe(true);
      const ids = new Set(answers.map((answer) => answer.relay.id));
      expect(ids.size).toBe(3);
      expect(ids.has(relayId(two.url))).toBe(true);
      for (const [position, url] of urls.entries()) {
        expect(answers[position]?.relay.descriptor.mcp).toBe(url);
      }
    });
  });

  it("takes no listed relay offline by one failing look", async () => {
    const one = await relay();
    const { relay: first } = await catalog.register(one.url);
    // The first request of each era.
    let failing = 2;
    one.update({
      intercept(seen, response) {
        if (seen.method !== "POST" || failing === 0) return false;
        failing -= 1;
        response.destroy();
        return true;
      },
    });
    const again = await catalog.register(one.url);
    expect(again).toMatchObject({
      created: false,
      events: [],
      relay: { online: true, probe: { attempts: 2 } },
    });
    await one.close();
    const down = await catalog.register(one.url);
    expect(down).toMatchObject({
      created: false,
      events: ["relay.offline"],
      relay: { id: first.id, tools: first.tools, toolsFrom: "earlier" },
    });
  });

  it("gives up when the caller goes away, and lists nothing", async () => {
    const hanging = await relay({ intercept: () => true });
    const abort = new AbortController();
    const { operations } = await import("../../src/catalog/index.ts");
    const registering = operations.register.run(
      catalog.context,
      { url: hanging.url },
      { signal: abort.signal, admin: false },
    );
    await expect.poll(() => hanging.requests.length).toBeGreaterThan(0);
    abort.abort();
    await expect(registering).rejects.toMatchObject({ code: "aborted" });
    expect(await catalog.ids()).toEqual([]);
  });
});
