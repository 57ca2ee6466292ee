import { describe, expect, it } from "vitest";
import type { SeenRequest } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { counter, PERIOD, startWatched } from "./watched.ts";

/** A descriptor behind a cache-aware server; its name and its headers may change. */
function served(headers: Record<string, string>) {
  const state = { name: "One", headers, asked: [] as (string | undefined)[], always304: false };
  return {
    state,
    intercept(seen: SeenRequest, response: import("node:http").ServerResponse): boolean {
      if (seen.method !== "GET" || seen.path !== "/.well-known/openmcp.json") return false;
      state.asked.push(seen.headers["if-none-match"] ?? seen.headers["if-modified-since"]);
      const { etag, "last-modified": lastModified } = state.headers;
      const same =
        (etag !== undefined && seen.headers["if-none-match"] === etag) ||
        (etag === undefined &&
          lastModified !== undefined &&
          seen.headers["if-modified-since"] === lastModified);
      if (same || state.always304) response.writeHead(304, state.headers).end();
      else {
        const body = JSON.stringify({ mcp: "/mcp", name: state.name });
        response.writeHead(200, { "content-type": "application/json", ...state.headers }).end(body);
      }
      return true;
    },
  };
}

const nameOf = async (catalog: { get(id: string): Promise<{ descriptor: object }> }, id: string) =>
  (await catalog.get(id)).descriptor;

describe("a descriptor", () => {
  it(
    "that says it is fresh is not asked for until it is stale: a look is one request",
    verifies("watch.conditional", "watch.hints"),
    async () => {
      await using watched = await startWatched();
      const document = served({ etag: '"one"', "cache-control": "public, max-age=13" });
      const { relay, id } = await watched.listed({ era: "modern", intercept: document.intercept });
      const asked = counter(relay);
      watched.watch();
      for (const expected of [{ POST: 1 }, { POST: 1 }, { POST: 1, GET: 1 }, { POST: 1 }]) {
        await watched.pass(PERIOD);
        expect(asked()).toEqual(expected);
      }
      expect(await watched.catalog.get(id)).toMatchObject({
        verified: true,
        descriptor: { name: "One" },
        source: `${relay.origin}/.well-known/openmcp.json`,
      });
      expect(document.state.asked).toEqual([undefined, '"one"']);
      expect(await watched.events()).toEqual(["relay.registered"]);
    },
  );

  it.each([
    [{ etag: 'W/"weak"' }, 'W/"weak"'],
    [{ "last-modified": "Sat, 12 Sep 2026 18:04:11 GMT" }, "Sat, 12 Sep 2026 18:04:11 GMT"],
    [{ etag: '"e"', "cache-control": "no-cache" }, '"e"'],
    [{ etag: '"e"', "cache-control": "max-age=60, no-store" }, '"e"'],
    [{ etag: '"e"', "cache-control": "max-age=60", age: "60" }, '"e"'],
  ])(
    "served with %j is asked for by what it was served with",
    verifies("watch.conditional"),
    async (headers, by) => {
      await using watched = await startWatched();
      const document = served(headers);
      const { id } = await watched.listed({ intercept: document.intercept });
      watched.watch();
      await watched.pass(PERIOD);
      await watched.pass(PERIOD);
      expect(document.state.asked).toEqual([undefined, by, by]);
      expect(await watched.catalog.get(id)).toMatchObject({ verified: true, descriptor: { name: "One" } });
    },
  );

  it(
    "that changed is read anew, with what it is served with now",
    verifies("watch.conditional"),
    async () => {
      await using watched = await startWatched();
      const document = served({ etag: '"one"' });
      const { id } = await watched.listed({ intercept: document.intercept });
      watched.watch();
      Object.assign(document.state, { name: "Two", headers: { etag: '"two"' } });
      await watched.pass(PERIOD);
      expect(await nameOf(watched.catalog, id)).toMatchObject({ name: "Two" });
      await watched.pass(PERIOD);
      expect(document.state.asked).toEqual([undefined, '"one"', '"two"']);
      expect(await watched.events()).toEqual(["relay.registered", "relay.updated"]);
    },
  );

  it("is asked for by hand although it is fresh, and by what it was served with", async () => {
    await using watched = await startWatched();
    const document = served({ etag: '"one"', "cache-control": "max-age=3600" });
    const { id } = await watched.listed({ intercept: document.intercept });
    await watched.catalog.refresh(id);
    expect(document.state.asked).toEqual([undefined, '"one"']);
    Object.assign(document.state, { name: "Two", headers: { etag: '"two"' } });
    await watched.catalog.refresh(id);
    expect(await nameOf(watched.catalog, id)).toMatchObject({ name: "Two" });
  });

  it(
    "that nobody asked about conditionally is asked for again after a 304",
    verifies("watch.conditional"),
    async () => {
      await using watched = await startWatched();
      const document = served({});
      const { id } = await watched.listed({ intercept: document.intercept });
      watched.watch();
      document.state.always304 = true;
      await watched.pass(PERIOD);
      expect(document.state.asked).toEqual([undefined, undefined, undefined]);
      // A server that insists says nothing: what it said before stands.
      expect(await watched.catalog.get(id)).toMatchObject({ verified: true, descriptor: { name: "One" } });
      expect(await watched.events()).toEqual(["relay.registered"]);
    },
  );

  it("is forgotten with its validators when it is gone", verifies("watch.conditional"), async () => {
    await using watched = await startWatched();
    const document = served({ etag: '"one"' });
    const { relay, id } = await watched.listed({ intercept: document.intercept });
    watched.watch();
    relay.update({ intercept: () => false, descriptor: null });
    await watched.pass(PERIOD);
    expect(await watched.catalog.get(id)).toMatchObject({ verified: false, online: true });
    relay.update({ intercept: document.intercept });
    await watched.pass(PERIOD);
    expect(document.state.asked).toEqual([undefined, undefined]);
    expect(await watched.catalog.get(id)).toMatchObject({ verified: true, descriptor: { name: "One" } });
  });

  it("is fresh for a day at most, and not at all when the clock was set back", async () => {
    const { isFresh, rememberDocument } = await import("../../src/discovery/document-memory.ts");
    const at = Date.UTC(2026, 8, 12);
    const memory = rememberDocument("u", { "cache-control": "s-maxage=99999999, max-age=1" }, at);
    expect(isFresh(memory, at + 86_399_999)).toBe(true);
    expect(isFresh(memory, at + 86_400_000)).toBe(false);
    expect(isFresh(memory, at - 1)).toBe(false);
    const odd = rememberDocument("u", { "cache-control": 'Max-Age="5"', etag: "\u00e9" }, at);
    expect(odd).toMatchObject({ freshSeconds: 5, etag: null });
  });
});
