/** Finding tools: what matches comes, best first, under every filter; the index follows the records and loses nothing. */
import assert from "node:assert/strict";
import type { FoundTool, JsonValue, RelayRecord, ToolDefinition } from "../../spec/index.ts";
import type { Store, ToolQuery } from "../store.ts";
import { change, endpointOf, indexAll, list, NOW, sampleRecord, sampleTool } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

const weather = sampleRecord("weather.example", {
  descriptor: {
    mcp: endpointOf("weather.example"),
    name: "Weather",
    tags: ["Climate"],
    auth: { kind: "none" },
  },
  tools: [
    sampleTool("get_forecast", "The weather forecast of a city for the next days."),
    sampleTool("listStations", "Stations that measure rain and wind."),
  ],
  verified: true,
});
const issues = sampleRecord("issues.example", {
  descriptor: { mcp: endpointOf("issues.example"), name: "Issue tracker", auth: { kind: "bearer" } },
  tools: [
    sampleTool("create_issue", "Opens an issue in a repository."),
    sampleTool("closeIssue", "Closes an issue."),
  ],
});
const asleep = sampleRecord("asleep.example", {
  descriptor: { mcp: endpointOf("asleep.example"), name: "Asleep", tags: ["climate"] },
  tools: [sampleTool("forecast_weather", "The weather forecast, when it is awake.")],
  online: false,
});

async function fill(store: Store, ...records: readonly RelayRecord[]): Promise<void> {
  for (const record of records) await list(store, record);
  await indexAll(store);
}

async function found(store: Store, q: string, query: Partial<ToolQuery> = {}): Promise<string[]> {
  const hits = await store.tools.find({ q, limit: 10, ...query });
  return hits.map((hit) => `${hit.relay}/${hit.name}`);
}

