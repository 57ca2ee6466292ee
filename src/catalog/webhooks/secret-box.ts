/**
 * Subscribers' secrets at rest: sealed with AES-256-GCM (NIST SP 800-38D) when the operator gave a key, as they are when not.
 * The subscription's id is authenticated with each, so that one put in another's row does not open. Several keys are for
 * changing them: the first seals, all open.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

export interface SecretBox {
  /** True when there is a key. */
  readonly seals: boolean;
  seal(id: string, secret: string): string;
  /** Null when no key opens it. */
  open(id: string, kept: string): string | null;
  /** True when it is kept as `seal` would keep it now. */
  isCurrent(kept: string): boolean;
}

const PLAIN = "plain:";
const SEALED = "aes-256-gcm:";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `keys`: 32 bytes each, the newest first; none: nothing is sealed. */
export function createSecretBox(keys: readonly Uint8Array[]): SecretBox {
  const byName = new Map(keys.map((key) => [nameOf(key), key]));
  const [newest] = keys;
  const prefix = newest === undefined ? PLAIN : `${SEALED}${nameOf(newest)}:`;
  return {
    seals: newest !== undefined,
    seal: (id, secret) => prefix + (newest === undefined ? secret : encrypt(newest, id, secret)),
    open(id, kept) {
      if (kept.startsWith(PLAIN)) return kept.slice(PLAIN.length);
      const [, name = "", text = ""] = kept.split(":");
      const key = kept.startsWith(SEALED) ? byName.get(name) : undefined;
      return key === undefined ? null : decrypt(key, id, text);
    },
    isCurrent: (kept) => kept.startsWith(prefix),
  };
}

/** Tells keys apart without telling anything of them. */
function nameOf(key: Uint8Array): string {
  return createHash("sha256").update("openmcp secrets key\0").update(key).digest("hex").slice(0, 8);
}

function encrypt(key: Uint8Array, id: string, secret: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(id));
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url");
}

function decrypt(key: Uint8Array, id: string, sealed: string): string | null {
  try {
    const bytes = Buffer.from(sealed, "base64url");
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(id))
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
