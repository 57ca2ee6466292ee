/**
 * Foreign text made safe to print. A relay's name, description, tool result or error can hold escape sequences that move
 * the cursor, rename the window, hide or reorder text: none of them reaches the terminal. Nothing is interpreted here.
 */
import { stripVTControlCharacters } from "node:util";

/** What a terminal acts on; tab and line feed are the exceptions. */
const CONTROLS = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
] as const;

/** What can't be seen, and changes or hides other text. */
const INVISIBLES = [
  [0xad, 0xad], // soft hyphen
  [0x034f, 0x034f], // grapheme joiner
  [0x061c, 0x061c], // Arabic letter mark
  [0x115f, 0x1160], // Hangul fillers
  [0x17b4, 0x17b5], // inherent vowels of Khmer
  [0x180b, 0x180f], // Mongolian selectors and separator
  [0x200b, 0x200c], // zero-width space and non-joiner
  [0x200e, 0x200f], // direction marks
  [0x2028, 0x202e], // line and paragraph separators; embeddings and overrides of direction (UAX 9)
  [0x2060, 0x206f], // word joiner, invisible operators, isolates
  [0x3164, 0x3164], // Hangul filler
  [0xfe00, 0xfe0e], // variation selectors but the one of emoji
  [0xfeff, 0xfeff], // byte order mark
  [0xffa0, 0xffa0], // halfwidth filler
  [0xfff0, 0xfffb], // interlinear marks
  [0x1bca0, 0x1bca3], // shorthand controls
  [0x1d173, 0x1d17a], // musical controls
  [0xd800, 0xdfff], // lone surrogates
  [0xe0000, 0xe0fff], // tags and more selectors: used to hide instructions from people
] as const;

const dropped = classOf([...CONTROLS, ...INVISIBLES]);

/** What `JSON.stringify` lets through although it is one of these. The joiner of emoji is escaped too: it is only JSON. */
const escaped = classOf([[0x7f, 0x9f], ...INVISIBLES, [0x200d, 0x200d]]);

/** A zero-width joiner that joins no pictures. */
const loneJoiner =
  /(?<!\p{Extended_Pictographic}|\ufe0f|\p{Emoji_Modifier})\u200d|\u200d(?!\p{Extended_Pictographic})/gu;

/** Several lines stay several lines; tabs stay. A carriage return ends a line: it can't go back and write over it. */
export function printable(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, "\n")).replace(dropped, "").replace(loneJoiner, "");
}

/** On one line: every run of white space is one space. */
export function printableLine(text: string): string {
  return printable(text).replace(/\s+/g, " ").trim();
}

/** JSON for machines that is safe on a terminal too: the same value, the characters above written as `\u` escapes. */
export function printableJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(escaped, (char) =>
    Array.from(
      { length: char.length },
      (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join(""),
  );
}

function classOf(ranges: readonly (readonly [number, number])[]): RegExp {
  const hex = (point: number): string => `\\u{${point.toString(16)}}`;
  return new RegExp(`[${ranges.map(([from, to]) => `${hex(from)}-${hex(to)}`).join("")}]`, "gu");
}
