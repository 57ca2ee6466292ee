/**
 * JSON as it was written: a number that JavaScript would spell otherwise (`12345678901234567890`, `1.0`) stays its own text, where
 * the browser can do that (`JSON.rawJSON`); elsewhere it is what JavaScript makes of it.
 */
import { type JsonValue, withExactNumbers } from "../../../src/spec/index.ts";

interface RawNumber {
  readonly rawJSON: string;
}

const json = JSON as unknown as {
  readonly rawJSON?: (text: string) => JsonValue;
  readonly isRawJSON?: (value: unknown) => value is RawNumber;
};

/** @throws SyntaxError, as JSON.parse does. */
export function readExact(text: string): JsonValue {
  const parsed = JSON.parse(text) as JsonValue;
  // A number is looked for behind a bracket or a space: one that stands alone gets one.
  return json.rawJSON === undefined ? parsed : withExactNumbers(` ${text}`, parsed);
}

/** A number from what a person typed; null for what is none. */
export function readNumber(text: string): JsonValue | null {
  const trimmed = text.trim();
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return null;
  const value = readExact(trimmed);
  return Number.isFinite(Number(trimmed)) || isRaw(value) ? value : null;
}

/** Numbers of both kinds. */
export function isNumber(value: unknown): boolean {
  return typeof value === "number" || isRaw(value);
}

/** The number as it was written. */
export function numberText(value: unknown): string {
  return isRaw(value) ? value.rawJSON : JSON.stringify(value);
}

export function isRaw(value: unknown): value is RawNumber {
  return json.isRawJSON?.(value) ?? false;
}

/** An object of JSON: no array, and no number that is kept as its text. */
export function isRecord(value: unknown): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRaw(value);
}

/** In lines to be read: a mark of direction is written as its escape, which is the same JSON and turns nothing that stands around it. */
export function pretty(value: unknown): string {
  return (JSON.stringify(value, null, 2) ?? "").replace(
    /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** With plain numbers only, for those who calculate: a schema's judge. */
export function plain(value: JsonValue): JsonValue {
  if (isRaw(value)) return Number((value as unknown as RawNumber).rawJSON);
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

/** A member of its own: `constructor` is nobody's. */
export function own(value: unknown, key: string): JsonValue | undefined {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A copy with the member set; undefined takes it away. The order of the others stays, and no name is a prototype's. */
export function withMember(
  value: JsonValue | undefined,
  key: string,
  member: JsonValue | undefined,
): { readonly [key: string]: JsonValue } {
  const entries = isRecord(value) ? Object.entries(value) : [];
  const at = entries.findIndex(([name]) => name === key);
  if (member === undefined) return Object.fromEntries(entries.filter(([name]) => name !== key));
  if (at === -1) return Object.fromEntries([...entries, [key, member]]);
  return Object.fromEntries(entries.with(at, [key, member]));
}

/** Where a text stops being JSON, as a sentence; null when it is JSON. */
export function whyNotJson(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    if (position === undefined) return message;
    const before = text.slice(0, Number(position));
    const line = before.split("\n").length;
    return `Line ${line}, column ${before.length - before.lastIndexOf("\n")}: this is not JSON yet.`;
  }
}
