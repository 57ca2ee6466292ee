/**
 * The signature on a webhook delivery: `X-OpenMCP-Signature: sha256=<hex HMAC-SHA256 of the raw body under the secret>`
 * (OpenMCP 0.1 "Webhooks, out"). WebCrypto only, so that it runs in browsers and on edge runtimes.
 */
import { OpenMcpError } from "./error.ts";

export const SIGNATURE_HEADER = "x-openmcp-signature";
export const EVENT_HEADER = "x-openmcp-event";
export const DELIVERY_HEADER = "x-openmcp-delivery";

/**
 * The header's value for `body`. Strings are signed as UTF-8.
 * @throws OpenMcpError `invalid-input` when the secret is empty: such a signature would prove nothing.
 */
export async function sign(secret: string, body: string | Uint8Array): Promise<string> {
  if (secret === "") {
    throw new OpenMcpError("invalid-input", "the webhook secret is empty: give a long random one", {
      data: { field: "secret" },
    });
  }
  const mac = await crypto.subtle.sign("HMAC", await hmacKey(secret, "sign"), bytes(body));
  return `sha256=${Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/**
 * True when `signature` is the header's value for exactly these raw bytes. Constant in time; never throws on a bad header.
 * Verify before parsing: a body that was parsed and serialised again is another body.
 */
export async function verifySignature(
  secret: string,
  body: string | Uint8Array,
  signature: string | null | undefined,
): Promise<boolean> {
  const hex = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? "")?.[1];
  if (hex === undefined || secret === "") return false;
  const mac = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify("HMAC", await hmacKey(secret, "verify"), mac, bytes(body));
}

function hmacKey(secret: string, use: "sign" | "verify"): ReturnType<typeof crypto.subtle.importKey> {
  return crypto.subtle.importKey("raw", bytes(secret), { name: "HMAC", hash: "SHA-256" }, false, [use]);
}

function bytes(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof data === "string" ? new TextEncoder().encode(data) : new Uint8Array(data);
}
