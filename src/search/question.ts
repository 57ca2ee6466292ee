/**
 * A question taken apart: the words that say what is wanted, each with how much it counts, before the vocabulary is known.
 * No character of it is an operator.
 */
import { MAX_QUESTION_WORDS, MAX_TERM_LENGTH, MAX_TEXT_LENGTH } from "./limits.ts";
import { withoutValues } from "./pasted-values.ts";
import { softWords, stopWords } from "./stop-words.ts";
import { type Run, runs, termOf } from "./tokens.ts";

export interface QuestionWord {
  /** As the question has it. */
  readonly text: string;
  readonly term: string;
  /** How much it counts against the others, from 0 to about 1.5; a repeated word counts more. */
  readonly factor: number;
  /** Says little by itself: it ranks what other words found, and finds nothing beside them. */
  readonly soft: boolean;
  /** For a name in several parts (`GitHub`): its parts, looked up beside it, or instead of it when it is unknown. */
  readonly parts: readonly string[];
}

export interface Question {
  readonly words: readonly QuestionWord[];
  /** Neighbouring words in one piece (`git hub` -> `github`): looked up at a low weight where such a term exists. */
  readonly joined: readonly { readonly text: string; readonly term: string }[];
  /** Terms that stand beside each other, names in parts: tools that say them so fit better. */
  readonly pairs: readonly (readonly [string, string])[];
}

const SOFT = 0.5;
/** What a repetition adds. */
const REPEATED = 0.3;

/** Words in order, without doubles; empty when the text says nothing. Linear in the text, which is cut at `MAX_TEXT_LENGTH`. */
export function readQuestion(text: string): Question {
  const start = text.slice(0, MAX_TEXT_LENGTH);
  const stripped = withoutValues(start);
  const read = contentRuns(meaningful(stripped) < 2 ? start : stripped);
  const counted = new Map<string, QuestionWord>();
  for (const run of read) {
    if (run === null) continue;
    for (const word of wordsOf(run)) count(counted, word);
    if (counted.size >= MAX_QUESTION_WORDS) break;
  }
  return { words: [...counted.values()], joined: neighbours(read), pairs: pairsIn(read) };
}

function meaningful(text: string): number {
  return contentRuns(text).filter((run) => run !== null).length;
}

/** Null stands for a dropped word: what it parts is not joined. */
function contentRuns(text: string): (Run | null)[] {
  const found = runs(text.replace(/['’](?:m|s|d|t|re|ve|ll)(?![\p{L}\p{N}])/giu, ""));
  const content = found.map((run) => (stopWords.has(run.text.toLowerCase()) ? null : run));
  // "who" alone is a name, not a stop word.
  return found.length === 1 ? [...found] : content;
}

function wordsOf(run: Run): QuestionWord[] {
  if (run.cjk) return run.parts.map((part) => word(part, part, []));
  if (run.parts.length === 1) return [word(run.text, run.parts[0] ?? "", [])];
  const whole = run.parts.join("").slice(0, MAX_TERM_LENGTH);
  return [word(run.text, whole, run.parts.map(termOf))];
}

function word(text: string, plain: string, parts: readonly string[]): QuestionWord {
  const soft = softWords.has(plain);
  return { text, term: termOf(plain), factor: soft ? SOFT : 1, soft, parts };
}

function count(words: Map<string, QuestionWord>, found: QuestionWord): void {
  const before = words.get(found.term);
  if (before === undefined) words.set(found.term, found);
  else words.set(found.term, { ...before, factor: before.factor + REPEATED * found.factor });
}

function neighbours(read: readonly (Run | null)[]): { text: string; term: string }[] {
  const joined: { text: string; term: string }[] = [];
  read.slice(1, MAX_QUESTION_WORDS).forEach((run, index) => {
    const before = read[index];
    if (run === null || !before || run.cjk || before.cjk) return;
    const plain = [...before.parts, ...run.parts].join("");
    if (plain.length <= MAX_TERM_LENGTH)
      joined.push({ text: `${before.text} ${run.text}`, term: termOf(plain) });
  });
  return joined;
}

function pairsIn(read: readonly (Run | null)[]): [string, string][] {
  const terms = read
    .slice(0, MAX_QUESTION_WORDS)
    .flatMap((run) => (run === null ? [null] : run.parts.map(termOf)));
  const pairs: [string, string][] = [];
  terms.forEach((term, index) => {
    const before = terms[index - 1];
    if (term && before && term !== before) pairs.push([before, term]);
  });
  return pairs;
}
