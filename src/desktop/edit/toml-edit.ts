/**
 * TOML edited in place, as far as Codex's configuration needs it: the table of one server, written, replaced or taken out, with its
 * sub-tables. Full-line comments in a replaced table stay; everything outside it is untouched. What else a server may be written as
 * (inline, by dotted keys) is refused by the caller's comparison. Pure.
 */
import { parse, TomlError } from "smol-toml";
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/index.ts";
import { type Change, type Fault, same } from "./change.ts";
import { headerOf, openString } from "./toml-lines.ts";

export function readToml(text: string): { readonly value: JsonObject } | { readonly fault: Fault } {
  try {
    // Dates and large integers become text: they are compared, not written.
    const value = JSON.parse(
      JSON.stringify(parse(text, { integersAsBigInt: "asNeeded" }), (_key, item) =>
        typeof item === "bigint"
          ? `${item}n`
          : typeof item === "number" && !Number.isFinite(item)
            ? String(item)
            : item,
      ),
    );
    return { value };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const reason = error.message.split("\n")[0]?.replace(/^Invalid TOML document: /, "") ?? "unreadable";
    return { fault: { line: error.line, column: error.column, reason } };
  }
}

export function editToml(text: string, { path, value }: Change): string {
  const read = readToml(text);
  const now = "value" in read ? at(read.value, path) : undefined;
  if (same(now, value) || (now === undefined && value === undefined)) return text;
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/(?<=\n)/);
  const blocks = tablesOf(lines, path);
  const kept = blocks.flatMap(({ from, to }) =>
    lines.slice(from + 1, to).filter((line) => /^\s*#/.test(line)),
  );
  const written = isJsonObject(value) ? tableText(path, { value, eol, comments: kept }) : null;
  const [first] = blocks;
  if (first === undefined) return written === null ? text : appended(text, written, eol);
  const out: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (written !== null && index === first.from) out.push(written);
    if (!blocks.some(({ from, to }) => index >= from && index < to)) out.push(line);
  }
  // A table that is taken out takes the empty line before it along.
  if (written === null && first.from > 0 && (out[first.from - 1] ?? "").trim() === "")
    out.splice(first.from - 1, 1);
  return out.join("");
}

interface Block {
  /** The header's line. */
  readonly from: number;
  /** Behind the last line that is the table's. */
  readonly to: number;
}

/** The table of this path and its sub-tables: from a header to the last line that is neither empty nor a comment for what follows. */
function tablesOf(lines: readonly string[], path: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let from: number | null = null;
  const end = (to: number): void => {
    if (from === null) return;
    let last = to;
    while (last > from + 1 && /^\s*(?:#.*)?$/.test((lines[last - 1] ?? "").trimEnd())) last -= 1;
    blocks.push({ from, to: last });
    from = null;
  };
  let open: string | null = null;
  for (const [index, line] of lines.entries()) {
    const keys = open === null ? headerOf(line) : null;
    open = openString(line, open);
    if (keys === null) continue;
    end(index);
    if (path.every((key, depth) => keys[depth] === key)) from = index;
  }
  end(lines.length);
  return blocks.map(({ from, to }, index) => {
    const next = blocks[index + 1];
    // Empty lines between the parts of one server are its own.
    const joined = next !== undefined && lines.slice(to, next.from).every((line) => line.trim() === "");
    return { from, to: joined ? next.from : to };
  });
}

function tableText(
  path: readonly string[],
  {
    value,
    eol,
    comments,
  }: { readonly value: JsonObject; readonly eol: string; readonly comments: readonly string[] },
): string {
  const header = `[${path.map(keyText).join(".")}]${eol}`;
  const members = Object.entries(value).map(([key, held]) => `${keyText(key)} = ${valueText(held)}${eol}`);
  return [header, ...comments.map((line) => line.replace(/\r?\n?$/, eol)), ...members].join("");
}

function appended(text: string, table: string, eol: string): string {
  if (text.trim() === "") return text + table;
  const ended = text.endsWith("\n") ? text : text + eol;
  return `${ended}${/\n\s*\n$/.test(ended) ? "" : eol}${table}`;
}

function keyText(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : stringText(key);
}

function valueText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value === "string") return stringText(value);
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, held]) => `${keyText(key)} = ${valueText(held)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  return String(value);
}

/** A basic string: JSON's, and the one control character that JSON lets through. */
function stringText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007F", "\\u007F");
}

function at(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let held = value;
  for (const key of path) held = isJsonObject(held) && Object.hasOwn(held, key) ? held[key] : undefined;
  return held;
}
