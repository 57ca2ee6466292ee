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

/** The text that `JSON.stringify` gives, with every `RawJson` in it spliced verbatim; `null` where it gives none. */
export function stringifyRaw(value: unknown): string {
  return textOf(value) ?? "null";
}

/** Undefined for what JSON leaves out of an object: `undefined`, functions, symbols. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${Array.from(value, stringifyRaw).join(",")}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === Object.prototype || prototype === null;
  // Dates, URLs and their like: they hold no RawJson, and know their own form.
  if (!plain || typeof (value as { toJSON?: unknown }).toJSON === "function") return JSON.stringify(value);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = textOf(member);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(",")}}`;
}

/** The value with every `RawJson` in it parsed. */
export function parseRaw<T>(value: T): Wire<T> {
  return JSON.parse(stringifyRaw(value)) as Wire<T>;
}
