/**
 * A relay's identity: the canonical endpoint URL, and the slug made from it (OpenMCP 0.1 "The record"; wire.md "The relay id").
 * The URL is the identity; the slug is its name. Two endpoints with one slug are told apart by a hash, given to the later one.
 */

import { MAX_ID_LENGTH } from "./limits.ts";
import { trimEndOf } from "./trim-end.ts";

const ENDPOINT_NAMES = ["/api/mcp", "/v1/mcp", "/mcp"];

/**
 * One spelling for every URL of the same endpoint: host in lower case without a final dot, default port dropped,
 * no fragment, no trailing slashes, percent-encoding normalised (RFC 3986 section 6.2.2). The query is kept; credentials
 * in the URL are no part of an identity and are dropped. Canonical already: unchanged.
 * @throws TypeError when `url` is not an absolute http or https URL.
 */
export function canonicalEndpoint(url: string): string {
  const parsed = new URL(url);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") {
    throw new TypeError(`an endpoint is an http or https URL, not ${parsed.protocol}`);
  }
  const host = parsed.host.replace(/\.+(?=:\d+$|$)/, "");
  if (host === "" || host.startsWith(":")) throw new TypeError("an endpoint has a host name, not dots alone");
  const path = trimEndOf(normalisePercent(parsed.pathname), "/");
  return `${parsed.protocol}//${host}${path}${normalisePercent(parsed.search)}`;
}

/** The slug of an endpoint, at most 120 characters of `[a-z0-9.-]`. Deterministic: every catalog derives the same. */
export function relayId(url: string): string {
  const parsed = new URL(canonicalEndpoint(url));
  const host = parsed.hostname.replace(/^www\./, "");
  const port = parsed.port === "" ? "" : `-${parsed.port}`;
  return slug(`${host}${port}${withoutEndpointName(parsed.pathname.toLowerCase())}`) || "relay";
}

/** The slug with `-` and the first eight hex digits of SHA-256 over the canonical endpoint: for the later of two that collide. */
export async function distinctRelayId(url: string): Promise<string> {
  const endpoint = canonicalEndpoint(url);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  const hash = Array.from(new Uint8Array(digest, 0, 4), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return `${trimEndOf(relayId(endpoint).slice(0, MAX_ID_LENGTH - 9), "-")}-${hash}`;
}

function withoutEndpointName(path: string): string {
  const trimmed = trimEndOf(path, "/");
  const name = ENDPOINT_NAMES.find((candidate) => trimmed.endsWith(candidate));
  return name === undefined ? trimmed : trimmed.slice(0, -name.length);
}

function slug(text: string): string {
  const dashed = text.replace(/[^a-z0-9.]+/g, "-").replace(/^-/, "");
  return trimEndOf(dashed.slice(0, MAX_ID_LENGTH), "-");
}

/**
 * Encodings of unreserved characters are decoded, the others upper-cased; raw characters that no URI may hold are encoded,
 * a `%` that begins no encoding too (else what is decoded behind it could complete it).
 */
function normalisePercent(text: string): string {
  return PLAIN.test(text) ? text : normalised(text);
}

/** Nothing to decode and nothing to encode, as in nearly every URL. */
const PLAIN = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?]*$/;

function normalised(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})?/gi, (whole, hex: string | undefined) => {
      if (hex === undefined) return "%25";
      const char = String.fromCharCode(Number.parseInt(hex, 16));
      return /[A-Za-z0-9\-._~]/.test(char) ? char : whole.toUpperCase();
    })
    .replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]/g, (char) => encodeURIComponent(char));
}
