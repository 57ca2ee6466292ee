/** Where an array's schema takes less than another's, place by place. Pure. */
import type { JsonObject, JsonValue } from "../json.ts";
import { asNode, own } from "./schema-parts.ts";
import type { Comparison, Narrowing } from "./types.ts";

export function itemNarrowings(
  from: JsonObject,
  to: JsonObject,
  { comparison, pointer }: { readonly comparison: Comparison; readonly pointer: string },
): readonly Narrowing[] {
  const found: Narrowing[] = [];
  const [was, is] = [itemsOf(from), itemsOf(to)];
  const places = Math.max(was.places.length, is.places.length);
  for (let at = 0; at < places; at += 1) {
    const [one, other] = [asNode(was.places[at] ?? was.rest), asNode(is.places[at] ?? is.rest)];
    if (one === false) continue;
    if (other === false)
      found.push({ code: "items", pointer: `${pointer}/prefixItems/${at}`, detail: `${at}` });
    else found.push(...comparison.compare(one, other, `${pointer}/prefixItems/${at}`));
  }
  const [one, other] = [asNode(was.rest), asNode(is.rest)];
  if (other === false && one !== false)
    found.push({ code: "items", pointer: `${pointer}/items`, detail: "" });
  else found.push(...comparison.compare(one, other, `${pointer}/items`));
  if (own(to, "uniqueItems") === true && own(from, "uniqueItems") !== true) {
    found.push({ code: "rule", pointer: `${pointer}/uniqueItems`, detail: "uniqueItems" });
  }
  return found;
}

/** Drafts before 2020-12 had the places in `items`, and the rest in `additionalItems`. */
function itemsOf(node: JsonObject): {
  readonly places: readonly JsonValue[];
  readonly rest: JsonValue | undefined;
} {
  const items = own(node, "items");
  if (Array.isArray(items)) return { places: items, rest: own(node, "additionalItems") };
  const places = own(node, "prefixItems");
  return { places: Array.isArray(places) ? places : [], rest: items };
}
