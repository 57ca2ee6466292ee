import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  diffRecords,
  type EventName,
  eventNames,
  type JsonObject,
  type RelayRecord,
  type ToolDefinition,
} from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { jsonObject, record, reordered, tool } from "./arbitraries.ts";

const up = record();
const down = record({
  online: false,
  failures: 1,
  lastError: "The relay did not answer within 15 s.",
  toolsFrom: "earlier",
  probe: { ...up.probe, state: "timeout", httpStatus: null, at: "2026-11-01T11:00:00.000Z" },
});

describe("diffRecords", () => {
  it.each<[string, RelayRecord | null, RelayRecord | null, readonly EventName[]]>([
    ["nothing to nothing", null, null, []],
    ["listed online", null, up, ["relay.registered"]],
    ["listed offline", null, down, ["relay.registered"]],
    ["removed while online", up, null, ["relay.removed"]],
    ["removed while offline", down, null, ["relay.removed"]],
    ["still online", up, up, []],
    ["still offline", down, down, []],
    ["went down, tools kept", up, down, ["relay.offline"]],
    ["came back", down, up, ["relay.online"]],
    ["a new name", up, { ...up, descriptor: { ...up.descriptor, name: "New" } }, ["relay.updated"]],
    ["an unknown key", up, { ...up, descriptor: { ...up.descriptor, "x-note": 1 } }, ["relay.updated"]],
    ["a tool more", up, { ...up, tools: [...up.tools, tool("c")] }, ["relay.updated"]],
    ["a tool less", up, { ...up, tools: up.tools.slice(1) }, ["relay.updated"]],
    [
      "a tool's schema",
      up,
      { ...up, tools: [tool("search_jobs", { inputSchema: { type: "object" } }), tool("get_job")] },
      ["relay.updated"],
    ],
    [
      "a tool's _meta",
      up,
      { ...up, tools: [tool("search_jobs", { _meta: { a: 1 } }), tool("get_job")] },
      ["relay.updated"],
    ],
    ["no longer its own word", up, { ...up, verified: false }, ["relay.updated"]],
    ["back with other tools", down, { ...up, tools: [tool("c")] }, ["relay.updated", "relay.online"]],
    [
      "down with another descriptor",
      up,
      { ...down, descriptor: { ...up.descriptor, tags: ["x"] } },
      ["relay.updated", "relay.offline"],
    ],
  ])("%s", verifies("webhook.events", "record.two-events"), (_title, before, after, events) => {
    expect(diffRecords(before, after)).toEqual(events);
  });

  it.each<[string, Partial<RelayRecord>]>([
    ["times", { seenAt: "2026-11-02T00:00:00.000Z", firstSeenAt: "2026-10-01T00:00:00.000Z" }],
    ["failures and the last error", { failures: 3, lastError: "A sentence." }],
    [
      "what the probe measured",
      {
        probe: {
          ...up.probe,
          latencyMs: 900,
          at: "2026-11-02T00:00:00.000Z",
          nextAt: null,
          attempts: 2,
          era: "2026-07-28",
          toolsHash: "sha256:00",
        },
      },
    ],
    ["the server's version", { server: { name: "board", version: "1.0.1", protocolVersion: "2025-11-25" } }],
    ["where it was learned", { via: "https://peer.example" }],
    ["where the tools come from", { toolsFrom: "earlier" }],
    ["the order of tools", { tools: up.tools.toReversed() }],
    ["aliases", { aliases: ["https://board.example/old/mcp"] }],
  ])("%s: no change", verifies("record.no-change"), (_title, more) => {
    expect(diffRecords(up, { ...up, ...more })).toEqual([]);
  });

  const tools = fc
    .array(jsonObject, { maxLength: 4 })
    .map((list): ToolDefinition[] => list.map((more, index) => ({ ...more, name: `tool_${index}` })));
  const content = fc.record({
    descriptor: jsonObject.map((more) => ({ ...more, mcp: "/mcp" })),
    tools,
    verified: fc.boolean(),
    online: fc.boolean(),
  });

  it("sees no change in another order of keys and tools", verifies("record.no-change"), () => {
    fc.assert(
      fc.property(content, (more) => {
        const before = record(more);
        const after = {
          ...before,
          descriptor: reordered(before.descriptor) as JsonObject & { mcp: string },
          tools: before.tools.map((entry) => reordered(entry) as ToolDefinition).toReversed(),
        };
        expect(diffRecords(before, after)).toEqual([]);
      }),
    );
  });

  it("gives at most one event of content, then one of reachability; there and back tells both", () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        const events = diffRecords(record(one), record(other));
        expect([[], ["relay.updated"]]).toContainEqual(events.filter((name) => name === "relay.updated"));
        expect(events).toEqual(
          events.toSorted((a, b) => Number(b === "relay.updated") - Number(a === "relay.updated")),
        );
        const turned: Partial<Record<EventName, EventName>> = {
          "relay.online": "relay.offline",
          "relay.offline": "relay.online",
        };
        expect(diffRecords(record(other), record(one))).toEqual(events.map((name) => turned[name] ?? name));
        for (const name of events) expect(eventNames).toContain(name);
      }),
    );
  });
});
