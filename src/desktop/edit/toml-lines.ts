/** Lines of TOML, told apart without reading what is in them: headers of tables, and strings that go on. Pure. */

/** The delimiter of the string of several lines that is open behind this line; null without one. */
export function openString(line: string, before: string | null): string | null {
  let open = before;
  for (const [token] of line.matchAll(/"""|'''|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|#/g)) {
    if (open === null && token === "#") return null;
    if (token !== '"""' && token !== "'''") continue;
    if (open === null) open = token;
    else if (open === token) open = null;
  }
  return open;
}

/** The keys of `[a."b c".d]` or `[[a]]`; null for another line. */
export function headerOf(line: string): readonly string[] | null {
  if (!/^\s*\[/.test(line)) return null;
  const keys: string[] = [];
  const token = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(\.|\])/y;
  token.lastIndex = /^\s*\[\[?/.exec(line)?.[0].length ?? 0;
  for (;;) {
    const match = token.exec(line);
    if (match === null) return null;
    const [, double, single, bare, then] = match;
    keys.push(double === undefined ? (single ?? bare ?? "") : unescaped(double));
    if (then === "]") return keys;
  }
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
