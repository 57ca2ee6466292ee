/** A number that tells texts apart for noticing change: 52 bits, not cryptographic, so not proof against intent. */

/** Two rounds of FNV-like mixing with multiplicative hashing; a safe integer. */
export function fingerprint(text: string): number {
  let low = 0x811c9dc5;
  let high = 0x2c1b3c6d;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
    high ^= high >>> 15;
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}
