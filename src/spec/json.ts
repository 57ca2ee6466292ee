/**
 * JSON as data, and the one way to carry JSON text through an operation without parsing it.
 * Nothing here reads or writes anything; parsing of untrusted text lives beside each reader.
 */

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

/** True for a plain JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * JSON text of a `T` that is already serialised (a stored record, a list of them).
 * Doors splice it into an answer as it is; `parseRaw` gives the value to whoever needs it.
 */
export class RawJson<T = unknown> {
  readonly text: string;
  declare private readonly type: T;

  constructor(text: string) {
    this.text = text;
  }
}

/** The shape on the wire of a value that may hold `RawJson`. */
export type Wire<T> =
  T extends RawJson<infer U>
    ? U
    : T extends readonly (infer E)[]
      ? Wire<E>[]
      : T extends object
        ? { [K in keyof T]: Wire<T[K]> }
        : T;

/** Serialises like `JSON.stringify`, splicing `RawJson` members (one and two levels deep are the common case) verbatim. */
export function stringifyRaw(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value))
    return `[${value.map((item) => (item === undefined ? "null" : stringifyRaw(item))).join(",")}]`;
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const members: string[] = [];
    for (const [key, member] of Object.entries(value)) {
      if (member !== undefined) members.push(`${JSON.stringify(key)}:${stringifyRaw(member)}`);
    }
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** The value with every `RawJson` in it parsed. */
export function parseRaw<T>(value: T): Wire<T> {
  return JSON.parse(stringifyRaw(value)) as Wire<T>;
}
