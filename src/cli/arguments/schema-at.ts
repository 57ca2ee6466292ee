/**
 * The part of a tool's input schema that speaks of one argument. The schema is a relay's: anything may be missing, wrong
 * or endless. Local references are followed, a few deep; others are not.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/index.ts";

const MOST_REFERENCES = 16;
/** Alternatives that are looked at in one place: a few that refer to each other would be a million of them. */
const MOST_BRANCHES = 500;

export interface SchemaView {
  /** JSON Schema type names that a value may have; empty when nothing is said. */
  readonly types: readonly string[];
  /** Values that are allowed by name. */
  readonly choices: readonly JsonValue[];
  readonly property: (name: string) => SchemaView | null;
  readonly propertyNames: readonly string[];
  /** True when properties beyond the named ones are refused. */
  readonly closed: boolean;
  readonly items: SchemaView;
}

export function viewSchema(schema: JsonValue | undefined, root: JsonValue | undefined = schema): SchemaView {
  const branches = branchesOf(schema, { root, depth: 0, left: { branches: MOST_BRANCHES } });
  const properties = branches.flatMap((branch) =>
    isJsonObject(branch.properties) ? [branch.properties] : [],
  );
  return {
    types: [...new Set(branches.flatMap(typesOf))],
    choices: branches.flatMap((branch) =>
      Array.isArray(branch.enum) ? branch.enum : branch.const === undefined ? [] : [branch.const],
    ),
    propertyNames: [...new Set(properties.flatMap((named) => Object.keys(named)))],
    property(name) {
      const named = properties.find((candidate) => Object.hasOwn(candidate, name));
      if (named !== undefined) return viewSchema(named[name], root);
      const others = branches.map((branch) => branch.additionalProperties).find(isJsonObject);
      return others === undefined ? null : viewSchema(others, root);
    },
    closed:
      branches.length > 0 &&
      properties.length > 0 &&
      branches.every((branch) => branch.additionalProperties === false),
    get items() {
      return viewSchema(branches.map((branch) => branch.items).find(isJsonObject), root);
    },
  };
}

/** The schema itself and what it offers as alternatives or adds; references resolved. */
function branchesOf(
  schema: JsonValue | undefined,
  {
    root,
    depth,
    left,
  }: {
    readonly root: JsonValue | undefined;
    readonly depth: number;
    readonly left: { branches: number };
  },
): readonly JsonObject[] {
  left.branches -= 1;
  if (!isJsonObject(schema) || depth > MOST_REFERENCES || left.branches < 0) return [];
  const below = { root, depth: depth + 1, left };
  if (typeof schema.$ref === "string") return branchesOf(resolve(schema.$ref, root), below);
  const inner = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  );
  if (inner.length === 0) return [schema];
  const { anyOf: _any, oneOf: _one, allOf: _all, ...own } = schema;
  const nested = inner.slice(0, 64).flatMap((branch) => branchesOf(branch, below));
  return Object.keys(own).some((key) => key === "type" || key === "properties" || key === "enum")
    ? [own, ...nested]
    : nested;
}

function resolve(reference: string, root: JsonValue | undefined): JsonValue | undefined {
  if (!reference.startsWith("#/")) return reference === "#" ? root : undefined;
  let at: JsonValue | undefined = root;
  for (const part of reference.slice(2).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isJsonObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

function typesOf(schema: JsonObject): readonly string[] {
  if (typeof schema.type === "string") return [schema.type];
  if (Array.isArray(schema.type))
    return schema.type.filter((name): name is string => typeof name === "string");
  if (isJsonObject(schema.properties)) return ["object"];
  if (isJsonObject(schema.items)) return ["array"];
  return [];
}
