/** Plans: known words first, then what may stand for the unknown ones; weights by rarity. */
import { describe, expect, it } from "vitest";
import { planQuestion, readQuestion, type Vocabulary } from "../../src/search/index.ts";
import { allowedEdits, byDistance, distance } from "../../src/search/spelling.ts";

/** A vocabulary of terms and how many of 1,000 tools have each. */
function vocabularyOf(terms: Readonly<Record<string, number>>): Vocabulary & { readonly asked: string[] } {
  const asked: string[] = [];
  const known = Object.keys(terms);
  return {
    asked,
    size: 1_000,
    tools: async (wanted) =>
      new Map(wanted.filter((term) => term in terms).map((term) => [term, terms[term] as number])),
    async startingWith(prefix) {
      asked.push(prefix);
      return known.filter((term) => term.startsWith(prefix) && term !== prefix);
    },
    async resembling(term, edits) {
      asked.push(term);
      return known.filter((other) => other[0] === term[0] && Math.abs(other.length - term.length) <= edits);
    },
  };
}

const planOf = (text: string, terms: Readonly<Record<string, number>>) =>
  planQuestion(readQuestion(text), vocabularyOf(terms));

describe("a plan", () => {
  it("weighs rare terms over common ones", async () => {
    const { terms, best } = await planOf("weather radar", { weather: 400, radar: 3 });
    const weight = (term: string) => terms.find((planned) => planned.term === term)?.weight ?? 0;
    expect(weight("radar")).toBeGreaterThan(4 * weight("weather"));
    expect(best).toBeCloseTo(weight("radar") + weight("weather"));
  });

  it("is empty when no word is known or like one that is", async () => {
    const { terms } = await planOf("zxqv wqpf", { weather: 4 });
    expect(terms).toEqual([]);
  });

  it("lets soft words find only when there are no others", async () => {
    const soft = async (text: string) =>
      (await planOf(text, { get: 500, weather: 4 })).terms
        .filter((term) => term.soft)
        .map((term) => term.term);
    expect(await soft("get weather")).toEqual(["get"]);
    expect(await soft("get")).toEqual([]);
  });

  it("looks for a misspelt word, and keeps the asker's spelling for what matched", async () => {
    const { terms } = await planOf("screenshoot page", { screenshot: 9, screen: 20, page: 80 });
    expect(terms.find((term) => term.term === "screenshot")).toMatchObject({ word: "screenshoot" });
  });

  it("prefers a word that an unknown one begins over one that resembles it", async () => {
    const { terms } = await planOf("migra", { migrat: 9, micra: 20 });
    expect(terms.map((term) => term.term)).toEqual(["migrat"]);
  });

  it("looks only for a few unknown words, and for no short or numeric one", async () => {
    const vocabulary = vocabularyOf({ weather: 4 });
    await planQuestion(
      readQuestion("abc 12345 unknowna unknownb unknownc unknownd unknowne unknownf"),
      vocabulary,
    );
    expect(new Set(vocabulary.asked).size).toBe(4);
  });

  it("adds words of the same meaning below the question's own, as nobody's word", async () => {
    const { terms } = await planOf("delete ticket", { delet: 50, remov: 50, ticket: 20, issu: 20 });
    const own = terms.find((term) => term.term === "delet");
    const other = terms.find((term) => term.term === "remov");
    expect(other?.word).toBeNull();
    expect(other?.weight ?? 9).toBeLessThan((own?.weight ?? 0) / 2);
  });

  it("takes a name in its one piece, and in parts where that is unknown", async () => {
    const whole = await planOf("GitHub", { github: 9, git: 30, hub: 30 });
    expect(whole.terms[0]).toMatchObject({ term: "github", word: "GitHub" });
    const parts = await planOf("GitHub", { git: 30, hub: 30 });
    expect(parts.terms.map((term) => term.term).sort()).toEqual(["git", "hub"]);
  });
});

describe("distance", () => {
  it.each([
    ["kitten", "kitten", 0],
    ["kitten", "sitten", 1],
    ["itme", "item", 1],
    ["creat", "create", 1],
    ["abcdefgh", "badcfehg", 9],
  ])("of %s and %s", (a, b, edits) => {
    expect(distance(a, b, 8)).toBe(edits === 9 ? 4 : edits);
    expect(distance(b, a, 8)).toBe(edits === 9 ? 4 : edits);
  });

  it("gives up beyond the edits allowed", () => {
    expect(distance("abcdef", "uvwxyz", 2)).toBe(3);
    expect(distance("a", "abcdef", 2)).toBe(3);
    expect(allowedEdits("short")).toBe(1);
    expect(byDistance("short", ["shirts", "sport", "shore"]).terms).toEqual(["sport", "shore"]);
  });
});
