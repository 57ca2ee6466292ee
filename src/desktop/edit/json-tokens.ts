/** Tokens of JSON with comments, one after the other: what looks at a text before, or beside, the parser. Pure. */
import { createScanner } from "jsonc-parser";

export interface Token {
  readonly offset: number;
  readonly text: string;
}

/** White space is left out. */
export function* tokensOf(text: string): Generator<Token, void> {
  const scanner = createScanner(text, false);
  for (;;) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const length = scanner.getTokenLength();
    // Only the end has no length.
    if (length === 0) return;
    if (!/\s/.test(text[offset] ?? "")) yield { offset, text: text.slice(offset, offset + length) };
  }
}
