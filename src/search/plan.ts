/**
 * From a question to the terms that are looked up, each with its weight: the words themselves, the parts and joins of names,
 * words of the same meaning, and for unknown words what they may have been meant to be.
 */
import { idf } from "./impacts.ts";
import { MAX_RESOLUTIONS, MAX_RESOLVED_WORDS } from "./limits.ts";
import type { Question, QuestionWord } from "./question.ts";
import { allowedEdits, byDistance, byPrefix, type Resolution, resolvable } from "./spelling.ts";
import { synonymsOf } from "./synonyms.ts";

/** What the index knows of terms; each store answers from its own. */
export interface Vocabulary {
  /** Tools in the index. */
  readonly size: number;
  /** How many tools have each of these terms; unknown ones are left out. */
  tools(terms: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Some terms that begin so. */
  startingWith(prefix: string): Promise<readonly string[]>;
  /** Terms with the same first letter, and a length at most `edits` away. */
  resembling(term: string, edits: number): Promise<readonly string[]>;
}

export interface PlannedTerm {
  readonly term: string;
  /** Counts times the term's impact on a tool. */
  readonly weight: number;
  /** Ranks what other terms found, and finds nothing by itself. */
  readonly soft: boolean;
  /** The question's word it stands for, as the question has it; null for what was not asked in so many words. */
  readonly word: string | null;
}

export interface Plan {
  readonly terms: readonly PlannedTerm[];
  /** The question's neighbouring terms, as `first second`, each with what it is worth to have them so. */
  readonly pairs: ReadonlyMap<string, number>;
  /** The weight of a tool that all words of the question fit best: what a score is a share of. */
  readonly best: number;
}

/** What a name's parts count beside it. */
const PARTS = 0.7;
const JOINED = 0.1;
const SYNONYM = 0.25;

type Draft = Omit<PlannedTerm, "weight"> & { readonly factor: number };

/** No terms: nothing in the index is meant. */
export async function planQuestion(question: Question, vocabulary: Vocabulary): Promise<Plan> {
  const known = new Map(await vocabulary.tools(lookups(question)));
  const drafts = new Map<string, Draft>();
  // What was said comes first: nothing that stands for a word takes a said word's place.
  for (const word of question.words) if (known.has(word.term)) add(drafts, draftOf(word, word.term, 1));
  for (const word of question.words) {
    const share = known.has(word.term) ? PARTS : 1;
    for (const part of word.parts) if (known.has(part)) add(drafts, draftOf(word, part, share));
  }
  const unknown = question.words.filter((word) => !known.has(word.term) && word.parts.length === 0);
  for (const word of unknown.filter(({ term }) => resolvable(term)).slice(0, MAX_RESOLVED_WORDS)) {
    const { terms, factor } = await resolve(word.term, vocabulary, known);
    for (const term of terms) add(drafts, draftOf(word, term, factor));
  }
  for (const { text, term } of question.joined) {
    if (known.has(term)) add(drafts, { term, factor: JOINED, soft: false, word: text });
  }
  for (const word of question.words) {
    for (const term of synonymsOf(word.term)) {
      if (known.has(term)) add(drafts, { term, factor: SYNONYM * word.factor, soft: word.soft, word: null });
    }
  }
  const allSoft = [...drafts.values()].every((draft) => draft.soft);
  const terms = [...drafts.values()].map(({ term, factor, soft, word }) => ({
    term,
    weight: factor * idf(known.get(term) ?? 0, vocabulary.size),
    // Where nothing but soft words was asked, they are all there is to go by.
    soft: soft && !allSoft,
    word,
  }));
  return { terms, pairs: pairsOf(question, terms), best: bestOf(terms) };
}

function lookups(question: Question): readonly string[] {
  const terms = question.words.flatMap(({ term, parts }) => [term, ...parts, ...synonymsOf(term)]);
  return [...new Set([...terms, ...question.joined.map(({ term }) => term)])];
}

function add(drafts: Map<string, Draft>, draft: Draft): void {
  if (!drafts.has(draft.term)) drafts.set(draft.term, draft);
}

function draftOf(word: QuestionWord, term: string, share: number): Draft {
  return { term, factor: word.factor * share, soft: word.soft, word: word.text };
}

/** Adds what it learns to `known`. */
async function resolve(
  word: string,
  vocabulary: Vocabulary,
  known: Map<string, number>,
): Promise<Resolution> {
  const longer = byPrefix(word, await vocabulary.startingWith(word));
  const found =
    longer.terms.length > 0
      ? longer
      : byDistance(word, await vocabulary.resembling(word, allowedEdits(word)));
  const tools = await vocabulary.tools(found.terms);
  for (const [term, count] of tools) known.set(term, count);
  const terms = [...tools.keys()].sort(
    (a, b) => (tools.get(b) ?? 0) - (tools.get(a) ?? 0) || (a < b ? -1 : 1),
  );
  return { terms: terms.slice(0, MAX_RESOLUTIONS), factor: found.factor };
}

/** A pair is worth its lesser term: the other may be in every tool. */
function pairsOf(question: Question, terms: readonly PlannedTerm[]): ReadonlyMap<string, number> {
  const weights = new Map(
    terms.filter(({ word }) => word !== null).map(({ term, weight }) => [term, weight]),
  );
  const pairs = question.pairs.map(([first, second]): [string, number] => [
    `${first} ${second}`,
    Math.min(weights.get(first) ?? 0, weights.get(second) ?? 0),
  ]);
  return new Map(pairs.filter(([, weight]) => weight > 0));
}

function bestOf(terms: readonly PlannedTerm[]): number {
  const byWord = new Map<string, number>();
  for (const { word, weight } of terms) {
    if (word !== null) byWord.set(word, Math.max(byWord.get(word) ?? 0, weight));
  }
  // Where only words of the same meaning are known, they are the measure.
  const weights = byWord.size > 0 ? [...byWord.values()] : terms.map(({ weight }) => weight);
  return weights.reduce((sum, weight) => sum + weight, 0);
}
