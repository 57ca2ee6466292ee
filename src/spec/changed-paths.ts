/**
 * Where two JSON objects differ, as JSON Pointers (RFC 6901). Pure, and bounded: what would be a long list is told by
 * fewer and shorter pointers, down to `""`, the whole value. Arrays are compared as one value: an element has no name.
 */
import { canonicalJson } from "./canonical-json.ts";
import { isJsonObject, type JsonValue } from "./json.ts";
import { MAX_CHANGED_PATHS, MAX_POINTER_LENGTH } from "./limits.ts";

/** In the order of the keys' names; empty when both are equal but for the order of keys. */
export function changedPaths(before: JsonValue, after: JsonValue): readonly string[] {
  for (let depth = MAX_DEPTH; ; depth -= 1) {
    const paths = pathsTo(before, after, depth);
    const fits =
      paths.length <= MAX_CHANGED_PATHS && paths.every((path) => path.length <= MAX_POINTER_LENGTH);
    if (fits || depth === 0) return paths;
  }
}

/** A definition's parameters are named within this many keys: `inputSchema`, `properties`, a name and its own, twice nested. */
const MAX_DEPTH = 6;

function pathsTo(before: JsonValue, after: JsonValue, depth: number): readonly string[] {
  if (before === after) return [];
  if (depth === 0 || !isJsonObject(before) || !isJsonObject(after)) {
    return canonicalJson(before) === canonicalJson(after) ? [] : [""];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].sort().flatMap((key) => {
    const [was, is] = [own(before, key), own(after, key)];
    const paths =
      was === undefined || is === undefined ? (was === is ? [] : [""]) : pathsTo(was, is, depth - 1);
    return paths.map((path) => `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}${path}`);
  });
}

function own(object: { readonly [key: string]: JsonValue }, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
