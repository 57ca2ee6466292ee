/** The words of a list's `q` against a relay's own, as any adapter compares them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { summarize } from "../../src/spec/index.ts";
import { endpointOf, sampleRecord, sampleTool } from "../../src/store/suite/samples.ts";
import { questionWords, relayWords } from "../../src/store/words.ts";

describe("words", () => {
  it("are the question's without doubles, longest first", () => {
    expect(questionWords("  Job  JOBS job ")).toEqual(["jobs", "job"]);
    expect(questionWords(undefined)).toEqual([]);
    expect(questionWords(" \u0000 ")).toEqual([]);
  });

  it("of a relay hold each of its fields whole, and no field's end beside another's start", () => {
    const field = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .filter((text) => /\S/.test(text));
    fc.assert(
      fc.property(field, field, field, (name, description, tool) => {
        const record = sampleRecord("a.example", {
          descriptor: { mcp: endpointOf("a.example"), name, description },
          tools: [sampleTool(tool)],
        });
        const text = relayWords(summarize(record));
        for (const word of questionWords(`${name} ${description} ${tool} A.EXAMPLE`))
          expect(text).toContain(word);
        expect(text.split("\n").length).toBeGreaterThanOrEqual(4);
      }),
    );
  });
});
