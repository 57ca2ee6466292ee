/** What an edit is, whatever the format; and when two values are the same. Pure. */
import type { JsonObject, JsonValue } from "../../spec/index.ts";

export type Format = "json" | "toml";

/** Sets the value at a path of keys, or removes it when there is none. */
export interface Change {
  readonly path: readonly string[];
  readonly value: JsonValue | undefined;
}

/** A text that does not parse: where, and why. */
export interface Fault {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

/** Equal, whatever the order of keys. */
export function same(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return typeof one === "number" && typeof other === "number" && Object.is(one, other);
  }
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => same(item, other[index]))
    );
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) => Object.hasOwn(other, key) && same((one as JsonObject)[key], (other as JsonObject)[key]),
    )
  );
}
