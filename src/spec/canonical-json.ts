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
  // In one growing text: arrays of parts, joined at each level, cost twice as much.
  if (Array.isArray(value)) {
    let text = "[";
    for (const item of value) text += text === "[" ? canonicalJson(item) : `,${canonicalJson(item)}`;
    return `${text}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const object = value as { readonly [key: string]: JsonValue | undefined };
  let text = "{";
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `${text}}`;
}

/** `sha256:<hex>` over the canonical JSON of `value`. */
export async function contentHash(value: JsonValue): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(canonicalJson(value)));
  return `sha256:${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
