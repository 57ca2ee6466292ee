/**
 * What a catalog that is too large says in the part that was read: its head and its whole entries, as a document of its own.
 * One pass, nothing is parsed here.
 */

/** Null when the text has no array `entries` of the top level, or not one whole entry in it. */
export function cutCatalog(text: string): string | null {
  let depth = 0;
  let inEntries = false;
  let lastWhole = -1;
  let key = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      const end = endOfString(text, at);
      if (end === -1) break;
      if (depth === 1) key = text.slice(at + 1, end);
      at = end;
    } else if (char === "{" || char === "[") {
      depth += 1;
      if (depth === 2 && char === "[" && key === "entries") inEntries = true;
    } else if (char === "}" || char === "]") {
      depth -= 1;
      if (inEntries && depth === 2) lastWhole = at;
      if (depth === 1) inEntries = false;
      if (depth === 1 && key === "entries" && lastWhole !== -1) break;
    }
  }
  return lastWhole === -1 ? null : `${text.slice(0, lastWhole + 1)}]}`;
}

/** The closing quote of the string that opens at `from`; -1 when it has none. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\") at += 1;
    else if (char === '"') return at;
  }
  return -1;
}
