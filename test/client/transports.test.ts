/** One real catalog, read over REST and over MCP: the same methods give the same answers. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CatalogClient, type OpenMcpError } from "../../src/client/index.ts";
import { relayId } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { startFakeCatalog } from "./fake-catalog.ts";
import { ADMIN, type Scene, startScene } from "./real-catalog.ts";

let scene: Scene;
let rest: CatalogClient;
let mcp: CatalogClient;
const both = () => [rest, mcp] as const;

beforeAll(async () => {
  scene = await startScene();
  rest = new CatalogClient(scene.url, { token: ADMIN });
  mcp = new CatalogClient(scene.url, { transport: "mcp" });
  for (const relay of [scene.weather, scene.sums, scene.gated]) await rest.register(relay.url);
});

afterAll(async () => {
  await mcp?.close();
  await rest?.close();
  await scene?.[Symbol.asyncDispose]();
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error) => error as OpenMcpError,
  );

/** The same question to both; the answers, without what the clock changes. */
async function asked<T>(
  question: (catalog: CatalogClient) => Promise<T>,
): Promise<[overRest: T, overMcp: T]> {
  return [await question(rest), await question(mcp)];
}

describe("REST and MCP give the same answers", () => {
  it("to list, filtered and paged", verifies("mcp.same-answers", "client.two-facts"), async () => {
    for (const input of [
      {},
      { q: "weather" },
      { online: false },
      { verified: true },
      { tag: "weather" },
      { auth: "unknown" as const },
      { limit: 1 },
    ]) {
      const [overRest, overMcp] = await asked((catalog) => catalog.list(input));
      expect(overMcp).toEqual(overRest);
    }
    const { relays } = await mcp.list();
    expect(relays.map(({ online, verified }) => ({ online, verified }))).toEqual([
      { online: true, verified: true },
      { online: true, verified: false },
      { online: false, verified: true },
    ]);
    const walked = await Promise.all(
      both().map(async (catalog) => {
        const ids: string[] = [];
        for await (const relay of catalog.relays({ limit: 1 })) ids.push(relay.id);
        return ids;
      }),
    );
    expect(walked[1]).toEqual(walked[0]);
    expect(walked[0]).toHaveLength(3);
  });

  it("to get and tools", verifies("mcp.same-answers"), async () => {
    const id = relayId(scene.weather.url);
    const [record, sameRecord] = await asked((catalog) => catalog.get(id));
    expect(sameRecord).toEqual(record);
    const [tools, sameTools] = await asked((catalog) => catalog.tools(id));
    expect(sameTools).toEqual(tools);
    expect(tools.tools.map((tool) => tool.name)).toEqual(["forecast", "history"]);
  });

  it("to find", verifies("mcp.same-answers"), async () => {
    await expect
      .poll(async () => (await rest.find({ q: "weather of a city" })).tools.length)
      .toBeGreaterThan(0);
    const [found, same] = await asked((catalog) => catalog.find({ q: "weather of a city", limit: 3 }));
    expect(same).toEqual(found);
    expect(found.tools[0]).toMatchObject({
      relay: relayId(scene.weather.url),
      name: "forecast",
      online: true,
    });
  });

  it(
    "to call: the relay's result with every key, also when the tool failed",
    verifies("mcp.same-answers"),
    async () => {
      const relay = relayId(scene.weather.url);
      for (const input of [
        { relay, tool: "forecast", arguments: { city: "Bern" } },
        { relay, tool: "history" },
      ]) {
        const [overRest, overMcp] = await asked((catalog) => catalog.call(input));
        // `resultType` speaks to the protocol's client, which takes it; `_meta` may say who served. The rest is the relay's.
        const { resultType: _type, ...result } = overRest.result;
        expect(overMcp).toMatchObject({ ...overRest, result });
        expect(overMcp.result.content).toEqual(overRest.result.content);
        expect(overMcp.result["x-unknown"]).toEqual(overRest.result["x-unknown"]);
      }
      expect((await mcp.call({ relay, tool: "history" })).result.isError).toBe(true);
    },
  );

  it("to register and refresh, as far as MCP tells", verifies("mcp.same-answers"), async () => {
    for (const catalog of both()) {
      const again = await catalog.register(scene.weather.url);
      expect(again.relay.id).toBe(relayId(scene.weather.url));
      const refreshed = await catalog.refresh(again.relay.id);
      expect(refreshed).toMatchObject({ changed: false, event: null, relay: { id: again.relay.id } });
    }
    expect(await rest.register(scene.weather.url)).toMatchObject({ created: false, events: [] });
    expect(await mcp.register(scene.weather.url)).toMatchObject({ created: false, events: null });
  });

  it("to questions that fail: the same codes", verifies("mcp.same-answers"), async () => {
    const relay = relayId(scene.weather.url);
    const gated = relayId(scene.gated.url);
    const questions: ((catalog: CatalogClient) => Promise<unknown>)[] = [
      (catalog) => catalog.get("nobody"),
      (catalog) => catalog.refresh("nobody"),
      (catalog) => catalog.list({ limit: 9_999 }),
      (catalog) => catalog.list({ cursor: "no such cursor" }),
      (catalog) => catalog.register("ftp://x.example"),
      (catalog) => catalog.register("http://127.0.0.1:1/mcp"),
      (catalog) => catalog.call({ relay, tool: "nothing" }),
      (catalog) => catalog.call({ relay: gated, tool: "open_vault" }),
    ];
    const codes = [];
    for (const question of questions) {
      const [overRest, overMcp] = [await failure(question(rest)), await failure(question(mcp))];
      expect(overMcp.code).toBe(overRest.code);
      expect(overMcp.message).toBe(overRest.message);
      codes.push(overRest.code);
    }
    expect(codes.slice(0, 6)).toEqual([
      "not-found",
      "not-found",
      "invalid-input",
      "invalid-input",
      "invalid-input",
      "not-listed",
    ]);
    expect(codes.at(-1)).toBe("relay-refused");
    expect((await failure(rest.register("http://127.0.0.1:1/mcp"))).data).toMatchObject({
      probe: expect.anything(),
    });
    expect((await failure(mcp.register("http://127.0.0.1:1/mcp"))).data).toMatchObject({
      probe: expect.anything(),
    });
  });

  it("to a call that failed at a relay in the very form of a catalog's own failure: it is the relay's result", async () => {
    // A catalog is a relay too, and one that marks its failures as this one does.
    await using other = await startScene();
    const { relay } = await rest.register(`${other.url}/mcp`);
    const input = { relay: relay.id, tool: "get_relay", arguments: { id: "nobody" } };
    const [overRest, overMcp] = await asked((catalog) => catalog.call(input));
    for (const { result } of [overRest, overMcp]) {
      expect(result).toMatchObject({ isError: true, content: [{ type: "text" }, { type: "text" }] });
    }
    expect(overMcp.result.content).toEqual(overRest.result.content);
    expect(await failure(mcp.get("nobody"))).toMatchObject({ code: "not-found" });
    await rest.remove(relay.id);
  });

  it(
    "to a relay that asks for more first, and to its second round",
    verifies("call.passed-through"),
    async () => {
      const question = { method: "elicitation/create", params: { message: "Which size?" } };
      await using asking = await startFakeRelay({
        era: "modern",
        intercept(seen, response) {
          if (!seen.body.includes('"tools/call"')) return false;
          const { id, params } = JSON.parse(seen.body);
          const told = { inputResponses: params.inputResponses, requestState: params.requestState };
          const result =
            params.requestState === undefined
              ? { resultType: "input_required", inputRequests: { size: question }, requestState: "s" }
              : { resultType: "complete", content: [{ type: "text", text: JSON.stringify(told) }] };
          response.writeHead(200, { "content-type": "application/json" });
          response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
          return true;
        },
      });
      const { relay } = await rest.register(asking.url);
      const input = { relay: relay.id, tool: "echo", clientCapabilities: { elicitation: {} } };
      const round = { inputResponses: { size: { action: "decline" } }, requestState: "s" };
      for (const catalog of both()) {
        const { result } = await catalog.call(input);
        expect(result).toMatchObject({ resultType: "input_required", inputRequests: { size: question } });
        const second = await catalog.call({ ...input, ...round });
        expect(second.result.content).toEqual([{ type: "text", text: JSON.stringify(round) }]);
      }
      await rest.remove(relay.id);
    },
  );

  it("passes the caller's credential for the relay, either way", async () => {
    for (const catalog of both()) {
      const { result } = await catalog.call({
        relay: relayId(scene.gated.url),
        tool: "open_vault",
        token: "mine",
      });
      expect(result.isError).not.toBe(true);
    }
  });
});

