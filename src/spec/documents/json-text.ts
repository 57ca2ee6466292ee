/**
 * Walks JSON text that `JSON.parse` accepted, member by member, for what parsing hides: keys that come twice, and where in the text
 * a value stands. One pass; memory is the keys of the objects that are open.
 */
import { endOfString } from "../json-slice.ts";
import { MAX_POINTER_LENGTH } from "../limits.ts";
import { under } from "./findings.ts";

export interface JsonPlace {
  /** JSON Pointer to the value. */
  readonly pointer: string;
  /** Where its key begins, or the value where it has none; in UTF-16 code units. */
  readonly offset: number;
  /** Its key stood in the same object before. */
  readonly repeated: boolean;
}

interface Level {
  readonly pointer: string;
  /** Null in an array. */
  readonly keys: Set<string> | null;
  index: number;
}

/** Calls `visit` for each member and element, in the order of the text; false from it ends the walk. */
export function walkJsonText(text: string, visit: (place: JsonPlace) => boolean): void {
  const levels: Level[] = [];
  /** The pointer of the value that comes next. */
  let here = "";
  /** A string that stands now is a key. */
  let keyNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const level = levels.at(-1);
    if (code <= 0x20 || code === 0x3a || code === 0xfeff) continue;
    if (code === 0x7d || code === 0x5d) {
      levels.pop();
      keyNext = false;
      continue;
    }
    if (code === 0x2c) {
      if (level !== undefined) level.index += 1;
      keyNext = level?.keys !== null;
      continue;
    }
    if (keyNext && level?.keys) {
      const end = endOfString(text, at);
      const key = keyOf(text.slice(at, end));
      here = below(level.pointer, key);
      if (!visit({ pointer: here, offset: at, repeated: level.keys.has(key) })) return;
      level.keys.add(key);
      at = end - 1;
      keyNext = false;
      continue;
    }
    if (level?.keys === null) {
      here = below(level.pointer, level.index);
      if (!visit({ pointer: here, offset: at, repeated: false })) return;
    }
    if (code === 0x7b || code === 0x5b) {
      levels.push({ pointer: here, keys: code === 0x7b ? new Set() : null, index: 0 });
      keyNext = code === 0x7b;
    } else if (code === 0x22) at = endOfString(text, at) - 1;
    else at = endOfWord(text, at) - 1;
  }
}

/** Behind a pointer that is very long already, all places are one: a pointer for each would be the square of the text. */
function below(pointer: string, step: string | number): string {
  return pointer.length > 2 * MAX_POINTER_LENGTH ? pointer : under(pointer, step);
}

/** Pointers of the members whose key stood before in the same object; at most `most`. */
export function duplicateKeys(text: string, most: number): readonly string[] {
  const found: string[] = [];
  walkJsonText(text, ({ pointer, repeated }) => {
    if (repeated) found.push(pointer);
    return found.length < most;
  });
  return found;
}

/** Line and column, from 1, of the value at each pointer; of a value that is not there, those of the nearest around it. */
export function locatePointers(
  text: string,
  pointers: readonly string[],
): ReadonlyMap<string, { readonly line: number; readonly column: number }> {
  const wanted = new Set<string>();
  for (const pointer of pointers) {
    for (let part = pointer; part !== ""; part = part.slice(0, part.lastIndexOf("/"))) wanted.add(part);
  }
  const offsets = new Map<string, number>();
  walkJsonText(text, ({ pointer, offset }) => {
    // Of a key that comes twice, the last counts, as for a parser.
    if (wanted.has(pointer)) offsets.set(pointer, offset);
    return true;
  });
  const lines = lineStarts(text);
  return new Map(
    pointers.map((pointer) => {
      let part = pointer;
      while (part !== "" && !offsets.has(part)) part = part.slice(0, part.lastIndexOf("/"));
      return [pointer, position(offsets.get(part) ?? 0, lines)] as const;
    }),
  );
}

/**
 * A catalog's text that was cut off, closed behind the last whole entry: what is left of it can be read. Null when not one element
 * of `member` is whole.
 */
export function closeCutText(text: string, member: string): string | null {
  const list = `/${member}`;
  let end: number | null = null;
  let last: string | null = null;
  walkJsonText(text, ({ pointer, offset }) => {
    const isElement = pointer.startsWith(`${list}/`) && pointer.indexOf("/", list.length + 1) === -1;
    if (isElement) {
      // The element before this one is whole.
      if (last !== null) end = offset;
      last = pointer;
    }
    return true;
  });
  if (end === null) return null;
  const comma = text.lastIndexOf(",", end);
  return `${text.slice(0, comma)}]}`;
}

function keyOf(literal: string): string {
  if (!literal.includes("\\")) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal;
  }
}

/** Behind a number, `true`, `false` or `null`. */
function endOfWord(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === 0x2c || code === 0x7d || code === 0x5d) break;
    at += 1;
  }
  return at;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function position(
  offset: number,
  lines: readonly number[],
): { readonly line: number; readonly column: number } {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (lines[low] ?? 0) + 1 };
}
