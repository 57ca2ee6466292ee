/**
 * JSON with comments and trailing commas, edited in place: the text of one member is written, replaced or taken out, in the file's own
 * indent and line ends. Comments inside a replaced entry stay too: only the members that differ are touched. Pure.
 */
import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { isJsonObject, type JsonObject, type JsonValue, OpenMcpError } from "../../spec/index.ts";
import { MAX_NESTING } from "../limits.ts";
import { type Change, type Fault, same } from "./change.ts";
import { tokensOf } from "./json-tokens.ts";
import { indentBefore, type Splice, splice, unitOf } from "./text-form.ts";

export function readJson(text: string): { readonly value: JsonObject } | { readonly fault: Fault } {
  if (text.trim() === "") return { value: {} };
  const deep = tooDeep(text);
  if (deep !== null)
    return { fault: { ...placeOf(text, deep), reason: `it nests more than ${MAX_NESTING} deep` } };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || root === undefined) {
    const reason = words(first === undefined ? "ValueExpected" : printParseErrorCode(first.error));
    return { fault: { ...placeOf(text, first?.offset ?? 0), reason } };
  }
  const value = plainValue(root);
  if (!isJsonObject(value)) {
    return { fault: { ...placeOf(text, root.offset), reason: "an object is expected" } };
  }
  return { value };
}

/** Where the text nests deeper than the parser, which calls itself, can follow; null when it does not. */
function tooDeep(text: string): number | null {
  let depth = 0;
  for (const token of tokensOf(text)) {
    if (token.text === "{" || token.text === "[") depth += 1;
    else if (token.text === "}" || token.text === "]") depth -= 1;
    if (depth > MAX_NESTING) return token.offset;
  }
  return null;
}

export function editJson(text: string, { path, value }: Change): string {
  if (text.trim() === "") {
    return value === undefined ? text : `${JSON.stringify(nested(path, value), null, 2)}\n`;
  }
  const root = rootOf(text);
  let object = root;
  for (const [index, key] of path.entries()) {
    if (object.type !== "object") throw unfit(text, object, path.slice(0, index));
    const member = memberOf(object, key);
    const last = index === path.length - 1;
    if (member === undefined) {
      return value === undefined
        ? text
        : splice(text, insertion(text, object, { key, value: nested(path.slice(index + 1), value) }));
    }
    const held = member.children?.[1];
    if (held === undefined) throw unfit(text, member, path.slice(0, index + 1));
    if (last) {
      return value === undefined
        ? splice(text, removal(text, object, member))
        : settled(text, path, value, held);
    }
    object = held;
  }
  return text;
}

/** Sets the value at a path that is there, member by member, so that what stands between them stays. */
function settled(text: string, path: readonly string[], value: JsonValue, held: Node): string {
  const now = plainValue(held);
  if (same(now, value)) return text;
  if (!isJsonObject(value) || held.type !== "object") {
    const written = stringify(value, {
      indent: indentBefore(text, held.offset),
      unit: unitOf(text),
      eol: eolOf(text),
    });
    return splice(text, [{ offset: held.offset, length: held.length, content: written }]);
  }
  let edited = text;
  for (const key of Object.keys(now as JsonObject)) {
    if (!Object.hasOwn(value, key)) edited = editJson(edited, { path: [...path, key], value: undefined });
  }
  for (const [key, inner] of Object.entries(value))
    edited = editJson(edited, { path: [...path, key], value: inner });
  return edited;
}

