/**
 * Parts of JSON text as they were written: for passing on what someone sent without a digit of it changed, where parsing and
 * writing again would (numbers beyond a double, `1.0`, a key that comes twice). The text must have been parsed before: what is
 * no JSON gives no error here, only nonsense.
 */

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;

/** The text of the member `name` of an object; of several the last, as `JSON.parse` has it. Undefined when there is none. */
export function memberText(text: string, name: string): string | undefined {
  let found: string | undefined;
  let at = opening(text, "{");
  while (at !== -1 && text.charCodeAt(at) === QUOTE) {
    const key = text.slice(at, endOfString(text, at));
    // Past the colon.
    const start = skipSpace(text, skipSpace(text, at + key.length) + 1);
    const end = endOfValue(text, start);
    if (key === `"${name}"` || (key.includes("\\") && JSON.parse(key) === name))
      found = text.slice(start, end);
    at = nextAfter(text, end);
  }
  return found;
}

/** The texts of an array's elements; none when it is no array. */
export function elementTexts(text: string): readonly string[] {
  const elements: string[] = [];
  let at = opening(text, "[");
  while (at !== -1 && text[at] !== "]") {
    const end = endOfValue(text, at);
    elements.push(text.slice(at, end));
    at = nextAfter(text, end);
  }
  return elements;
}

/** Where the first member or element starts, or the closing bracket; -1 when `text` does not open with `bracket`. */
function opening(text: string, bracket: "{" | "["): number {
  const at = skipSpace(text, 0);
  return text[at] === bracket ? skipSpace(text, at + 1) : -1;
}

/** Where the next member or element starts; -1 after the last. */
function nextAfter(text: string, end: number): number {
  const at = skipSpace(text, end);
  return text.charCodeAt(at) === COMMA ? skipSpace(text, at + 1) : -1;
}

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if (first !== 0x7b && first !== 0x5b) {
    let end = start;
    while (end < text.length && !isDelimiter(text.charCodeAt(end))) end += 1;
    return end;
  }
  let depth = 0;
  let at = start;
  do {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    at += 1;
  } while (depth > 0 && at < text.length);
  return at;
}

/** Behind the closing quote: the first that no odd run of backslashes escapes. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return text.length;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** The white space of JSON, and a byte order mark, which readers strip before they parse. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff;
}

function isDelimiter(code: number): boolean {
  return code === COMMA || code === 0x7d || code === 0x5d || isSpace(code);
}
