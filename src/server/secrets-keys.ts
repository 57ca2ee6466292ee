/** The keys that seal subscribers' secrets, as an operator writes them. Nothing of a key gets into a message. */

/** Bytes of an AES-256 key. */
const KEY_BYTES = 32;

/**
 * One or several keys with commas, the newest first: 64 hex digits or 32 bytes in base64 each.
 * Null when one of them is something else.
 */
export function parseSecretsKeys(text: string): readonly Uint8Array[] | null {
  const keys = text.split(",").map((key) => readKey(key.trim()));
  return keys.every((key) => key !== null) ? keys : null;
}

function readKey(text: string): Uint8Array | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, "base64");
  return bytes.length === KEY_BYTES ? bytes : null;
}
