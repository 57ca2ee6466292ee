/** What changed, as pages: every event once and in order from any place, and a place that is gone is said to be. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RelayChange } from "../../src/spec/index.ts";
import type { StoredRelay } from "../../src/store/index.ts";
import { verifies } from "../requirements.ts";
import { json, tool } from "./catalog-fixture.ts";
import { admin, expectProblem, openRest, type RestFixture } from "./rest-fixture.ts";

let rest: RestFixture;

beforeEach(async () => {
  rest = await openRest();
});
afterEach(() => rest[Symbol.asyncDispose]());

const get = (path: string, headers: Record<string, string> = {}) =>
  rest.send("GET", path, undefined, headers);
const changes = async (query = ""): Promise<{ changes: RelayChange[]; next: number }> =>
  json(get(`/v1/changes${query}`));

describe("GET /v1/changes", () => {
  it(
    "gives every event with the record after it, and the place to go on from",
    verifies("changes.order"),
    async () => {
      await rest.register();
      await rest.send("DELETE", "/v1/relays/offline.example", undefined, admin);
      const page = await changes();
      expect(page.changes.map(({ seq, event, relay }) => [seq, event, relay.id])).toEqual([
        [1, "relay.registered", "offline.example"],
        [2, "relay.registered", rest.id],
        [3, "relay.removed", "offline.example"],
      ]);
      const record = (await json(get(`/v1/relays/${rest.id}`))).relay;
      expect(page.changes[1]?.relay).toEqual(record);
      expect(page.changes[2]?.relay).toEqual({ id: "offline.example" });
      expect(Object.keys(page.changes[0] ?? {}).sort()).toEqual(["at", "event", "id", "relay", "seq"]);
      expect(page.next).toBe(3);
      expect(await changes("?since=3")).toEqual({ ok: true, changes: [], next: 3 });
      expect((await changes("?since=0&limit=2")).next).toBe(2);
    },
  );

  it("says what an update changed about the tools and the descriptor", async () => {
    await rest.register();
    rest.relay.update({
      descriptor: { mcp: "/mcp", name: "Paper and ink", tags: ["pdf"] },
      tools: [
        tool("pdf_to_text", "Convert a PDF to plain text, and mail it to us."),
        { ...tool("typed"), outputSchema: { type: "object" } },
        tool("draws", "Draws a picture of something."),
      ],
    });
    await rest.send("POST", `/v1/relays/${rest.id}/refresh`);
    const last = (await changes()).changes.at(-1);
    expect(last).toMatchObject({
      event: "relay.updated",
      detail: {
        descriptor: ["/name"],
        tools: {
          added: ["draws"],
          removed: ["fails"],
          changed: [{ name: "pdf_to_text", fields: ["/description"] }],
          renamed: [],
        },
      },
    });
    expect((await json(get(`/v1/relays/${rest.id}/history`))).toolChanges).toMatchObject([
      { at: last?.at, added: ["draws"], removed: ["fails"] },
    ]);
  });

  it("narrows by relay and event, and still moves its place on", async () => {
    await rest.register();
    const only = await changes(`?relays=offline.example,nobody.example&events=relay.registered`);
    expect(only.changes.map(({ seq }) => seq)).toEqual([1]);
    expect((await changes("?since=1&events=relay.removed")).next).toBe(2);
    expect((await changes("?relays=offline.example&relays=nobody.example")).changes).toHaveLength(1);
  });

  it(
    "refuses a place that is no longer kept, and says where to go on",
    verifies("changes.gone"),
    async () => {
      await rest.register();
      const { store } = rest.catalog.context;
      await store.changes.prune(Date.now() + 1_000_000_000_000, 1);
      const problem = await expectProblem(await get("/v1/changes?since=0"), "gone", 410);
      expect(problem).toMatchObject({ since: 0, oldest: 2, latest: 2 });
      // The next after the last that was dropped is kept: nothing was missed.
      expect((await changes("?since=1")).changes.map(({ seq }) => seq)).toEqual([2]);
      expect((await changes()).changes.map(({ seq }) => seq)).toEqual([2]);
      await expectProblem(await get("/v1/changes?since=99"), "gone", 410);
    },
  );

  it.each([
    ["limit=abc", "limit"],
    ["limit=0", "limit"],
    ["since=-1", "since"],
    ["since=x", "since"],
    ["events=relay.exploded", "events.0"],
    ["events=,", "events"],
  ])("refuses %s, naming the parameter", async (query, field) => {
    expect(await expectProblem(await get(`/v1/changes?${query}`), "invalid-input", 400)).toMatchObject({
      field,
    });
  });
});

describe("GET /v1/relays/:id/history", () => {
  it("gives uptime, spans and changes of the tools", verifies("history.route"), async () => {
    await rest.register();
    const answer = await json(get(`/v1/relays/${rest.id}/history`));
    expect(answer).toMatchObject({
      ok: true,
      relay: rest.id,
      spans: [{ state: "online", to: null }],
      toolChanges: [],
    });
    expect(Object.keys(answer.uptime)).toEqual(["day", "week", "month"]);
    await expectProblem(await get("/v1/relays/nobody.example/history"), "not-found", 404);
  });

  it("knows nothing of a relay that nobody has looked at", async () => {
    expect(await json(get("/v1/relays/offline.example/history"))).toMatchObject({
      uptime: { day: null, week: null, month: null },
      known: { day: 0, week: 0, month: 0 },
      spans: [],
    });
  });
});

describe("GET /v1/relays/:id/badge.svg", () => {
  const badge = async (id: string) => {
    const response = await get(`/v1/relays/${encodeURIComponent(id)}/badge.svg`);
    return { response, svg: await response.text() };
  };

  it("shows both facts, for eyes and for screen readers, and may be kept a while", async () => {
    await rest.register();
    const { response, svg } = await badge(rest.id);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(response.headers.get("cache-control")).toMatch(/^public, max-age=\d+$/);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" .*<\/svg>$/);
    expect(svg).toContain(`role="img" aria-label="${rest.id}: online, verified"`);
    expect(svg).toContain(`<title>${rest.id}: online, verified</title>`);
    expect(svg).toContain(">online · verified</text>");
    const etag = response.headers.get("etag") ?? "";
    expect((await get(`/v1/relays/${rest.id}/badge.svg`, { "if-none-match": etag })).status).toBe(304);
  });

  it("tells offline from gated, and says of a stranger that it is not listed", async () => {
    expect((await badge("offline.example")).svg).toContain(">offline · unverified<");
    const { record } = (await rest.catalog.context.store.relays.get("offline.example")) as StoredRelay;
    const probe = { ...record.probe, state: "auth-required" as const };
    await rest.catalog.list("https://gated.example/mcp", { online: false, verified: true, probe });
    expect((await badge("gated.example")).svg).toContain(">needs a credential · verified<");
    const { response, svg } = await badge("nobody.example");
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toContain("image/svg+xml");
    expect(svg).toContain(">not listed<");
  });

  it("escapes what it was asked with", async () => {
    const { svg } = await badge(`"><script>alert(1)</script>&\u0001'`);
    expect(svg).not.toContain("<script");
    expect(svg).not.toContain("\u0001");
    expect(svg).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;");
  });
});