describe("what MCP has no tool for", () => {
  it("throws unsupported-transport, naming REST", async () => {
    for (const asking of [mcp.remove("x"), mcp.bulk({ urls: ["https://x.example"] }), mcp.bulkJob("x")]) {
      const error = await failure(asking);
      expect(error.code).toBe("unsupported-transport");
      expect(error.message).toContain("REST");
    }
  });

  it("is done over REST: a job, and removal with the admin's token only", async () => {
    const { job, rejected } = await rest.bulk({
      urls: [scene.sums.url, "http://127.0.0.1:1/mcp", "ftp://x"],
    });
    expect(rejected.map(({ url }) => url)).toEqual(["ftp://x"]);
    await expect.poll(async () => (await rest.bulkJob(job)).finishedAt).not.toBeNull();
    const done = await rest.bulkJob(job);
    expect(done.results.map(({ outcome }) => outcome).sort()).toEqual(["known", "refused"]);
    const stranger = new CatalogClient(scene.url);
    const id = relayId(scene.sums.url);
    expect((await failure(stranger.remove(id))).code).toBe("unauthorized");
    await stranger.close();
    expect(await rest.remove(id)).toEqual({ removed: id });
    expect((await failure(mcp.get(id))).code).toBe("not-found");
    await rest.register(scene.sums.url);
  });
});

describe("a catalog that is not there", () => {
  it("is catalog-unreachable over MCP too, and a site without MCP is catalog-answer", async () => {
    await using nobody = new CatalogClient("http://127.0.0.1:1", { transport: "mcp" });
    expect((await failure(nobody.list())).code).toBe("catalog-unreachable");
    await using elsewhere = new CatalogClient(`${scene.url}/nowhere`, { transport: "mcp" });
    expect((await failure(elsewhere.list())).code).toBe("catalog-answer");
  });

  it("stops at 64 MiB of an endless answer over MCP too", async () => {
    const block = Buffer.alloc(1024 * 1024, " ");
    await using endless = await startFakeCatalog((_asked, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const pour = (): void => {
        while (!response.destroyed && response.write(block)) {}
      };
      response.on("drain", pour);
      pour();
    });
    await using catalog = new CatalogClient(endless.base, { transport: "mcp" });
    expect((await failure(catalog.list())).code).toBe("too-large");
  });

  it("lets one caller give up without ending the connection for others", async () => {
    await using fresh = new CatalogClient(scene.url, { transport: "mcp" });
    const gaveUp = failure(fresh.list({}, { signal: AbortSignal.abort() }));
    const stays = fresh.list();
    expect((await gaveUp).code).toBe("aborted");
    expect((await stays).relays).toHaveLength(3);
  });
});
