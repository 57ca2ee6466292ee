/**
 * A tool's schema inside an OpenAPI document, and out of it again. `#/$defs/X` would point into the document, so a schema that refers
 * to itself moves to `components.schemas` and its pointers follow; generators fail on the verbatim copy. One that refers to
 * itself by anchors becomes a document of its own by an `$id`. Every other schema stands as it came, and all come back
 * as they were. Pure.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../spec/index.ts";
import { aliasBook, aliased, pointerIn, repointed } from "./repoint-schema.ts";
import { surveySchema } from "./survey-schema.ts";

/** Which schema it is: the operation's, and its side. */
export interface SchemaPlace {
  readonly operationId: string;
  readonly side: "input" | "output";
}

const COMPONENTS = "#/components/schemas/";
/** Where a schema stands that could not be given an `$id` itself. */
const INNER = "#/allOf/0";

/**
 * The schema as it stands in the operation; what has to stand elsewhere is added to `components`. Null for a schema that no reader of
 * the document would get through.
 */
export function placeSchema(
  schema: JsonValue,
  place: SchemaPlace,
  components: Map<string, JsonValue>,
): JsonValue | null {
  if (!isJsonObject(schema)) return schema;
  const { holders, anchored, broken } = surveySchema(schema, pointerIn("#"));
  if (broken) return null;
  if (anchored || schema.$id === urnOf(place)) return wrapped(schema, urnOf(place));
  if (holders.length === 0) return schema;
  const key = keyOf(place);
  const aliases = aliasBook(schema, { key, base: COMPONENTS });
  const moved = repointed(schema, holders, aliases.forward);
  components.set(key, moved);
  for (const [alias, value] of aliases.components(moved)) components.set(alias, value);
  return { $ref: COMPONENTS + key };
}

/** What `placeSchema` was given; `components` are the document's `components.schemas`. */
export function readSchema(schema: JsonValue, place: SchemaPlace, components: JsonObject): JsonValue {
  if (!isJsonObject(schema)) return schema;
  if (schema.$id === urnOf(place)) return unwrapped(schema);
  const here = COMPONENTS + keyOf(place);
  const component = Object.hasOwn(components, keyOf(place)) ? components[keyOf(place)] : undefined;
  if (schema.$ref !== here || component === undefined) return schema;
  return backFrom(component, here);
}

function keyOf({ operationId, side }: SchemaPlace): string {
  return `${operationId}.${side}`;
}

function urnOf({ operationId, side }: SchemaPlace): string {
  return `urn:x-mcp:${operationId}:${side}`;
}

/** The `$id` first in it, so that `#/…` and anchors stay true; where it has one already, one level around it. */
function wrapped(schema: JsonObject, urn: string): JsonObject {
  if (!Object.hasOwn(schema, "$id") && !isOneOfAll(schema)) return { $id: urn, ...schema };
  const { holders } = surveySchema(schema, pointerIn("#"));
  const inner = repointed(schema, holders, (pointer) => ({ $ref: INNER + pointer }));
  return { $id: urn, allOf: [inner] };
}

function unwrapped({ $id: _, ...schema }: JsonObject): JsonValue {
  const [inner] = isOneOfAll(schema) ? (schema.allOf as readonly JsonValue[]) : [];
  return inner === undefined ? schema : backFrom(inner, INNER);
}

function backFrom(schema: JsonValue, base: string): JsonValue {
  const { holders } = surveySchema(schema, aliased(base));
  return repointed(schema, holders, (pointer) => ({ $ref: `#${pointer}` }), aliased(base));
}

/** Looks like the level that is put around a schema. */
function isOneOfAll(schema: JsonObject): boolean {
  const { allOf } = schema;
  return Object.keys(schema).length === 1 && Array.isArray(allOf) && allOf.length === 1;
}
