/**
 * One text for equal JSON, whatever the order of keys: for comparing and hashing what relays send (probe.md, case 11).
 * Depth is bounded by the reader that parsed the value (`nestsDeeper`); recursion here is as deep as the value.
 */
import type { JsonValue } from "./json.ts";

/**
 * JSON with every object's keys sorted by UTF-16 code unit (RFC 8785 section 3.2.3) and no white space. Lone surrogates
 * come out escaped, as `JSON.stringify` writes them, so that two different ones stay different; absent members are left out.
 */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const object = value as { readonly [key: string]: JsonValue };
    const members = Object.keys(object)
      .filter((key) => object[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(object[key] as JsonValue)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** `sha256:<hex>` over the canonical JSON of `value`. */
export async function contentHash(value: JsonValue): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(value)));
  return `sha256:${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
