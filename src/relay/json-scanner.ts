/**
 * Watches JSON text pass by: tells when its top-level value is complete, so that a body without end needs no end, and
 * when it nests too deep, before anything is parsed. It checks no grammar; `JSON.parse` does that.
 */

/**
 * `open`: more is to come. `complete`: the top-level object or array has closed. `too-deep`: nested past the limit.
 * `other`: the first character starts neither.
 */
export type ScanState = "open" | "complete" | "too-deep" | "other";

export interface JsonScanner {
  /** Takes the next piece; once it is not `open` the state stays. */
  push(text: string): ScanState;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export function createJsonScanner(maxDepth: number): JsonScanner {
  let state: ScanState = "open";
  let depth = 0;
  let inString = false;
  let escaped = false;

  function push(text: string): ScanState {
    for (let i = 0; i < text.length && state === "open"; i++) {
      const code = text.charCodeAt(i);
      if (inString) {
        if (escaped) escaped = false;
        else if (code === BACKSLASH) escaped = true;
        else if (code === QUOTE) inString = false;
      } else if (code === QUOTE && depth > 0) inString = true;
      else if (code === 0x7b || code === 0x5b) {
        depth++;
        if (depth > maxDepth) state = "too-deep";
      } else if (code === 0x7d || code === 0x5d) {
        depth--;
        if (depth <= 0) state = "complete";
      } else if (depth === 0 && !isWhiteSpace(code)) state = "other";
    }
    return state;
  }

  return { push };
}

function isWhiteSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff;
}
