/**
 * Documents that were made of records and are not made again while the record stays as it is: one of 5,000 tools costs a tenth of a second
 * of everyone's time, and a client may ask for it as often as it likes. Bounded by size; what was asked for last stays.
 */
import { MAX_KEPT_DOCUMENT_CHARS } from "./limits.ts";

export interface KeptDocuments {
  /** The document of `id` as `make` gave it for the same `record`, or as it gives it now. */
  of(id: string, record: string, make: () => string): string;
}

interface Kept {
  readonly record: string;
  readonly document: string;
}

export function createKeptDocuments(maxChars: number = MAX_KEPT_DOCUMENT_CHARS): KeptDocuments {
  // Maps keep the order of setting: the first was asked for longest ago.
  const kept = new Map<string, Kept>();
  let chars = 0;

  function drop(id: string): void {
    const old = kept.get(id);
    if (old === undefined) return;
    kept.delete(id);
    chars -= old.record.length + old.document.length;
  }

  return {
    of(id, record, make) {
      const known = kept.get(id);
      const document = known?.record === record ? known.document : make();
      drop(id);
      if (record.length + document.length > maxChars) return document;
      kept.set(id, { record, document });
      chars += record.length + document.length;
      for (const oldest of kept.keys()) {
        if (chars <= maxChars) break;
        drop(oldest);
      }
      return document;
    },
  };
}
