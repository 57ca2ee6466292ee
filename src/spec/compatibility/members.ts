/** Where an object's schema takes less than another's: members that have to be there, that changed, or that are not taken. Pure. */
import { canonicalJson } from "../canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { asNode, membersOf, own, requiredOf, restOf } from "./schema-parts.ts";
import type { Comparison, Narrowing } from "./types.ts";

export function memberNarrowings(
  from: JsonObject,
  to: JsonObject,
  { comparison, pointer }: { readonly comparison: Comparison; readonly pointer: string },
): readonly Narrowing[] {
  const found: Narrowing[] = [];
  const [was, is] = [membersOf(from), membersOf(to)];
  const [rest, taken] = [restOf(from), restOf(to)];
  const needed = new Set(requiredOf(from));
  const gone = (name: string): boolean =>
    comparison.side === "output" && own(was, name) === undefined && !isMap(from);
  for (const name of requiredOf(to)) {
    if (!needed.has(name) && !gone(name))
      found.push({ code: "required", pointer: place(name), detail: name });
  }
  for (const [name, after] of Object.entries(is)) {
    const before = own(was, name);
    if (before !== undefined) {
      found.push(...comparison.compare(asNode(before), asNode(after), place(name)));
      if (comparison.side === "input" && otherDefault(before, after)) {
        found.push({ code: "default", pointer: `${place(name)}/default`, detail: name });
      }
    } else if (gone(name)) found.push({ code: "member-removed", pointer: place(name), detail: name });
    // A map: its members had a schema, if no names.
    else if (isMap(from)) found.push(...comparison.compare(rest, asNode(after), place(name)));
  }
  for (const name of Object.keys(was)) {
    if (own(is, name) !== undefined) continue;
    // What callers get and don't know yet harms none.
    if (comparison.side === "output") continue;
    if (isMap(to)) found.push(...comparison.compare(asNode(was[name]), taken, place(name)));
    else found.push({ code: "member-removed", pointer: place(name), detail: name });
  }
  if (comparison.side === "input" || isMap(from) || isMap(to)) found.push(...narrowerRest());
  return found;

  function place(name: string): string {
    return `${pointer}/properties/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }

  function narrowerRest(): readonly Narrowing[] {
    const at = `${pointer}/additionalProperties`;
    if (taken === false) return rest === false ? [] : [{ code: "closed", pointer: at, detail: "" }];
    return rest === false ? [] : comparison.compare(rest, taken, at);
  }
}

/** What leaving it out meant is not what it means now. */
function otherDefault(before: JsonValue, after: JsonValue): boolean {
  const [was, is] = [before, after].map((node) => (isJsonObject(node) ? own(node, "default") : undefined));
  return was !== undefined && (is === undefined || canonicalJson(was) !== canonicalJson(is));
}

/** Members without a name have a schema of their own. */
function isMap(node: JsonObject): boolean {
  const rest = restOf(node);
  return rest !== false && Object.keys(rest).length > 0;
}
