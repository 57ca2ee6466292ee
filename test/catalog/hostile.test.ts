/** Registrations whose other side means harm, or is merely absurd: each ends as what it is, and touches nobody else. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { relayId } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { tool } from "./findings.ts";
import { caller, startTestCatalog, type TestCatalog } from "./fixture.ts";
import { relaysOfTests } from "./relays.ts";

let catalog: TestCatalog;
beforeEach(async () => {
  catalog = await startTestCatalog();
});
afterEach(async () => {
  await catalog.close();
});

const relay = relaysOfTests();

describe("a hostile origin", () => {
  it.each([
    ["an escaped one", (url: string) => url.replace("/mcp", "/%6dc%70")],
    ["one with slashes", (url: string) => `${url}///`],
    ["one with a query", (url: string) => `${url}?break=1`],
  ])(
    "can't take another's relay offline by naming it in a spelling it does not know: %s",
    verifies("id.never-overwritten"),
    async (_name, spell) => {
      // Strict about its path, as many servers are.
      const victim = await relay({
        intercept(seen, response) {
          if (seen.path === "/mcp") return false;
          response.writeHead(404).end();
          return true;
        },
      });
      const before = (await catalog.register(victim.url)).relay;
      const thief = await relay({
        host: "127.0.0.2",
        path: "/x",
        descriptor: { mcp: spell(victim.url), name: "Mine" },
      });
      await catalog.register(thief.origin).catch(() => null);
      await catalog.register(spell(victim.url)).catch(() => null);
      expect(await catalog.get(before.id)).toMatchObject({
        online: true,
        failures: 0,
        descriptor: before.descriptor,
      });
      expect((await catalog.changes()).map((change) => change.event)).toEqual(["relay.registered"]);
    },
  );

  it("gains nothing by redirecting its descriptor to another's", async () => {
    const victim = await relay({ descriptor: { mcp: "/mcp", name: "Victim" } });
    const before = (await catalog.register(victim.origin)).relay;
    const thief = await relay({
      host: "127.0.0.2",
      intercept(seen, response) {
        if (seen.method !== "GET") return false;
        response.writeHead(302, { location: `${victim.origin}${seen.path}` }).end();
        return true;
      },
    });
    const answer = await catalog.register(thief.url);
    // Its own endpoint answers, so it is listed: as itself, and unverified.
    expect(answer.relay).toMatchObject({
      id: relayId(thief.url),
      verified: false,
      descriptor: { mcp: thief.url },
    });
    expect(await catalog.get(before.id)).toMatchObject({
      verified: true,
      descriptor: before.descriptor,
      source: before.source,
    });
  });

  it("can't move another's record by a descriptor that claims its id", async () => {
    const victim = await relay({ descriptor: { mcp: "/mcp" } });
    const before = (await catalog.register(victim.origin)).relay;
    const port = new URL(victim.url).port;
    // A path that makes the victim's slug out of another host.
    const thief = await relay({
      host: "127.0.0.2",
      path: "/mcp",
      descriptor: { mcp: "/mcp", id: before.id, aliases: [victim.url] },
    });
    const answer = await catalog.register(thief.origin);
    expect(answer.relay.id).not.toBe(before.id);
    expect(answer.relay.aliases).toBeUndefined();
    expect((await catalog.get(before.id)).descriptor).toEqual({ mcp: "/mcp" });
    expect(before.id).toBe(`127.0.0.1-${port}`);
  });

  it(
    "may name its tools as it likes: they are data, listed and callable",
    verifies("probe.tools-whole"),
    async () => {
      const names = [
        "<script>alert(1)</script>",
        "a".repeat(5_000),
        "'; drop table relay; --",
        "../../etc",
        "\u202Eevil",
        "__proto__",
      ];
      const odd = await relay({
        tools: names.map((name) => tool(name, { description: "<img src=x onerror=alert(1)>" })),
      });
      const { relay: record } = await catalog.register(odd.url);
      expect(record.tools.map((listed) => listed.name)).toEqual(names);
      for (const name of names) {
        const answer = await operations.call.run(
          catalog.context,
          { relay: record.id, tool: name, arguments: { n: 1 } },
          caller,
        );
        expect(answer.tool).toBe(name);
      }
    },
  );

  it(
    "keeps a descriptor of wrong types as served, and uses none of them",
    verifies("descriptor.wrong-types"),
    async () => {
      const descriptor = {
        mcp: "/mcp",
        name: 7,
        tags: "x",
        auth: [],
        tools: [{ a: 1 }, 5],
        operator: "javascript:alert(1)",
      };
      const odd = await relay({ token: "t", descriptor });
      const { relay: record } = await catalog.register(odd.url);
      expect(record).toMatchObject({ descriptor, tools: [], toolsFrom: null });
    },
  );

  it("that hangs keeps nobody else waiting", async () => {
    const hanging = await relay({ host: "127.0.0.2", intercept: () => true });
    const abort = new AbortController();
    const stuck = operations.register.run(
      catalog.context,
      { url: hanging.url },
      { signal: abort.signal, admin: false },
    );
    await expect.poll(() => hanging.requests.length).toBeGreaterThan(0);
    const good = await relay();
    expect((await catalog.register(good.url)).created).toBe(true);
    abort.abort();
    await expect(stuck).rejects.toMatchObject({ code: "aborted" });
  });
});
