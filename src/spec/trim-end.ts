/**
 * Taking characters off the end of a text in one step each. As a pattern (`/\/+$/`) that costs the square of the longest run
 * of them anywhere in the text: a stranger's 100,000 blanks held a whole process for half a minute.
 */

/** `text` without the characters of `set` at its end. */
export function trimEndOf(text: string, set: string): string {
  let end = text.length;
  while (end > 0 && set.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
