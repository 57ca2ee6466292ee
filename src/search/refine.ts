/**
 * A second look at the few best tools, for what postings don't tell: whether the question's neighbouring words stand
 * together, and how much of the tool's name the question is about.
 */
import type { JsonObject } from "../spec/index.ts";
import type { Plan } from "./plan.ts";
import { termsOf } from "./tokens.ts";

/** Of a pair's worth, by where it stands. */
const PAIR_IN_NAME = 0.2;
const PAIR_IN_TEXT = 0.4;
/** Of the score, when all of the name was asked for. */
const WHOLE_NAME = 0.15;
/** What a word of the same meaning counts in a name. */
const SAME_MEANING = 0.5;

/** How many more than are wanted are worth a second look. */
export const MORE_CANDIDATES = 12;

/** The candidates' scores after it, in the plan's weights; a candidate never loses by it. */
export function refineScores(
  plan: Plan,
  candidates: readonly { readonly tool: JsonObject; readonly score: number }[],
): readonly number[] {
  const shares = new Map(plan.terms.map(({ term, word }) => [term, word === null ? SAME_MEANING : 1]));
  return candidates.map(({ tool, score }) => {
    const [name, title, description] = [tool.name, tool.title, tool.description].map((text) =>
      typeof text === "string" ? termsOf(text) : [],
    ) as [readonly string[], readonly string[], readonly string[]];
    // A pair counts once, where it counts least of the places it stands in: names repeat in texts.
    const paired = new Map<string, number>();
    for (const [terms, share] of [
      [description, PAIR_IN_TEXT],
      [title, PAIR_IN_NAME],
      [name, PAIR_IN_NAME],
    ] as const) {
      for (let index = 1; index < terms.length; index++) {
        const pair = `${terms[index - 1]} ${terms[index]}`;
        const worth = plan.pairs.get(pair);
        if (worth !== undefined) paired.set(pair, share * worth);
      }
    }
    const together = [...paired.values()].reduce((sum, worth) => sum + worth, 0);
    return score * (1 + WHOLE_NAME * askedShare(new Set(name), shares)) + together;
  });
}

/** What no score is above: every word fits, every pair stands together. */
export function bestPossible(plan: Plan): number {
  const pairs = [...plan.pairs.values()].reduce((sum, worth) => sum + worth, 0);
  return plan.best * (1 + WHOLE_NAME) + PAIR_IN_TEXT * pairs;
}

function askedShare(name: ReadonlySet<string>, shares: ReadonlyMap<string, number>): number {
  if (name.size === 0) return 0;
  return [...name].reduce((sum, term) => sum + (shares.get(term) ?? 0), 0) / name.size;
}
