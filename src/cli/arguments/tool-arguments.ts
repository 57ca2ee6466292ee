/**
 * The arguments of a call from the words of the command line: one JSON object, or `key=value` words typed by the tool's
 * input schema. `a.b=1` reaches into an object, a repeated key makes a list, `key:=JSON` says the value as it is.
 * Whether the arguments are right is the relay's to judge; here only what can't be meant is refused.
 */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  OpenMcpError,
  withExactNumbers,
} from "../../spec/index.ts";
import { type SchemaView, viewSchema } from "./schema-at.ts";
import { typedValue } from "./typed-value.ts";

/** @throws OpenMcpError `invalid-input` when `text` is not a JSON object. */
export function jsonArguments(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new OpenMcpError(
      "invalid-input",
      `The arguments are not JSON: ${error instanceof Error ? error.message : String(error)}. Give an object such as '{"city": "Bern"}', or city=Bern.`,
      { data: { field: "arguments" } },
    );
  }
  // They only pass through here: every digit of them goes on.
  if (isJsonObject(value)) return withExactNumbers(text, value);
  throw new OpenMcpError(
    "invalid-input",
    `The arguments are not a JSON object. Give one such as '{"city": "Bern"}'.`,
    {
      data: { field: "arguments" },
    },
  );
}

/** @throws OpenMcpError `invalid-input`, naming the word. */
export function wordArguments(words: readonly string[], inputSchema: JsonValue | undefined): JsonObject {
  const root = viewSchema(inputSchema);
  const result: MutableObject = Object.create(null);
  for (const word of words) {
    const match = /^([^=]+?)(:?=)([\s\S]*)$/.exec(word);
    if (match === null) {
      throw refuse(word, `"${word}" is not key=value. Write ${suggestion(root, word)}, or one JSON object.`);
    }
    const [, name = "", operator, text = ""] = match;
    const target = place(name, { root, into: result });
    const value = operator === ":=" ? exactly(name, text) : typedValue(text, { name, schema: target.schema });
    put(target, value, { name, verbatim: operator === ":=" });
  }
  return plain(result) as JsonObject;
}

type MutableObject = { [key: string]: JsonValue | MutableObject };

interface Place {
  readonly holder: MutableObject;
  readonly key: string;
  readonly schema: SchemaView | null;
}

/** Where a name leads: a property that is named with its dots wins over a path. */
function place(
  name: string,
  { root, into }: { readonly root: SchemaView; readonly into: MutableObject },
): Place {
  let schema: SchemaView | null = root;
  let holder = into;
  let rest = name;
  for (;;) {
    const whole: SchemaView | null = schema?.property(rest) ?? null;
    const dot = rest.indexOf(".", 1);
    if (
      dot === -1 ||
      dot === rest.length - 1 ||
      (whole !== null && schema?.propertyNames.includes(rest) === true)
    ) {
      if (whole === null && schema?.closed === true) {
        throw refuse(name, `The tool takes no "${name}". It takes ${schema.propertyNames.join(", ")}.`);
      }
      return { holder, key: rest, schema: whole };
    }
    const key = rest.slice(0, dot);
    const inner: SchemaView | null = schema?.property(key) ?? null;
    if (inner === null && schema?.closed === true) {
      throw refuse(name, `The tool takes no "${key}". It takes ${schema.propertyNames.join(", ")}.`);
    }
    const present = holder[key];
    if (present !== undefined && !isJsonObject(present)) {
      throw refuse(name, `"${key}" was given a value already, so "${name}" can't reach into it.`);
    }
    holder[key] = present ?? (Object.create(null) as MutableObject);
    holder = holder[key] as MutableObject;
    schema = inner;
    rest = rest.slice(dot + 1);
  }
}

function put(
  target: Place,
  value: JsonValue,
  { name, verbatim }: { readonly name: string; readonly verbatim: boolean },
): void {
  const { holder, key, schema } = target;
  const present = holder[key];
  if (present === undefined) {
    holder[key] = value;
    return;
  }
  const mayRepeat = schema === null || schema.types.length === 0 || schema.types.includes("array");
  if (!mayRepeat || verbatim || isJsonObject(present)) throw refuse(name, `"${name}" is given twice.`);
  const earlier = Array.isArray(present) ? present : [present as JsonValue];
  holder[key] = [...earlier, ...(Array.isArray(value) ? value : [value])];
}

function exactly(name: string, text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw refuse(name, `"${name}:=" wants JSON, not "${text}". For text write ${name}=${text}.`);
  }
}

/** Objects without a prototype were for building only: a key such as `__proto__` must stay a key. */
function plain(value: JsonValue | MutableObject): JsonValue {
  if (!isJsonObject(value)) return value as JsonValue;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, plain(member as JsonValue | MutableObject)]),
  );
}

function suggestion(root: SchemaView, word: string): string {
  const [only, second] = root.propertyNames;
  return only !== undefined && second === undefined ? `${only}=${word}` : `key=${word}`;
}

function refuse(field: string, message: string): OpenMcpError {
  return new OpenMcpError("invalid-input", message, { data: { field } });
}
