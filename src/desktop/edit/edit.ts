/**
 * One entry of a configuration set or removed, and every other byte as it was. What comes out is read again and compared with what
 * was meant; a text that can't be edited so is refused, never guessed at. Pure.
 */
import { isJsonObject, type JsonObject, type JsonValue, OpenMcpError } from "../../spec/index.ts";
import { type Change, type Fault, type Format, same } from "./change.ts";
import { editJson, readJson } from "./json-edit.ts";
import { editToml, readToml } from "./toml-edit.ts";

/** The text's value, or the place where it is broken. An empty text is an empty object. */
export function readConfig(
  text: string,
  format: Format,
): { readonly value: JsonObject } | { readonly fault: Fault } {
  return format === "json" ? readJson(bare(text)) : readToml(bare(text));
}

/** @throws OpenMcpError `invalid-input` when the text does not parse, or its shape leaves no room for the change. */
export function editConfig(
  text: string,
  { format, changes }: { readonly format: Format; readonly changes: readonly Change[] },
): string {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  let edited = bare(text);
  for (const change of changes) {
    const before = readValue(edited, format);
    const next = format === "json" ? editJson(edited, change) : editToml(edited, change);
    const meant = changed(before, change.path, change.value);
    const after = readConfig(next, format);
    const done = "value" in after && (same(after.value, meant) || same(after.value, pruned(meant, change)));
    if (!done) {
      throw new OpenMcpError(
        "invalid-input",
        `"${change.path.join(".")}" is written in a way that can't be edited without touching the rest. Edit the file by hand.`,
        { data: { path: change.path } },
      );
    }
    edited = next;
  }
  return mark + edited;
}

function readValue(text: string, format: Format): JsonObject {
  const read = readConfig(text, format);
  if ("value" in read) return read.value;
  const { line, column, reason } = read.fault;
  throw new OpenMcpError("invalid-input", `It does not parse: line ${line}, column ${column}: ${reason}.`, {
    data: { line, column },
  });
}

const BYTE_ORDER_MARK = "\uFEFF";

function bare(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** What the change means, on the values alone. */
function changed(
  value: JsonObject,
  [key = "", ...rest]: readonly string[],
  next: JsonValue | undefined,
): JsonObject {
  const entries = Object.entries(value);
  const own = Object.hasOwn(value, key) ? value[key] : undefined;
  const others = entries.filter(([name]) => name !== key);
  if (rest.length === 0) return Object.fromEntries(next === undefined ? others : [...others, [key, next]]);
  if (own === undefined && next === undefined) return value;
  const inner = changed((own ?? {}) as JsonObject, rest, next);
  return Object.fromEntries([...others, [key, inner]]);
}

/** A table that is only the way to others is gone with the last of them. */
function pruned(value: JsonObject, { path, value: next }: Change): JsonObject {
  const [key = ""] = path;
  const held = value[key];
  if (next !== undefined || !isJsonObject(held) || Object.keys(held).length > 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}
