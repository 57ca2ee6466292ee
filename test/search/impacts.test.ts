/** Impacts: which field a word stands in and how long the text is decide; a relay's odd shapes do not. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  countLengths,
  drifted,
  impactsOf,
  lengthsOf,
  meanLengths,
  noLengths,
  readServer,
  readTool,
} from "../../src/search/index.ts";
import type { JsonObject } from "../../src/spec/index.ts";

const server = readServer({ id: "weather.example", name: "Weather", description: "Forecasts for sailors." });
const means = meanLengths(noLengths);
const impactsIn = (tool: JsonObject) => impactsOf(readTool(tool, server), means);

describe("impacts", () => {
  it("count a name over a description over a server's description", () => {
    const impacts = impactsIn({ name: "tide_table", description: "High water at a harbour." });
    const [name, description, about] = ["tide", "harbour", "sailor"].map((term) => impacts.get(term) ?? 0);
    expect(name).toBeGreaterThan(description as number);
    expect(description).toBeGreaterThan(about as number);
    expect(about).toBeGreaterThan(0);
  });

  it("count a word less in a longer text", () => {
    const short = impactsIn({ name: "x", description: "harbour" }).get("harbour") ?? 0;
    const long =
      impactsIn({ name: "x", description: `harbour ${"and more of it ".repeat(50)}` }).get("harbour") ?? 0;
    expect(short).toBeGreaterThan(long);
  });

  it("see names, descriptions and choices of parameters, some levels deep", () => {
    const impacts = impactsIn({
      name: "x",
      inputSchema: {
        type: "object",
        properties: {
          berth: { type: "string", description: "Where the boat lies.", enum: ["quay", "buoy"] },
          crew: { type: "array", items: { type: "object", properties: { skipper: { type: "string" } } } },
        },
      },
    });
    for (const term of ["berth", "boat", "quay", "buoy", "crew", "skipper"])
      expect(impacts.has(term)).toBe(true);
  });

  it("are whole numbers of a byte for anything a relay may send", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("name", "title", "description", "inputSchema", "annotations"),
          fc.jsonValue(),
        ),
        (tool) => {
          const impacts = impactsIn(tool as JsonObject);
          for (const impact of impacts.values()) {
            expect(Number.isInteger(impact) && impact >= 1 && impact <= 255).toBe(true);
          }
        },
      ),
    );
  });

  it("are bounded for a schema that is deep or wide", () => {
    let deep: JsonObject = { type: "string" };
    for (let level = 0; level < 1_000; level += 1)
      deep = { properties: { [`level${level}`]: deep }, items: deep };
    const wide = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, {}]));
    expect(impactsIn({ name: "x", inputSchema: deep }).size).toBeLessThan(50);
    expect(impactsIn({ name: "x", inputSchema: { properties: wide } }).size).toBeLessThan(200);
  });
});

describe("mean lengths", () => {
  it("come back to where they were when what was added is taken away", () => {
    const tools = ["a b c", "d", ""].map((description) =>
      lengthsOf(readTool({ name: "x", description }, server)),
    );
    const added = countLengths(
      noLengths,
      tools.map((lengths) => ({ lengths, by: 1 })),
    );
    const taken = countLengths(
      added,
      tools.map((lengths) => ({ lengths, by: -1 })),
    );
    expect(added.tools.description).toBe(2);
    expect(taken).toEqual(noLengths);
  });

  it("have moved when one has by a tenth", () => {
    expect(drifted(means, means)).toBe(false);
    expect(drifted(means, { ...means, title: means.title * 1.09 })).toBe(false);
    expect(drifted(means, { ...means, title: means.title * 1.11 })).toBe(true);
    expect(drifted(means, { ...means, name: means.name * 0.89 })).toBe(true);
  });
});
