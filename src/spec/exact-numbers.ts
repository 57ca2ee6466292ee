/**
 * JSON as values that are written again digit by digit. A JavaScript number holds neither `12345678901234567890` nor `1e400` nor
 * the point of `1.0`, and what writes JSON in between (the SDK, a message to a relay) does it by `JSON.stringify`; so a number that
 * would come out in another spelling is kept as its own text (`JSON.rawJSON`, ECMAScript "JSON.parse source text access").
 */
import { isJsonObject, type JsonValue } from "./json.ts";
import { memberText } from "./json-slice.ts";

interface SourceContext {
  /** Of primitives only. */
  readonly source?: string;
}

/** Not yet in the compiler's library; in every Node that runs this. */
const json = JSON as unknown as {
  parse(text: string, reviver: (key: string, value: unknown, context: SourceContext) => unknown): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/** A number that may be spelled in another way than JavaScript does; inside strings it is a false alarm, which only costs time. */
const SUSPICIOUS = /[[:,\s](?:-0|-?\d+[.eE]|-?\d{16})/;

/** The value of `text`, whose `JSON.stringify` has every number as `text` has it; `parsed` is what `JSON.parse` made of it. */
export function withExactNumbers<T>(text: string, parsed: T): T {
  if (!SUSPICIOUS.test(text)) return parsed;
  return json.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && JSON.stringify(value) !== source
      ? json.rawJSON(source)
      : value,
  ) as T;
}

/** The same for the part of `value` at `path`; what is not there is left as it is. */
export function withExactNumbersAt<T>(text: string, value: T, path: readonly string[]): T {
  const [name, ...rest] = path;
  if (name === undefined) return withExactNumbers(text, value);
  if (!isJsonObject(value) || !SUSPICIOUS.test(text)) return value;
  const inner = memberText(text, name);
  const member = value[name];
  if (inner === undefined || member === undefined) return value;
  return { ...value, [name]: withExactNumbersAt(inner, member, rest) };
}

/** What JavaScript makes of a number that was kept as its text; any other value as it is. */
export function plainNumber(value: JsonValue | undefined): JsonValue | undefined {
  return json.isRawJSON(value) ? Number(value.rawJSON) : value;
}
