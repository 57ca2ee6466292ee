import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { HAND_LOOKS_MS, MIN_LOOK_MS } from "../../src/catalog/limits.ts";
import { OpenMcpError, parseRaw } from "../../src/spec/index.ts";
import { createManualClock, type FakeRelay, type ManualClock } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { tool } from "./findings.ts";
import { admin, caller, startTestCatalog, type TestCatalog } from "./fixture.ts";
import { relaysOfTests } from "./relays.ts";

let clock: ManualClock;
let catalog: TestCatalog;
beforeEach(async () => {
  clock = createManualClock();
  catalog = await startTestCatalog({ clock });
});
afterEach(async () => {
  await catalog.close();
});

const relay = relaysOfTests();

const events = async () => (await catalog.changes()).map((change) => change.event);

describe("refreshing", () => {
  it(
    "answers the verdict, and events only for changes",
    verifies("record.refresh-judges", "record.no-change", "webhook.events"),
    async () => {
      const one = await relay({ descriptor: { mcp: "/mcp" }, tools: [tool("a")] });
      const { relay: first } = await catalog.register(one.url);
      await clock.advance(60_000);
      const same = await catalog.refresh(first.id);
      expect(same).toMatchObject({ event: null, events: [] });
      expect(same.relay.seenAt).toBe(new Date(clock.now()).toISOString());
      expect(same.relay.firstSeenAt).toBe(first.firstSeenAt);
      one.update({ tools: [tool("b")] });
      expect(await catalog.refresh(first.id)).toMatchObject({
        event: "relay.updated",
        events: ["relay.updated"],
        relay: { tools: [{ name: "b" }] },
      });
      expect(await events()).toEqual(["relay.registered", "relay.updated"]);
    },
  );

  it("takes no longer than one who asks will wait, also for a relay that hangs", async () => {
    const one = await relay();
    const { relay: first } = await catalog.register(one.url);
    const limits: number[] = [];
    const { context } = catalog;
    // The first look takes all the time that there is.
    const hanging: typeof context.exchange = async (request, { timeoutMs }) => {
      if (request.method !== "POST") return context.exchange(request, { timeoutMs, maxBodyBytes: 1_000 });
      limits.push(timeoutMs);
      await clock.advance(HAND_LOOKS_MS / 2);
      throw new OpenMcpError("timeout", "it did not answer");
    };
    const { relay: judged } = await operations.refresh.run(
      { ...context, exchange: hanging },
      { id: first.id },
      caller,
    );
    expect(judged).toMatchObject({ online: false, probe: { state: "timeout", attempts: 2 } });
    // Both were made of the same requests; the second had the least that a look has.
    const [whole, confirming] = [limits.slice(0, limits.length / 2), limits.slice(limits.length / 2)];
    expect(Math.max(...whole)).toBeGreaterThan(MIN_LOOK_MS);
    expect(Math.max(...confirming)).toBeLessThanOrEqual(MIN_LOOK_MS);
  });

  it("lists a relay by the name that its server has now", async () => {
    const one = await relay({ descriptor: { mcp: "/mcp" } });
    const { relay: first } = await catalog.register(one.url);
    one.update({ serverInfo: { name: "renamed", version: "2.0.0" } });
    await catalog.refresh(first.id);
    const listed = parseRaw(await operations.summaries.run(catalog.context, {}, caller));
    expect(listed.relays).toMatchObject([{ id: first.id, name: "renamed" }]);
  });

  it(
    "looks twice before it says offline, and once when the first look succeeds",
    verifies("record.refresh-judges"),
    async () => {
      const one = await relay();
      const { relay: first } = await catalog.register(one.url);
      let failing = 1;
      one.update({
        intercept(seen, response) {
          if (seen.method !== "POST" || failing === 0) return false;
          failing -= 1;
          response.destroy();
          return true;
        },
      });
      // Both eras of the first look must fail: the first request of each.
      failing = 2;
      const blip = await catalog.refresh(first.id);
      expect(blip).toMatchObject({ events: [], relay: { online: true, probe: { attempts: 2 } } });
      failing = Number.POSITIVE_INFINITY;
      const down = await catalog.refresh(first.id);
      expect(down).toMatchObject({
        events: ["relay.offline"],
        relay: {
          online: false,
          failures: 1,
          toolsFrom: "earlier",
          tools: first.tools,
          probe: { attempts: 2 },
        },
      });
      one.update({ intercept: () => false });
      expect(await catalog.refresh(first.id)).toMatchObject({
        events: ["relay.online"],
        relay: { online: true, failures: 0, probe: { attempts: 1 } },
      });
    },
  );

  it(
    "makes two events of a change of content and one of reachability",
    verifies("record.two-events"),
    async () => {
      const one = await relay({ descriptor: { mcp: "/mcp", name: "Old" } });
      const { relay: first } = await catalog.register(one.url);
      one.update({ descriptor: { mcp: "/mcp", name: "New" }, token: "now gated" });
      const both = await catalog.refresh(first.id);
      expect(both).toMatchObject({ event: "relay.updated", events: ["relay.updated", "relay.offline"] });
      expect(both.relay).toMatchObject({
        tools: first.tools,
        toolsFrom: "earlier",
        probe: { state: "auth-required" },
      });
    },
  );

  it("keeps a relay verified while its origin says nothing, and not after a definite no", async () => {
    const one = await relay({ descriptor: { mcp: "/mcp", name: "Kept" } });
    const { relay: first } = await catalog.register(one.url);
    one.update({
      intercept(seen, response) {
        if (seen.method !== "GET") return false;
        response.writeHead(503).end();
        return true;
      },
    });
    expect(await catalog.refresh(first.id)).toMatchObject({
      events: [],
      relay: { verified: true, descriptor: { name: "Kept" } },
    });
    one.update({ descriptor: null, intercept: () => false });
    expect(await catalog.refresh(first.id)).toMatchObject({
      events: ["relay.updated"],
      relay: { verified: false, online: true, descriptor: { mcp: one.url }, source: one.url },
    });
  });

  describe("a relay whose own descriptor names another path", () => {
    /** One relay with two paths; the descriptor says which is meant. */
    async function twoPaths(): Promise<FakeRelay> {
      const inner = await relay();
      const outer = await relay({
        path: "/none",
        descriptor: { mcp: "/mcp" },
        async intercept(seen, response) {
          if (seen.path !== "/mcp" && seen.path !== "/v2/mcp") return false;
          const answer = await fetch(inner.url, {
            method: seen.method,
            headers: seen.headers as Record<string, string>,
            ...(seen.body === "" ? {} : { body: seen.body }),
          });
          response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
          return true;
        },
      });
      return outer;
    }

    it(
      "keeps its id and record; the old URL becomes an alias",
      verifies("id.alias", "id.stable"),
      async () => {
        const one = await twoPaths();
        const { relay: first } = await catalog.register(one.origin);
        one.update({ descriptor: { mcp: "/v2/mcp" } });
        const moved = await catalog.refresh(first.id);
        expect(moved).toMatchObject({
          events: ["relay.updated"],
          relay: {
            id: first.id,
            firstSeenAt: first.firstSeenAt,
            online: true,
            verified: true,
            descriptor: { mcp: "/v2/mcp" },
            aliases: [`${one.origin}/mcp`],
          },
        });
        for (const url of [`${one.origin}/mcp`, `${one.origin}/v2/mcp`, one.origin]) {
          expect(await catalog.register(url)).toMatchObject({
            created: false,
            events: [],
            relay: { id: first.id },
          });
        }
        one.update({ descriptor: { mcp: "/mcp" } });
        const back = await catalog.refresh(first.id);
        expect(back.relay).toMatchObject({
          id: first.id,
          descriptor: { mcp: "/mcp" },
          aliases: [`${one.origin}/v2/mcp`],
        });
        expect(await catalog.ids()).toEqual([first.id]);
      },
    );

    it("is found to have moved by a registration too", verifies("id.alias"), async () => {
      const one = await twoPaths();
      const { relay: first } = await catalog.register(one.origin);
      one.update({ descriptor: { mcp: "/v2/mcp" } });
      const again = await catalog.register(one.origin);
      expect(again).toMatchObject({ created: false, events: ["relay.updated"], relay: { id: first.id } });
      expect(await catalog.ids()).toEqual([first.id]);
    });

    it(
      "is found to have moved by a registration of its old URL, which answers still",
      verifies("id.alias"),
      async () => {
        const one = await twoPaths();
        const { relay: first } = await catalog.register(one.origin);
        one.update({ descriptor: { mcp: "/v2/mcp" } });
        const again = await catalog.register(`${one.origin}/mcp`);
        expect(again).toMatchObject({
          created: false,
          events: ["relay.updated"],
          relay: {
            id: first.id,
            verified: true,
            descriptor: { mcp: "/v2/mcp" },
            aliases: [`${one.origin}/mcp`],
          },
        });
        expect(again.relays).toBeUndefined();
        expect(await catalog.ids()).toEqual([first.id]);
      },
    );

    it(
      "stays where it is when the new path is another relay's",
      verifies("id.never-overwritten"),
      async () => {
        const one = await twoPaths();
        const { relay: first } = await catalog.register(one.origin);
        const other = await catalog.register(`${one.origin}/v2/mcp`);
        expect(other.created).toBe(true);
        one.update({ descriptor: { mcp: "/v2/mcp" } });
        expect((await catalog.refresh(first.id)).relay).toMatchObject({
          id: first.id,
          verified: false,
          descriptor: { mcp: `${one.origin}/mcp` },
        });
        expect((await catalog.refresh(other.relay.id)).relay).toMatchObject({
          id: other.relay.id,
          verified: true,
        });
      },
    );
  });

  it("shares one look among all who ask at once", async () => {
    const one = await relay({ descriptor: { mcp: "/mcp" } });
    const { relay: first } = await catalog.register(one.url);
    one.update({ token: "gated" });
    const seen = one.requests.length;
    const answers = await Promise.all(Array.from({ length: 8 }, () => catalog.refresh(first.id)));
    expect(new Set(answers.map((answer) => answer.relay.failures))).toEqual(new Set([1]));
    const read = one.requests.slice(seen).filter(({ method }) => method === "GET");
    expect(read.map(({ path }) => path)).toEqual([
      "/.well-known/openmcp.json",
      "/.well-known/ai-catalog.json",
    ]);
    expect(await events()).toEqual(["relay.registered", "relay.offline"]);
  });

  it("brings back no relay that is removed meanwhile", async () => {
    const one = await relay();
    const { relay: first } = await catalog.register(one.url);
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    one.update({
      async intercept() {
        asked.resolve();
        await held.promise;
        return false;
      },
    });
    const refreshing = catalog.refresh(first.id);
    await asked.promise;
    await operations.remove.run(catalog.context, { id: first.id }, admin);
    held.resolve();
    await expect(refreshing).rejects.toMatchObject({ code: "not-found" });
    expect(await catalog.ids()).toEqual([]);
  });

  it("names near ids for one that is not listed", async () => {
    const one = await relay();
    const { relay: first } = await catalog.register(one.url);
    await expect(catalog.refresh(`${first.id}x`)).rejects.toMatchObject({
      code: "not-found",
      data: { near: [first.id] },
    });
    await expect(catalog.refresh(first.id.replace(/.$/, ""))).rejects.toMatchObject({
      data: { near: [first.id] },
    });
    await expect(catalog.refresh(one.url)).rejects.toMatchObject({ data: { near: [first.id] } });
    await expect(catalog.refresh("zzz")).rejects.toMatchObject({ code: "not-found", data: { near: [] } });
  });
});

describe("removing", () => {
  it("is the admin's, and is told once", verifies("rest.remove"), async () => {
    const one = await relay();
    const { relay: first } = await catalog.register(one.url);
    const remove = (by: typeof caller) => operations.remove.run(catalog.context, { id: first.id }, by);
    await expect(remove(caller)).rejects.toMatchObject({ code: "unauthorized" });
    expect(await remove(admin)).toEqual({ removed: first.id });
    await expect(remove(admin)).rejects.toMatchObject({ code: "not-found" });
    expect(await events()).toEqual(["relay.registered", "relay.removed"]);
  });
});
