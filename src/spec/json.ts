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
 * JSON of a `T` that is already serialised (a stored record, a list of them): text, or its UTF-8 bytes in pieces.
 * Doors splice it into an answer as it is; `parseRaw` gives the value to whoever needs it.
 */
export class RawJson<T = unknown> {
  /** What it was made from. Bytes go to a socket as they are; a long text is encoded there each time it is sent. */
  readonly json: string | readonly Uint8Array[];
  /** Names this very text: no other one ever has it. Null: only the text itself tells it from another. */
  readonly version: string | null;
  declare private readonly type: T;

  constructor(json: string | readonly Uint8Array[], version: string | null = null) {
    this.json = json;
    this.version = version;
  }

  /** All of it in one piece; a text stays one. */
  get body(): string | Uint8Array {
    return typeof this.json === "string" ? this.json : joined(this.json);
  }

  get text(): string {
    return typeof this.json === "string" ? this.json : new TextDecoder().decode(joined(this.json));
  }
}

/** A JSON array of a `T` each, whose entries stay apart for whoever wants them one by one. */
export class RawArray<T = unknown> extends RawJson<readonly T[]> {
  /** Each one's JSON. */
  readonly entries: readonly Uint8Array[];

  constructor(entries: readonly Uint8Array[], version: string | null = null) {
    super([OPEN, ...entries.flatMap((entry, at) => (at === 0 ? [entry] : [COMMA, entry])), CLOSE], version);
    this.entries = entries;
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

/**
 * The same for an answer: bytes when a member of `value` is a `RawJson` of bytes, which is then copied and not decoded;
 * text otherwise.
 */
export function encodeRaw(value: Readonly<Record<string, unknown>>): string | Uint8Array {
  const parts: Uint8Array[] = [];
  let text = "";
  let separator = "{";
  for (const key of Object.keys(value)) {
    const member = value[key];
    const bytes = bytesOf(member);
    const memberText = bytes === null ? textOf(member) : "";
    if (memberText === undefined) continue;
    text += `${separator}${JSON.stringify(key)}:${memberText}`;
    separator = ",";
    if (bytes === null) continue;
    parts.push(encoder.encode(text), ...bytes);
    text = "";
  }
  text += separator === "{" ? "{}" : "}";
  if (parts.length === 0) return text;
  parts.push(encoder.encode(text));
  return joined(parts);
}

/**
 * A short text that is another one whenever what `encodeRaw` gives for `value` is: versions stand in it for what they name.
 * Null when no member of `value` has a version, and only the answer itself can tell.
 */
export function versionText(value: Readonly<Record<string, unknown>>): string | null {
  let text = "";
  let named = false;
  for (const key of Object.keys(value)) {
    const member = value[key];
    const version = member instanceof RawJson ? member.version : null;
    named ||= version !== null;
    text += `${JSON.stringify(key)}${version === null ? `:${textOf(member)}` : `@${JSON.stringify(version)}`}\n`;
  }
  return named ? text : null;
}

const encoder = new TextEncoder();
const OPEN = encoder.encode("[");
const COMMA = encoder.encode(",");
const CLOSE = encoder.encode("]");

function bytesOf(value: unknown): readonly Uint8Array[] | null {
  return value instanceof RawJson && typeof value.json !== "string" ? value.json : null;
}

/** The pieces as one; a single one is not copied. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function holdsRaw(value: object): boolean {
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (typeof member !== "object" || member === null) continue;
    if (member instanceof RawJson || holdsRaw(member)) return true;
  }
  return false;
}

/** Undefined for what JSON leaves out of an object: `undefined`, functions, symbols. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (value instanceof RawJson) return value.text;
  // The engine's own is six times as fast; most of what is told holds nothing raw.
  if (!holdsRaw(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, stringifyRaw).join(",")}]`;
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
