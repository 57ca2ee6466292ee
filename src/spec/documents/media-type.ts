/** What a media type of a catalog's entry means: only its essence counts, in any case and spelling that is in the field. */
import type { CatalogEntryKind } from "./catalog-document.ts";

/** `type/subtype` in lower case, without parameters and white space; null when it is none. */
export function mediaTypeEssence(mediaType: string): string | null {
  throw new Error(`not yet: ${mediaType}`);
}

export function entryKind(mediaType: string): CatalogEntryKind {
  throw new Error(`not yet: ${mediaType}`);
}
