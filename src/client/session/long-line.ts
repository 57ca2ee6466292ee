/**
 * A line that is too long to be kept is still read for what a message says of itself: its id, and whether it asks. Only the outermost
 * members are looked at, wherever they stand, and nothing of the line is held.
 */
import { MAX_ID_CHARS } from "../limits.ts";

export interface LineFacts {
  /** Null: it has none, or none that can be read. */
  readonly id: string | number | null;
  /** It has a `method`: a request or a notification, and no answer. */
  readonly asks: boolean;
}

export interface LineScanner {
  take(text: string): void;
  facts(): LineFacts;
}

export function createLineScanner(): LineScanner {
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The outermost member that is read, and what stands there so far; null within others. */
  let key: string | null = null;
  let word = "";
  let id: string | number | null = null;
  let asks = false;

  const keep = (sign: string): void => {
    if (depth === 1 && word.length <= MAX_ID_CHARS) word += sign;
  };
  /** At a comma, or the end of the object. */
  const member = (): void => {
    if (key === "id") id = idOf(word);
    key = null;
    word = "";
  };
  const take = (sign: string): void => {
    if (inString) {
      keep(sign);
      if (escaped) escaped = false;
      else if (sign === "\\") escaped = true;
      else if (sign === '"') inString = false;
      return;
    }
    switch (sign) {
      case '"':
        inString = true;
        keep(sign);
        break;
      case "{":
      case "[":
        depth += 1;
        break;
      case "}":
      case "]":
        if (depth === 1) member();
        depth -= 1;
        break;
      case ":":
        if (depth !== 1) break;
        key = String(parsed(word));
        asks ||= key === "method";
        word = "";
        break;
      case ",":
        if (depth === 1) member();
        break;
      default:
        keep(sign);
    }
  };
  return {
    take(text) {
      for (const sign of text) take(sign);
    },
    facts: () => ({ id, asks }),
  };
}

function idOf(word: string): string | number | null {
  const value = parsed(word);
  return typeof value === "string" || typeof value === "number" ? value : null;
}

function parsed(word: string): unknown {
  try {
    return word.length > MAX_ID_CHARS ? null : JSON.parse(word.trim());
  } catch {
    return null;
  }
}
