/**
 * Text into terms, the same way for tools and for questions: compatibility forms and diacritics off, identifiers taken
 * apart at case, digits and punctuation, English stems, bigrams for scripts written without spaces.
 * It weighs nothing and drops no stop words: that is question.ts.
 */
import stem from "wink-porter2-stemmer";
import {
  MAX_JOINED_PARTS,
  MAX_RUN_KEPT,
  MAX_RUNS_KEPT,
  MAX_STEMS_KEPT,
  MAX_TERM_LENGTH,
  MAX_TEXT_LENGTH,
} from "./limits.ts";

/** Letters and digits in one piece, and the words they are made of. */
export interface Run {
  /** As it stands in the text. */
  readonly text: string;
  /** In lower case, without diacritics: `getHTML5` -> `get`, `html`, `5`. CJK gives overlapping pairs. */
  readonly parts: readonly string[];
  /** True for scripts written without spaces: `parts` overlap, and joining them means nothing. */
  readonly cjk: boolean;
}

/** Runs in the order of the text; what is longer than `MAX_TEXT_LENGTH` is cut. */
export function runs(text: string): readonly Run[] {
  const start = text.slice(0, MAX_TEXT_LENGTH);
  return ASCII.test(start) ? asciiRuns(start) : unicodeRuns(start);
}

/** A text as terms. */
export interface TextTerms {
  /** One for each part, in order. */
  readonly terms: readonly string[];
  /** Runs of several parts in one piece, and each neighbouring two: `createGitHubIssue` also holds `github`. */
  readonly joined: readonly string[];
}

/** The terms of a text and what its runs give in one piece. */
export function readText(text: string): TextTerms {
  const start = text.slice(0, MAX_TEXT_LENGTH);
  const read = ASCII.test(start)
    ? (start.match(ASCII_RUN) ?? []).map(asciiTerms)
    : unicodeRuns(start).map(termsOfRun);
  return { terms: read.flatMap(({ terms }) => terms), joined: read.flatMap(({ joined }) => joined) };
}

/** The terms alone. */
export function termsOf(text: string): readonly string[] {
  return readText(text).terms;
}

/** The joined ones alone. */
export function joinedTerms(text: string): readonly string[] {
  return readText(text).joined;
}

/** The same runs stand in every text, and what one gave before it gives again. */
function asciiTerms(text: string): TextTerms {
  const known = kept.get(text);
  if (known !== undefined) return known;
  const terms = termsOfRun(asciiRun(text));
  if (text.length > MAX_RUN_KEPT) return terms;
  if (kept.size >= MAX_RUNS_KEPT) kept.clear();
  kept.set(text, terms);
  return terms;
}

const kept = new Map<string, TextTerms>();

function termsOfRun(run: Run): TextTerms {
  return { terms: run.parts.map(termOf), joined: joinedParts(run).map(termOf) };
}

function joinedParts({ parts, cjk }: Run): readonly string[] {
  if (cjk || parts.length < 2 || parts.length > MAX_JOINED_PARTS) return [];
  const joined = parts.slice(1).map((part, index) => `${parts[index]}${part}`);
  return parts.length > 2 ? [...joined, parts.join("").slice(0, MAX_TERM_LENGTH)] : joined;
}

/** The form in which a word is indexed and looked up. */
export function termOf(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= MAX_STEMS_KEPT) stems.clear();
  const term = stem(word);
  stems.set(word, term);
  return term;
}

/** Stemming costs more than all else here, and words come again. */
const stems = new Map<string, string>();

const ASCII = /^[\0-\x7f]*$/;
const ASCII_RUN = /[A-Za-z0-9]+/g;
/** `HTTPServer2go` -> `HTTP`, `Server`, `2`, `go`. */
const ASCII_PART = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;

/** Combining marks, but for the voicing of kana: か and が are different letters. */
const MARKS = /[^\P{M}\u3099\u309a]+/gu;
const RUN = /[\p{L}\p{N}]+/gu;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+|\p{L}/gu;
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
const SCRIPT = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, "gu");
const CJK = new RegExp(`^[${UNSPACED}]`, "u");

function asciiRuns(text: string): Run[] {
  return (text.match(ASCII_RUN) ?? []).map(asciiRun);
}

function asciiRun(text: string): Run {
  const parts = /[A-Z0-9]/.test(text) ? (text.match(ASCII_PART) ?? []).map(cut) : [cut(text)];
  return { text, parts, cjk: false };
}

function unicodeRuns(text: string): Run[] {
  // Composed again after the marks are off: Hangul would stay in single letters.
  const plain = text.toWellFormed().normalize("NFKD").replace(MARKS, "").normalize("NFC");
  const found: Run[] = [];
  for (const run of plain.match(RUN) ?? []) {
    for (const piece of run.match(SCRIPT) ?? []) {
      const cjk = CJK.test(piece);
      found.push({ text: piece, parts: cjk ? pairs(piece) : (piece.match(PART) ?? []).map(cut), cjk });
    }
  }
  return found;
}

function cut(word: string): string {
  return word.toLowerCase().slice(0, MAX_TERM_LENGTH);
}

function pairs(piece: string): string[] {
  const chars = [...piece];
  if (chars.length === 1) return chars;
  return chars.slice(1).map((char, index) => `${chars[index]}${char}`);
}
