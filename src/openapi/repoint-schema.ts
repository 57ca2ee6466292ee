/**
 * Schemas whose references point elsewhere than before, all else shared with what it was (numbers kept as text included).
 * Generators of types name a place by its path and know few paths: the component itself, one of its `$defs`, one of its properties.
 * What a reference finds anywhere else - draft 7's `definitions`, `items`, a branch of `anyOf` - has a component of its own beside the
 * schema, and the reference keeps its pointer in `x-mcp-ref`. Pure.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/index.ts";
import { mappingOf, type Path, type PointerOf, pathOf, valueAt } from "./survey-schema.ts";

/** The pointer of a reference whose target has a component of its own. */
const POINTER_KEY = "x-mcp-ref";

/** Where a reference points now; `x-mcp-ref` where that is not told by it. */
type Target = { readonly $ref: string; readonly [POINTER_KEY]?: string };
type Repoint = (pointer: string, holder: JsonObject | null) => Target;

/** Reads references to `base` and to what is under it. */
export function pointerIn(base: string): PointerOf {
  return (reference) =>
    reference === base || reference.startsWith(`${base}/`) ? reference.slice(base.length) : null;
}

/** The same, and those to components of their own. */
export function aliased(base: string): PointerOf {
  const plain = pointerIn(base);
  return (reference, holder) => {
    const pointer = Object.hasOwn(holder, POINTER_KEY) ? holder[POINTER_KEY] : undefined;
    const alias =
      reference === holder.$ref && reference.startsWith(`${base}.`) && typeof pointer === "string";
    return alias ? pointer.slice(1) : plain(reference, holder);
  };
}

export interface AliasBook {
  readonly forward: Repoint;
  /** The components that `forward` pointed at, from the schema as it is after that. */
  components(moved: JsonValue): Iterable<readonly [string, JsonValue]>;
}

/** Points into the component `key`, and names those that parts of the schema need. */
export function aliasBook(
  schema: JsonObject,
  { key, base }: { readonly key: string; readonly base: string },
): AliasBook {
  const byPointer = new Map<string, string>();
  // The names of components that belong to whole schemas.
  const taken = new Set(["input", "output"]);
  // A type that is made of others can't be made of its own parts.
  const made = ["$ref", "allOf", "anyOf", "oneOf"].some((keyword) => Object.hasOwn(schema, keyword));
  const known = made ? /^$/ : /^(?:\/(?:\$defs|properties)\/[^/]*)?$/;

  function aliasOf(pointer: string): string {
    const there = byPointer.get(pointer);
    if (there !== undefined) return there;
    const part = (pathOf(pointer)?.at(-1) ?? "").replace(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64) || "part";
    let name = part;
    for (let count = 2; taken.has(name); count += 1) name = `${part}_${count}`;
    taken.add(name);
    byPointer.set(pointer, `${key}.${name}`);
    return `${key}.${name}`;
  }

  return {
    forward(pointer, holder) {
      const plain = known.test(pointer) || holder === null || Object.hasOwn(holder, POINTER_KEY);
      if (plain || valueAt(schema, pathOf(pointer) ?? []) === undefined)
        return { $ref: base + key + pointer };
      return { $ref: base + aliasOf(pointer), [POINTER_KEY]: `#${pointer}` };
    },
    *components(moved) {
      for (const [pointer, alias] of byPointer) {
        const value = valueAt(moved, pathOf(pointer) ?? []);
        if (value !== undefined) yield [alias, value];
      }
    },
  };
}

/** The schema with every reference of `holders` as `repoint` has it. */
export function repointed(
  schema: JsonValue,
  holders: readonly Path[],
  repoint: Repoint,
  pointerOf: PointerOf = pointerIn("#"),
): JsonValue {
  const root: Edit = { here: false, below: new Map() };
  for (const path of holders) {
    let edit = root;
    for (const key of path) {
      const next = edit.below.get(key) ?? { here: false, below: new Map<string, Edit>() };
      edit.below.set(key, next);
      edit = next;
    }
    edit.here = true;
  }
  return edited(schema, root, (holder) => repointedHolder(holder, { repoint, pointerOf }));
}

/** What changes at a place and below it. */
interface Edit {
  here: boolean;
  readonly below: Map<string, Edit>;
}

function edited(
  value: JsonValue,
  { here, below }: Edit,
  change: (holder: JsonObject) => JsonObject,
): JsonValue {
  const child = (key: string, member: JsonValue): JsonValue => {
    const edit = below.get(key);
    return edit === undefined ? member : edited(member, edit, change);
  };
  if (Array.isArray(value)) return value.map((item: JsonValue, index) => child(String(index), item));
  if (!isJsonObject(value)) return value;
  const copy = mapped(value, (key, member) => [[key, child(key, member)]]);
  return here ? change(copy) : copy;
}

/** By definition and not by assignment: `__proto__` is a name like any other. */
function mapped(
  value: JsonObject,
  entries: (key: string, member: JsonValue) => (readonly [string, JsonValue])[],
): JsonObject {
  return Object.fromEntries(Object.entries(value).flatMap(([key, member]) => entries(key, member)));
}

function repointedHolder(
  holder: JsonObject,
  { repoint, pointerOf }: { readonly repoint: Repoint; readonly pointerOf: PointerOf },
): JsonObject {
  const pointer = typeof holder.$ref === "string" ? pointerOf(holder.$ref, holder) : null;
  const wasAliased = pointer !== null && pointerOf(holder.$ref as string, {}) === null;
  const mapping = mapped(mappingOf(holder), (name, reference) => {
    const to = typeof reference === "string" ? pointerOf(reference, holder) : null;
    return [[name, to === null ? reference : repoint(to, null).$ref]];
  });
  return mapped(holder, (key, member) => {
    if (key === "$ref" && pointer !== null) return Object.entries(repoint(pointer, holder));
    if (key === POINTER_KEY && wasAliased) return [];
    if (key === "discriminator" && Object.keys(mapping).length > 0) {
      return [
        [key, mapped(member as JsonObject, (name, value) => [[name, name === "mapping" ? mapping : value]])],
      ];
    }
    return [[key, member]];
  });
}
