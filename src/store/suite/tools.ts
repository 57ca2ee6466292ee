/** A relay's own tools: kept whole, in order, found by name, rewritten where they changed. */
import assert from "node:assert/strict";
import type { ToolDefinition } from "../../spec/index.ts";
import type { Store } from "../store.ts";
import { change, list, sampleRecord, sampleTool } from "./samples.ts";
import type { StoreCase } from "./store-case.ts";

async function toolsOf(store: Store, id: string): Promise<readonly ToolDefinition[]> {
  const answer = await store.tools.ofRelay(id);
  return JSON.parse(answer?.tools.text ?? "null") as ToolDefinition[];
}

export const toolCases: readonly StoreCase[] = [
  {
    name: "keeps tools in the relay's order through every change",
    async run(store) {
      const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => sampleTool(name)) as [
        ToolDefinition,
        ToolDefinition,
        ToolDefinition,
        ToolDefinition,
      ];
      await list(store, sampleRecord("x.example", { tools: [a, b, c] }));
      const states = [[c, b, a], [d, c, a], [], [{ ...a, description: "anew" }, d], [d], [a, b, c, d]];
      for (const tools of states) {
        await change(store, sampleRecord("x.example", { tools }));
        assert.deepEqual(await toolsOf(store, "x.example"), tools);
        assert.deepEqual((await store.relays.get("x.example"))?.record.tools, tools);
        for (const tool of tools) assert.deepEqual(await store.tools.get("x.example", tool.name), tool);
      }
      assert.equal(await store.tools.get("x.example", "e"), null);
    },
  },
  {
    name: "keeps one relay's tools apart from another's",
    async run(store) {
      await list(store, sampleRecord("x.example", { tools: [sampleTool("same", "Of x.")], online: false }));
      await list(store, sampleRecord("y.example", { tools: [sampleTool("same", "Of y.")] }));
      assert.equal((await store.tools.get("x.example", "same"))?.description, "Of x.");
      assert.equal((await store.tools.get("y.example", "same"))?.description, "Of y.");
      assert.equal((await store.tools.ofRelay("x.example"))?.online, false);
      assert.equal((await store.tools.ofRelay("y.example"))?.online, true);
      await change(store, sampleRecord("x.example", { tools: [] }));
      assert.deepEqual(await toolsOf(store, "x.example"), []);
      assert.equal((await toolsOf(store, "y.example")).length, 1);
    },
  },
  {
    name: "keeps tools whose names are odd, long or said twice",
    async run(store) {
      const tools = [
        "<b>x</b>",
        "n".repeat(5_000),
        "\u0000",
        "\uD800",
        "\uD801",
        "twice",
        "twice",
        "%",
        "'",
      ].map((name, index) => sampleTool(name, `Number ${index}.`));
      await list(store, sampleRecord("x.example", { tools }));
      assert.deepEqual(await toolsOf(store, "x.example"), tools);
      for (const tool of tools) {
        const first = tools.find(({ name }) => name === tool.name);
        assert.deepEqual(await store.tools.get("x.example", tool.name), first);
      }
      const fewer = tools.filter((_, index) => index !== 5);
      await change(store, sampleRecord("x.example", { tools: fewer }));
      assert.deepEqual(await toolsOf(store, "x.example"), fewer);
    },
  },
  {
    name: "keeps thousands of tools of one relay",
    async run(store) {
      const tools = Array.from({ length: 2_000 }, (_, index) => sampleTool(`tool_${index}`));
      await list(store, sampleRecord("x.example", { tools }));
      assert.deepEqual(await toolsOf(store, "x.example"), tools);
      assert.deepEqual(await store.tools.get("x.example", "tool_1999"), tools[1_999]);
    },
  },
];
