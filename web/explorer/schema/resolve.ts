/**
 * A schema as one object: references within the document followed, `allOf` merged, the choice of one beside null taken for a nullable
 * one. Bounded: whoever refers in circles, or outside, is told as "anything". Pure.
 */
import type { JsonValue } from "../../../src/spec/index.ts";
import { isRecord, own } from "../json/exact.ts";
import { MAX_MERGED, MAX_REFERENCES } from "../limits.ts";

export type SchemaObject = { readonly [key: string]: JsonValue };

export type Resolved =
  | { readonly kind: "schema"; readonly schema: SchemaObject }
  /** No rule that a form could show; `why` when that needs a word. */
  | { readonly kind: "any"; readonly why: string | null; readonly texts: SchemaObject };

export function resolve(schema: JsonValue | undefined, root: JsonValue): Resolved {
  return follow(schema, { root, left: { references: MAX_REFERENCES, merges: MAX_MERGED } });
}

interface Walk {
  readonly root: JsonValue;
  /** Shared by all branches of one walk: what a schema costs is bounded as a whole. */
  readonly left: { references: number; merges: number };
}

function follow(schema: JsonValue | undefined, walk: Walk): Resolved {
  if (!isRecord(schema)) {
    return { kind: "any", why: schema === false ? "The schema allows no value here." : null, texts: {} };
  }
  const reference = own(schema, "$ref") ?? own(schema, "$dynamicRef");
  if (typeof reference === "string") return referred(schema, { reference, walk });
  const all = own(schema, "allOf");
  if (Array.isArray(all) && all.length > 0) return merged(schema, { all, walk });
  return withoutNull(schema, walk);
}

function referred(
  schema: SchemaObject,
  { reference, walk }: { readonly reference: string; readonly walk: Walk },
): Resolved {
  const { $ref: _ref, $dynamicRef: _dynamic, ...beside } = schema;
  walk.left.references -= 1;
  if (walk.left.references < 0)
    return { kind: "any", why: "The schema refers to itself here.", texts: beside };
  const target = pointed(walk.root, reference);
  if (target === undefined) {
    return {
      kind: "any",
      why: `The schema refers to ${reference.slice(0, 200)}, which is not in it.`,
      texts: beside,
    };
  }
  const found = follow(target, walk);
  if (found.kind === "any") return { ...found, texts: { ...found.texts, ...beside } };
  return Object.keys(beside).length === 0 ? found : follow({ ...found.schema, ...beside }, walk);
}

/** `#`, a JSON Pointer behind it, or an anchor or `$id` of the document. */
function pointed(root: JsonValue, reference: string): JsonValue | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#")) return undefined;
  if (!reference.startsWith("#/")) return anchored(root, reference.slice(1));
  let at: JsonValue | undefined = root;
  for (const raw of reference.slice(2).split("/").slice(0, 64)) {
    const step = decoded(raw).replaceAll("~1", "/").replaceAll("~0", "~");
    at = Array.isArray(at) ? at[Number(step)] : own(at, step);
    if (at === undefined) return undefined;
  }
  return at;
}

function anchored(root: JsonValue, name: string): JsonValue | undefined {
  for (const word of ["$defs", "definitions"]) {
    const definitions = own(root, word);
    for (const definition of isRecord(definitions) ? Object.values(definitions) : []) {
      if (own(definition, "$anchor") === name || own(definition, "$dynamicAnchor") === name)
        return definition;
    }
  }
  return own(root, "$anchor") === name || own(root, "$dynamicAnchor") === name ? root : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function merged(
  schema: SchemaObject,
  { all, walk }: { readonly all: readonly JsonValue[]; readonly walk: Walk },
): Resolved {
  const { allOf: _all, ...beside } = schema;
  let whole: SchemaObject = beside;
  for (const part of all) {
    walk.left.merges -= 1;
    if (walk.left.merges < 0) break;
    const found = follow(part, walk);
    if (found.kind === "schema") whole = both(whole, found.schema);
  }
  return withoutNull(whole, walk);
}

/** What holds under both: members and demands of both, and the left's word where they differ. */
function both(left: SchemaObject, right: SchemaObject): SchemaObject {
  const properties = { ...record(own(right, "properties")), ...record(own(left, "properties")) };
  const required = [...list(own(left, "required")), ...list(own(right, "required"))];
  return {
    ...right,
    ...left,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
  };
}

/** `anyOf: [X, {type: "null"}]` is X, and nullable. */
function withoutNull(schema: SchemaObject, walk: Walk): Resolved {
  for (const word of ["anyOf", "oneOf"]) {
    const options = own(schema, word);
    if (!Array.isArray(options) || options.length === 0) continue;
    const rest = options.filter((option) => own(option, "type") !== "null" && own(option, "const") !== null);
    const [only] = rest;
    if (rest.length === 1 && only !== undefined) {
      const { [word]: _choice, ...beside } = schema;
      const found = follow(only, walk);
      if (found.kind === "any") return { ...found, texts: { ...found.texts, ...beside } };
      const nullable: SchemaObject = options.length > 1 ? { nullable: true } : {};
      return { kind: "schema", schema: { ...both(beside, found.schema), ...nullable } };
    }
    if (rest.length < options.length && rest.length > 1) {
      return { kind: "schema", schema: { ...schema, [word]: rest, nullable: true } };
    }
  }
  return { kind: "schema", schema };
}

function record(value: JsonValue | undefined): SchemaObject {
  return isRecord(value) ? value : {};
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
