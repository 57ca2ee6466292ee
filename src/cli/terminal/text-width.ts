/**
 * Text measured as a terminal shows it: wide characters take two columns, marks and joined emoji none of their own.
 * Cutting and wrapping keep whole graphemes. Input is already printable and has no colour.
 */
import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** At most `width` columns, with an ellipsis where something was cut. */
export function truncate(text: string, width: number): string {
  if (text.length <= width && isPlain(text)) return text;
  if (width !== Number.POSITIVE_INFINITY && displayWidth(text) > width)
    return `${takeColumns(text, width - 1)[0]}…`;
  return text;
}

/** Filled with spaces up to `width` columns. */
export function pad(text: string, width: number, side: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return side === "left" ? text + space : space + text;
}

/** Lines of at most `width` columns, broken at spaces, and inside a word only when it is longer than a line. */
export function wrap(text: string, width: number): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, Math.max(1, width)));
}

/** The same, but a text without spaces, such as an address to copy, stays as it is. */
export function wrapProse(text: string, width: number): string[] {
  return text.includes(" ") ? wrap(text, width) : [text];
}

function wrapLine(line: string, width: number): string[] {
  if (displayWidth(line) <= width) return [line];
  const lines: string[] = [];
  let current = "";
  let used = 0;
  for (const word of line.split(/ +/)) {
    let rest = word;
    let columns = displayWidth(rest);
    if (current !== "" && used + 1 + columns <= width) {
      current += ` ${rest}`;
      used += 1 + columns;
      continue;
    }
    if (current !== "") lines.push(current);
    while (columns > width) {
      const [head, tail] = takeSome(rest, width);
      lines.push(head);
      rest = tail;
      columns = displayWidth(rest);
    }
    current = rest;
    used = columns;
  }
  if (current !== "") lines.push(current);
  return lines;
}

/** The longest head of at most `width` columns, and the tail. */
function takeColumns(text: string, width: number): [head: string, tail: string] {
  let head = "";
  let used = 0;
  for (const { segment } of graphemes.segment(text)) {
    used += displayWidth(segment);
    if (used > width) break;
    head += segment;
  }
  return [head, text.slice(head.length)];
}

/** As `takeColumns`, but with one grapheme at least: a wide one in a line of one column must not stop the wrapping. */
function takeSome(text: string, width: number): [head: string, tail: string] {
  const [head, tail] = takeColumns(text, width);
  if (head !== "") return [head, tail];
  const first = graphemes.segment(text)[Symbol.iterator]().next().value?.segment ?? text;
  return [first, text.slice(first.length)];
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}
