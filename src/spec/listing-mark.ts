/**
 * What a catalog says of a relay beside a document that it made of its record, under a key of its own: so that no reader takes the
 * catalog's word for the relay's, or for the official registry's (discovery.md "Serving", "The official registry").
 */
import { isJsonObject } from "./json.ts";
import type { ProbeState } from "./record.ts";

/** A key of `_meta` in Server Cards and registry entries that a catalog made (MCP "`_meta`", a prefix of our own). */
export const LISTING_META_KEY = "openmcp/listing";

/** Facts that change when something changed, and not with every look: a document's tag stays as long as they do. */
export interface ListingMark {
  /** The catalog made the document from its record; the relay did not publish it. */
  readonly derived: true;
  /** The public URL of the catalog that says so. */
  readonly catalog: string;
  /** The relay's id there. */
  readonly relay: string;
  /** Where its record is. */
  readonly record: string;
  /** It answered MCP at the last look. */
  readonly online: boolean;
  /** The relay's own origin vouches for it. */
  readonly verified: boolean;
  readonly state: ProbeState;
  /** ISO 8601: when it was first listed. */
  readonly listedAt: string;
  /** ISO 8601: when its content last changed; absent where that is no longer known. */
  readonly changedAt?: string;
  /** The catalog that it was learned from; who takes relays over from here leaves these out. */
  readonly via?: string;
}

/** The catalog from which the catalog that made a document learned the relay; null where it is its own, or nobody's. `meta`: its `_meta`. */
export function learnedFrom(meta: unknown): string | null {
  const mark = isJsonObject(meta) && Object.hasOwn(meta, LISTING_META_KEY) ? meta[LISTING_META_KEY] : null;
  const via = isJsonObject(mark) && Object.hasOwn(mark, "via") ? mark.via : null;
  return typeof via === "string" && via !== "" ? via : null;
}
