/**
 * SHA-256 (FIPS 180-4) in plain JavaScript, in place of sha256.ts in bundles for a runtime without Node's modules: the `browser` map of
 * package.json has bundlers put it there. The digest is the same, so that a tag is the same at every instance.
 */

const BLOCK = 64;
/** Words of a block as the rounds read it. */
const ROUNDS = 64;

/** The digest as base64url, 43 characters; some 20 MB a second. */
export function sha256(data: string | Uint8Array): string {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const state = FIRST_STATE.slice();
  const words = new Uint32Array(ROUNDS);
  const whole = bytes.byteLength - (bytes.byteLength % BLOCK);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += BLOCK) takeBlock(state, { view, at, words });
  const tail = tailOf(bytes, whole);
  for (let at = 0; at < tail.byteLength; at += BLOCK) takeBlock(state, { view: tail, at, words });
  return base64url(state);
}

/** What is left, a one bit, zeros, and the length in bits: one block or two (section 5.1.1). */
function tailOf(bytes: Uint8Array, from: number): DataView {
  const left = bytes.byteLength - from;
  const tail = new Uint8Array(left + 9 > BLOCK ? 2 * BLOCK : BLOCK);
  tail.set(bytes.subarray(from));
  tail[left] = 0x80;
  const view = new DataView(tail.buffer);
  view.setBigUint64(tail.byteLength - 8, BigInt(bytes.byteLength) * 8n);
  return view;
}

interface Block {
  readonly view: DataView;
  readonly at: number;
  /** Room to work in. */
  readonly words: Uint32Array;
}

/** Section 6.2.2. */
function takeBlock(state: Uint32Array, { view, at, words }: Block): void {
  const word = (index: number): number => words[index] as number;
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(at + index * 4);
  for (let index = 16; index < ROUNDS; index += 1) {
    const [early, late] = [word(index - 15), word(index - 2)];
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[index] = word(index - 16) + first + word(index - 7) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < ROUNDS; round += 1) {
    const chosen = (e & f) ^ (~e & g);
    const most = (a & b) ^ (a & c) ^ (b & c);
    const up = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const down = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const one = (h + up + chosen + (CONSTANTS[round] as number) + word(round)) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + down + most) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((part, index) => {
    state[index] = (state[index] as number) + part;
  });
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function base64url(state: Uint32Array): string {
  const bytes = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    bytes.setUint32(index * 4, word);
  });
  const text = String.fromCharCode(...new Uint8Array(bytes.buffer));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace("=", "");
}

/** Sections 5.3.3 and 4.2.2: the first 32 bits of what stands behind the point of the square and cube roots of the first primes. */
const PRIMES = firstPrimes(ROUNDS);
const FIRST_STATE = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const CONSTANTS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32);
}

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes;
}
