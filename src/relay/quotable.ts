/** Words of a relay inside our sentences: untrusted, so cut and cleaned. */
import { MAX_QUOTED_LENGTH } from "./limits.ts";

/** A short piece of a relay's text for a sentence: one line, no control characters. */
export function quotable(text: string): string {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return line.length > MAX_QUOTED_LENGTH ? `${line.slice(0, MAX_QUOTED_LENGTH)}…` : line;
}
