/** Text to terms: identifiers, languages, and whatever else strangers write. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinedTerms, runs, termsOf } from "../../src/search/tokens.ts";

describe("terms", () => {
  it.each([
    ["getUserInfo", ["get", "user", "info"]],
    ["get_user-info.now", ["get", "user", "info", "now"]],
    ["HTTPServer", ["http", "server"]],
    ["parseHTML5Page", ["pars", "html", "5", "page"]],
    ["v2beta", ["v", "2", "beta"]],
    ["creating created creates", ["creat", "creat", "creat"]],
    ["Café crème ＦＵＬＬ", ["cafe", "creme", "full"]],
    ["straße", ["straße"]],
    ["ПоискФайлов", ["поиск", "фаилов"]],
    ["搜索工具", ["搜索", "索工", "工具"]],
    ["雨", ["雨"]],
    ["bing搜索", ["bing", "搜索"]],
    ["검색 도구", ["검색", "도구"]],
    ["ひらがな", ["ひら", "らが", "がな"]],
    ["", []],
    [" -- __ \u0000 🛰 ", []],
  ])("of %j", (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it("are the same for ASCII on its own and beside other scripts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
        expect(termsOf(`${text} é`).slice(0, -1)).toEqual(termsOf(text));
      }),
    );
  });

  it("are short, in lower case, and without white space, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        for (const term of [...termsOf(text), ...joinedTerms(text)]) {
          expect(term.length).toBeGreaterThan(0);
          expect(term.length).toBeLessThanOrEqual(40);
          expect(term).not.toMatch(/\s/);
          expect(term.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("do not depend on case between words, nor on how accents are spelled", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 6 }), (words) => {
        const lower = words.join(" ");
        expect(termsOf(lower.toUpperCase())).toEqual(termsOf(lower));
      }),
    );
    expect(termsOf("ré\u0301sume\u0301".normalize("NFC"))).toEqual(termsOf("ré\u0301sume\u0301"));
  });

  it("also come joined: whole identifiers, and each two neighbours of one", () => {
    expect(joinedTerms("GitHub")).toEqual(["github"]);
    expect(joinedTerms("createGitHubIssue")).toEqual(["creategit", "github", "hubissu", "creategithubissu"]);
    expect(joinedTerms("web search")).toEqual([]);
    expect(joinedTerms("搜索工具")).toEqual([]);
  });

  it("are bounded: a long text is cut", () => {
    expect(runs("ab ".repeat(100_000)).length).toBeLessThan(2_000);
    expect(termsOf("a".repeat(100_000))).toEqual(["a".repeat(40)]);
  });
});