function insertion(
  text: string,
  object: Node,
  { key, value }: { readonly key: string; readonly value: JsonValue },
): readonly Splice[] {
  const close = object.offset + object.length - 1;
  const members = object.children ?? [];
  const last = members.at(-1);
  const eol = eolOf(text);
  const unit = unitOf(text);
  // Behind whatever stands last, a comment too.
  let end = close;
  while (/\s/.test(text[end - 1] ?? "")) end -= 1;
  if (last === undefined) {
    const outer = indentBefore(text, object.offset);
    const indent = outer + unit;
    const written = `${eol}${indent}${JSON.stringify(key)}: ${stringify(value, { indent, unit, eol })}`;
    const empty = end === object.offset + 1;
    // A comment that is there keeps its own way to the brace.
    return empty
      ? [{ offset: end, length: close - end, content: `${written}${eol}${outer}` }]
      : [
          {
            offset: end,
            length: 0,
            content: text.slice(end, close).includes("\n") ? written : `${written}${eol}${outer}`,
          },
        ];
  }
  const after = last.offset + last.length;
  const comma = commaAfter(text, after, close);
  const first = members[0] as Node;
  const lines = text.slice(object.offset, first.offset).includes("\n");
  const indent = lines ? indentBefore(text, first.offset) : "";
  if (!lines) {
    const space = /[:,] /.test(text.slice(object.offset, after)) ? " " : "";
    const written = `${space}${JSON.stringify(key)}:${space}${JSON.stringify(value)}`;
    // Behind a comment there may be no more of this line.
    return comma === null
      ? [{ offset: after, length: 0, content: `,${written}` }]
      : [{ offset: comma + 1, length: 0, content: `${written},` }];
  }
  const written = `${eol}${indent}${JSON.stringify(key)}: ${stringify(value, { indent, unit, eol })}`;
  return comma === null
    ? [
        { offset: after, length: 0, content: "," },
        { offset: Math.max(end, after), length: 0, content: written },
      ]
    : [{ offset: end, length: 0, content: `${written},` }];
}

function removal(text: string, object: Node, member: Node): readonly Splice[] {
  const close = object.offset + object.length - 1;
  const members = object.children ?? [];
  const before = members[members.indexOf(member) - 1];
  let start = member.offset;
  let end = member.offset + member.length;
  const splices: Splice[] = [];
  const comma = commaAfter(text, end, close);
  if (comma !== null) {
    // A comment between the member and its comma is the member's.
    end = comma + 1;
  } else if (before !== undefined) {
    const earlier = commaAfter(text, before.offset + before.length, start);
    if (earlier !== null) splices.push({ offset: earlier, length: 1, content: "" });
  }
  let left = start;
  while (/[ \t]/.test(text[left - 1] ?? "")) left -= 1;
  let right = end;
  while (/[ \t]/.test(text[right] ?? "")) right += 1;
  const ownLine = text[left - 1] === "\n" && (text[right] === "\n" || text.startsWith("\r\n", right));
  const only =
    members.length === 1 &&
    text.slice(object.offset + 1, start).trim() === "" &&
    text.slice(end, close).trim() === "";
  if (only) {
    start = object.offset + 1;
    end = close;
  } else if (ownLine) {
    start = left;
    end = right + (text[right] === "\r" ? 2 : 1);
  } else if (text[left - 1] !== "\n") {
    start = left;
  }
  return [...splices, { offset: start, length: end - start, content: "" }];
}

/** Where the comma behind a member is; null when the object ends first. */
function commaAfter(text: string, offset: number, limit: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return at < limit && text[at] === "," ? at : null;
}

/** The last of a name, as the applications' own parsers have it. */
function memberOf(object: Node, key: string): Node | undefined {
  return object.children?.findLast((member) => member.children?.[0]?.value === key);
}

function rootOf(text: string): Node {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) throw new OpenMcpError("invalid-input", "The file is empty.");
  return root;
}

/** Not jsonc-parser's: that would set a prototype by the name of a member. */
function plainValue(node: Node): JsonValue {
  if (node.type === "array") return (node.children ?? []).map(plainValue);
  if (node.type !== "object") return node.value as JsonValue;
  const entries = (node.children ?? []).flatMap(({ children: [key, held] = [] }) =>
    key === undefined || held === undefined ? [] : [[String(key.value), plainValue(held)] as const],
  );
  return Object.fromEntries(entries);
}

function nested(path: readonly string[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
}

function stringify(
  value: JsonValue,
  { indent, unit, eol }: { readonly indent: string; readonly unit: string; readonly eol: string },
): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${indent}`);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function unfit(text: string, node: Node, path: readonly string[]): OpenMcpError {
  const { line, column } = placeOf(text, node.offset);
  return new OpenMcpError(
    "invalid-input",
    `"${path.join(".")}" is no object there (line ${line}, column ${column}), so nothing can be put into it. Edit the file by hand.`,
    { data: { line, column } },
  );
}

export function placeOf(text: string, offset: number): Pick<Fault, "line" | "column"> {
  const before = text.slice(0, offset);
  const line = before.split("\n").length;
  return { line, column: offset - before.lastIndexOf("\n") };
}

/** `CommaExpected` as words. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
