/** The words of a command that was given as one text, as shells take it apart: quotes keep spaces, a backslash keeps what is next. Pure. */
import { OpenMcpError } from "../../spec/index.ts";

/** @throws OpenMcpError `invalid-input` for a quote that does not end. */
export function commandWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] as string;
    if (quote !== "") {
      if (char === quote) quote = "";
      else if (char === "\\" && quote === '"' && /["\\]/.test(text[at + 1] ?? ""))
        word += text[++at] as string;
      else word += char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      // A backslash before an ordinary letter is Windows's, in a path.
      const kept = char === "\\" && /[\s"'\\]/.test(text[at + 1] ?? "") ? (text[++at] as string) : char;
      word = (word ?? "") + kept;
    }
  }
  if (quote !== "") throw new OpenMcpError("invalid-input", `A quote does not end in the command: ${text}`);
  return word === null ? words : [...words, word];
}
