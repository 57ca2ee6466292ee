/**
 * Which tools have a term, packed: tool ids are cut into blocks of `BLOCK_SIZE`, and a term has one piece of bytes a block.
 * A posting is three bytes: the tool's place in its block, little-endian, and the impact. Places ascend.
 */

export const BLOCK_SIZE = 4_096;
const BYTES = 3;

export function blockOf(tool: number): number {
  return Math.floor(tool / BLOCK_SIZE);
}

export function placeOf(tool: number): number {
  return tool % BLOCK_SIZE;
}

export function countOf(postings: Uint8Array): number {
  return postings.length / BYTES;
}

/** The postings with `changes` applied: a place's new impact, or 0 to drop it. */
export function changePostings(
  postings: Uint8Array,
  changes: ReadonlyMap<number, number>,
): Uint8Array<ArrayBuffer> {
  const added = [...changes].sort((a, b) => a[0] - b[0]);
  const changed = new Uint8Array(postings.length + added.length * BYTES);
  // Tools mostly come in at the end: what lies before the first change is taken over in one piece.
  let to = added[0] === undefined ? postings.length : indexOfPlace(postings, added[0][0]) * BYTES;
  changed.set(postings.subarray(0, to));
  function put(place: number, impact: number): void {
    if (impact === 0) return;
    changed[to++] = place & 0xff;
    changed[to++] = place >> 8;
    changed[to++] = impact;
  }
  let next = 0;
  for (let from = to; from < postings.length; from += BYTES) {
    const place = placeAt(postings, from);
    for (let entry = added[next]; entry !== undefined && entry[0] < place; entry = added[++next])
      put(...entry);
    if (!changes.has(place)) put(place, postings[from + 2] ?? 0);
  }
  for (let entry = added[next]; entry !== undefined; entry = added[++next]) put(...entry);
  return changed.slice(0, to);
}

/** Adds `weight` times each impact to its tool's score. */
export function addScores(scores: Float32Array, postings: Uint8Array, weight: number): void {
  for (let at = 0; at < postings.length; at += BYTES) {
    const place = placeAt(postings, at);
    scores[place] = (scores[place] as number) + weight * (postings[at + 2] as number);
  }
}

/** The same, only for tools that have a score. */
export function raiseScores(scores: Float32Array, postings: Uint8Array, weight: number): void {
  for (let at = 0; at < postings.length; at += BYTES) {
    const place = placeAt(postings, at);
    const score = scores[place] as number;
    if (score > 0) scores[place] = score + weight * (postings[at + 2] as number);
  }
}

export function hasPlace(postings: Uint8Array, place: number): boolean {
  const index = indexOfPlace(postings, place);
  return index < countOf(postings) && placeAt(postings, index * BYTES) === place;
}

/** Of the first posting whose place is `place` or comes after it. */
function indexOfPlace(postings: Uint8Array, place: number): number {
  let low = 0;
  let high = countOf(postings);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeAt(postings, middle * BYTES) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function placeAt(postings: Uint8Array, at: number): number {
  return (postings[at] as number) | ((postings[at + 1] as number) << 8);
}
