/**
 * What an unknown word may have been meant to be: a longer word it begins, else the nearest by edits.
 * The candidates come from the vocabulary; nothing here reads it.
 */
export interface Resolution {
  readonly terms: readonly string[];
  /** How much they count for the word they stand for, below 1. */
  readonly factor: number;
}

const BY_PREFIX = 0.7;
const BY_ONE_EDIT = 0.6;
const BY_TWO_EDITS = 0.45;
/** Letters that a word's beginning may lack: `auth` is more likely `author` than `authentication-provider`. */
const MAX_MISSING = 4;

/** True for words worth looking for: too short ones resemble anything, and numbers are no misspellings. */
export function resolvable(term: string): boolean {
  return term.length >= 4 && /^\p{L}+$/u.test(term);
}

/** Of terms, those the word begins. */
export function byPrefix(word: string, terms: readonly string[]): Resolution {
  return {
    terms: terms.filter((term) => term.startsWith(word) && term.length <= word.length + MAX_MISSING),
    factor: BY_PREFIX,
  };
}

/** How many edits a word of this length may be away: one, or two from eight letters. */
export function allowedEdits(word: string): number {
  return word.length >= 8 ? 2 : 1;
}

/** Of terms, the nearest within the edits allowed. */
export function byDistance(word: string, terms: readonly string[]): Resolution {
  let nearest = allowedEdits(word);
  let found: string[] = [];
  for (const term of terms) {
    const edits = distance(word, term, nearest);
    if (edits > nearest) continue;
    if (edits < nearest) found = [];
    nearest = edits;
    found.push(term);
  }
  return { terms: found, factor: nearest <= 1 ? BY_ONE_EDIT : BY_TWO_EDITS };
}

/**
 * Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment);
 * `max + 1` as soon as it is more than `max`. What is more than `max` off the diagonal can't be less, and is not looked at.
 */
export function distance(a: string, b: string, max: number): number {
  const far = max + 1;
  if (Math.abs(a.length - b.length) > max) return far;
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = new Array<number>(b.length + 1).fill(far);
    if (row <= max) current[0] = row;
    let least = row;
    for (let column = Math.max(1, row - max); column <= Math.min(b.length, row + max); column++) {
      const same = a[row - 1] === b[column - 1];
      let edits = Math.min(
        (above[column] ?? far) + 1,
        (current[column - 1] ?? far) + 1,
        (above[column - 1] ?? far) + (same ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        edits = Math.min(edits, (twoAbove[column - 2] ?? far) + 1);
      }
      current[column] = edits;
      least = Math.min(least, edits);
    }
    if (least > max) return far;
    twoAbove = above;
    above = current;
  }
  return Math.min(far, above[b.length] ?? far);
}