export const searchCases: readonly StoreCase[] = [
  {
    name: "finds tools by words, in any form they are written in",
    async run(store) {
      await fill(store, weather, issues, asleep);
      for (const q of [
        "list stations",
        "liststations",
        "STATIONS",
        "station",
        "measuring rain",
        "rain-wind",
      ]) {
        assert.equal((await found(store, q))[0], "weather.example/listStations", q);
      }
      assert.equal((await found(store, "close an issue"))[0], "issues.example/closeIssue");
      assert.equal((await found(store, "open an issue in my repository"))[0], "issues.example/create_issue");
    },
  },
  {
    name: "answers with what an agent needs to act, best first",
    async run(store) {
      await fill(store, weather, issues, asleep);
      const hits = await store.tools.find({ q: "weather forecast please", limit: 10 });
      const best = hits.find((hit) => hit.name === "get_forecast") as FoundTool;
      assert.deepEqual(
        { ...best, score: 0, matched: [...best.matched].sort() },
        {
          relay: "weather.example",
          name: "get_forecast",
          description: "The weather forecast of a city for the next days.",
          inputSchema: { type: "object", properties: {} },
          auth: "none",
          online: true,
          verified: true,
          score: 0,
          matched: ["forecast", "weather"],
        },
      );
      const scores = hits.map((hit) => hit.score);
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      );
      assert(scores.every((score) => score > 0 && score <= 1));
    },
  },
  {
    name: "leaves out of a hit what is of a wrong type",
    async run(store) {
      const tool: ToolDefinition = {
        name: "oddity",
        title: 5,
        description: ["a"],
        inputSchema: "text" as JsonValue,
      };
      await fill(store, sampleRecord("odd.example", { tools: [tool] }));
      const [hit] = await store.tools.find({ q: "oddity", limit: 5 });
      assert.deepEqual(Object.keys(hit ?? {}).sort(), [
        "auth",
        "matched",
        "name",
        "online",
        "relay",
        "score",
        "verified",
      ]);
      assert.equal(hit?.auth, "unknown");
    },
  },
  {
    name: "finds nothing where nothing is meant",
    async run(store) {
      assert.deepEqual(await found(store, "weather"), [], "an empty index");
      await fill(store, weather, issues);
      for (const q of ["", "   ", "zxqv wqpf", "?!", "the of and", "\u0000", "🛰", "qqqqqqqqqqqq", "0x1234"]) {
        assert.deepEqual(await found(store, q), [], JSON.stringify(q));
      }
    },
  },
  {
    name: "lets a word that says little rank, and not find",
    async run(store) {
      await fill(store, weather, issues);
      assert.deepEqual(await found(store, "get me the closeIssue"), [
        "issues.example/closeIssue",
        "issues.example/create_issue",
      ]);
      assert.deepEqual(await found(store, "get"), ["weather.example/get_forecast"]);
    },
  },
  {
    name: "applies every filter before the limit",
    async run(store) {
      const many = Array.from({ length: 40 }, (_, index) =>
        sampleRecord(`many-${index}.example`, {
          descriptor: { mcp: endpointOf(`many-${index}.example`), name: "Weather forecast" },
          tools: [sampleTool("weather_forecast", "weather forecast"), sampleTool("forecast", "weather")],
          online: false,
        }),
      );
      await fill(store, ...many, weather, issues, asleep);
      const one = ["weather.example/get_forecast"];
      assert.deepEqual(await found(store, "weather forecast", { online: true, limit: 1 }), one);
      assert.deepEqual(await found(store, "weather forecast", { verified: true, limit: 1 }), one);
      assert.deepEqual(await found(store, "weather forecast", { auth: "none", limit: 1 }), one);
      assert.deepEqual(
        await found(store, "weather forecast", { tag: " climate ", online: true, limit: 1 }),
        one,
      );
      assert.deepEqual(await found(store, "weather forecast", { tag: "Climate", online: false }), [
        "asleep.example/forecast_weather",
      ]);
      assert.deepEqual(await found(store, "weather forecast", { auth: "bearer" }), []);
      assert.deepEqual(await found(store, "weather", { tag: "nowhere" }), []);
      assert.equal((await found(store, "weather forecast", { limit: 100 })).length > 80, true);
      assert.equal((await found(store, "weather forecast", { online: false, limit: 3 })).length, 3);
    },
  },
  {
    name: "follows what changes: new words find, old ones no longer",
    async run(store) {
      await fill(store, weather, issues);
      await change(store, {
        ...issues,
        tools: [sampleTool("create_ticket", "Opens a ticket in a workspace.")],
      });
      assert.equal(await store.searchIndex.pending(), 1);
      await indexAll(store);
      assert.deepEqual(await found(store, "workspace"), ["issues.example/create_ticket"]);
      assert.deepEqual(await found(store, "repository"), []);
      await change(store, { ...issues, descriptor: { ...issues.descriptor, name: "Zebra" } });
      await indexAll(store);
      assert.equal((await found(store, "zebra")).length, 2);
      assert.deepEqual(await found(store, "workspace"), []);
      await store.relays.remove("issues.example", { id: "gone" }, NOW);
      assert.deepEqual(await found(store, "zebra"), [], "gone at once, whatever the index still has");
      await indexAll(store);
      assert.deepEqual(await found(store, "zebra"), []);
      assert.deepEqual(await found(store, "rain"), ["weather.example/listStations"]);
    },
  },
  {
    name: "shows a relay's flags as they are now, before the index has followed",
    async run(store) {
      await fill(store, weather);
      await change(store, { ...weather, online: false, verified: false });
      assert.deepEqual(await found(store, "rain", { online: true }), []);
      const [hit] = await store.tools.find({ q: "rain", limit: 1 });
      assert.deepEqual([hit?.online, hit?.verified], [false, false]);
    },
  },
  {
    name: "has nothing to do after a probe that found the same",
    async run(store) {
      await fill(store, weather);
      await change(store, { ...weather, failures: 3, online: false });
      assert.equal(await store.searchIndex.pending(), 0);
      assert.deepEqual(await store.searchIndex.step(), { indexed: 0, pending: 0 });
    },
  },
  {
    name: "tells of which relays nothing can be found yet",
    async run(store) {
      assert.equal(await store.searchIndex.unseen(), 0);
      await fill(store, weather);
      await list(store, issues);
      await list(store, sampleRecord("bare.example"));
      await change(store, { ...weather, tools: [sampleTool("another")] });
      assert.equal(
        await store.searchIndex.unseen(),
        1,
        "neither one without tools nor one that was found before",
      );
      await indexAll(store);
      assert.equal(await store.searchIndex.unseen(), 0);
      assert.equal(await store.searchIndex.renew(), false, "two relays say little");
    },
  },
  {
    name: "takes many tools of one relay in several steps, and drops them the same way",
    async run(store) {
      const tools = Array.from({ length: 1_500 }, (_, index) =>
        sampleTool(`tool_${index}`, `Number n${index}n.`),
      );
      await list(store, sampleRecord("large.example", { tools }));
      const first = await store.searchIndex.step();
      assert.deepEqual(first, { indexed: 0, pending: 1 }, "a large relay is no single step");
      await indexAll(store);
      assert.equal((await found(store, "tool_1499"))[0], "large.example/tool_1499");
      await store.relays.remove("large.example", { id: "gone" }, NOW);
      await indexAll(store);
      assert.deepEqual(await found(store, "tool_1499"), []);
      assert.equal(await store.searchIndex.pending(), 0);
    },
  },
  {
    name: "forgives a slip of the pen and an unfinished word",
    async run(store) {
      await fill(store, weather, issues);
      for (const q of ["forcast", "forecsat", "foreca", "stattions"]) {
        assert.equal((await found(store, q)).length > 0, true, q);
      }
      const [hit] = await store.tools.find({ q: "forcast", limit: 1 });
      assert.deepEqual(hit?.matched, ["forcast"], "the question's own word is what matched");
    },
  },
  {
    name: "finds what is only meant, in other words, and scores it no higher than whole",
    async run(store) {
      await fill(
        store,
        sampleRecord("bin.example", { tools: [sampleTool("remove_photo", "Removes a photo.")] }),
      );
      const [hit] = await store.tools.find({ q: "delete pictures", limit: 5 });
      assert.equal(hit?.name, "remove_photo");
      assert(hit.score > 0 && hit.score <= 1);
      assert.deepEqual(hit.matched, []);
    },
  },
  {
    name: "knows no operator, and bears every question",
    async run(store) {
      await fill(store, weather, issues);
      const rain = "weather.example/listStations";
      for (const q of [
        '"rain',
        "rain*",
        "rain OR",
        "NOT rain",
        "rain AND nothing",
        "name:rain",
        "(rain",
        "rain'; drop table tool; --",
        "%rain_",
        "-rain",
        "^rain",
        "rain NEAR/2 x",
        "\u0000rain\u0000",
        "\uD800 rain",
        "räin",
        "ｒａｉｎ",
      ]) {
        assert.equal((await found(store, q))[0], rain, JSON.stringify(q));
      }
      for (const q of [
        "rain ".repeat(2_000),
        "r".repeat(10_000),
        "a b c d ".repeat(1_250),
        "雨".repeat(10_000),
        "\u0301".repeat(10_000),
        "'".repeat(10_000),
        "/".repeat(10_000),
        "1.".repeat(5_000),
      ]) {
        await store.tools.find({ q, limit: 100 });
      }
    },
  },
  {
    name: "finds words of scripts without spaces",
    async run(store) {
      await fill(
        store,
        weather,
        sampleRecord("cn.example", {
          tools: [sampleTool("bing_search", "使用必应搜索指定的关键词，并返回搜索结果列表")],
        }),
      );
      assert.deepEqual(await found(store, "搜索关键词"), ["cn.example/bing_search"]);
    },
  },
];
