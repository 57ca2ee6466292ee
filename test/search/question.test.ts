/** Questions taken apart: what counts, what is dropped, and what can't be an operator. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQuestion } from "../../src/search/index.ts";

const wordsOf = (text: string) => readQuestion(text).words.map((word) => word.text);

describe("a question", () => {
  it.each([
    ["What's the weather in Paris?", ["weather", "Paris"]],
    ["Can you help me to merge some PDF files", ["merge", "PDF", "files"]],
    ["I'm planning, don't ask", ["planning", "ask"]],
    ["the of and", []],
    ["who", ["who"]],
    ["", []],
    ["?!\u0000", []],
  ])("%j is about %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it.each([
    ["fetch the page https://example.com/a?b=c#d now please", ["fetch", "page", "now"]],
    ["email john.doe@example.com about invoices today", ["email", "invoices", "today"]],
    ["compare /root/txt/a.txt with ./b/c.txt line by line", ["compare", "line"]],
    ['create a dashboard called "Sales Figures"', ["create", "dashboard", "called"]],
    ["balance of 0xabcdef0123 token 42,000.50", ["balance", "token"]],
  ])("%j drops the values pasted into it", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("keeps the values when there is little else", () => {
    expect(wordsOf('open "annual report"')).toEqual(["open", "annual", "report"]);
    expect(wordsOf("https://arxiv.org/abs/1706.03762")).toContain("arxiv");
  });

  it("marks words that say little, and counts repeated ones more", () => {
    const { words } = readQuestion("get data, convert currency, convert money");
    expect(words.filter((word) => word.soft).map((word) => word.text)).toEqual(["get", "data"]);
    const factor = (text: string) => words.find((word) => word.text === text)?.factor ?? 0;
    expect(factor("convert")).toBeGreaterThan(factor("currency"));
    expect(factor("get")).toBeLessThan(factor("currency"));
  });

  it("takes names apart, and joins neighbours", () => {
    const [github] = readQuestion("GitHub issues").words;
    expect(github).toMatchObject({ text: "GitHub", term: "github", parts: ["git", "hub"] });
    expect(readQuestion("git hub issues").joined.map((pair) => pair.term)).toContain("github");
    expect(readQuestion("git and hub").joined).toEqual([]);
  });

  it("is bounded, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 10_000 }), (text) => {
        const { words, joined } = readQuestion(text);
        expect(words.length).toBeLessThan(80);
        expect(joined.length).toBeLessThanOrEqual(40);
        expect(new Set(words.map((word) => word.term)).size).toBe(words.length);
      }),
      { numRuns: 300 },
    );
  });

  it.each(["'", '"', "`", "/", "1.", "a@", "#a-", "0x", "://", "a://", "\u0301", "a.b-", ". ", "a'"])(
    "made of %j alone takes no time",
    (piece) => {
      const long = piece.repeat(10_000);
      // A pattern that backtracks would run for minutes here, into the test's own time limit.
      for (let round = 0; round < 20; round += 1) readQuestion(long);
      expect(readQuestion(long).words.length).toBeLessThan(80);
    },
  );
});
