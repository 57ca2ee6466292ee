/**
 * Pieces of pages that are dear to make and stay as they are for their key, kept while there is room. Bounded in bytes: whoever asks
 * for every page there is fills it, and no more. In two halves, so that finding one changes nothing: when the new half is full it
 * becomes the old one, and what was in the old one and was not asked for since is gone.
 */

export interface Keep {
  /** What is kept for `key`; otherwise what `make` gives, kept from now on. */
  of(key: string, make: () => Uint8Array): Uint8Array;
  /** Never more than its bound. */
  readonly bytes: number;
}

/** Of an entry itself. */
const ENTRY_BYTES = 100;

export function createKeep(maxBytes: number): Keep {
  let recent = createHalf();
  let before = createHalf();
  return {
    of(key, make) {
      const found = recent.pieces.get(key);
      if (found !== undefined) return found;
      const piece = before.pieces.get(key) ?? make();
      // A key with a single unit beyond Latin-1 takes two bytes for each.
      const bytes = ENTRY_BYTES + 2 * key.length + piece.length;
      if (bytes > maxBytes / 2) return piece;
      if (recent.bytes + bytes > maxBytes / 2) {
        before = recent;
        recent = createHalf();
      }
      recent.pieces.set(key, piece);
      recent.bytes += bytes;
      return piece;
    },
    get bytes() {
      return recent.bytes + before.bytes;
    },
  };
}

function createHalf(): { readonly pieces: Map<string, Uint8Array>; bytes: number } {
  return { pieces: new Map(), bytes: 0 };
}
