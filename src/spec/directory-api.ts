/** What pages for people ask of a catalog besides lists and records: how to narrow, what happened lately, how the catalog is. */

import type { AuthFilter } from "./catalog-api.ts";
import type { ChangeDetail } from "./change.ts";
import type { EraFilter } from "./era.ts";
import type { EventName } from "./event.ts";

/** How many relays have exactly these flags. */
export interface FacetCount {
  readonly online: boolean;
  readonly verified: boolean;
  readonly auth: AuthFilter;
  readonly era: EraFilter;
  readonly relays: number;
}

export interface TagCount {
  readonly tag: string;
  readonly relays: number;
}

export interface FacetsOutput {
  /** Only those that some relay has. */
  readonly counts: readonly FacetCount[];
  /** The tags that most relays have, those first. */
  readonly tags: readonly TagCount[];
}

/** A change without the record after it. */
export interface RecentChange {
  readonly seq: number;
  readonly id: string;
  readonly event: EventName;
  /** ISO 8601. */
  readonly at: string;
  /** The relay's id. */
  readonly relay: string;
  /** What an update changed; null where that was not said. */
  readonly detail: ChangeDetail | null;
}

export interface RecentInput {
  /** Only changes of this relay; listed or not. */
  readonly relay?: string;
  /** 1 to 100; default 50. */
  readonly limit?: number;
}

export interface RecentOutput {
  /** The newest first. */
  readonly changes: readonly RecentChange[];
}

export interface StatusOutput {
  readonly version: string;
  readonly relays: number;
  readonly online: number;
  /** Work that waits, in pieces of its own kind. */
  readonly waiting: {
    /** Relays whose tools can't be found yet as they are now. */
    readonly searchIndex: number;
    /** URLs of bulk registrations. */
    readonly bulk: number;
    /** Documents and URLs of imports. */
    readonly imports: number;
    /** Relays that are due for a look. */
    readonly looks: number;
    /** Deliveries to subscribers. */
    readonly webhooks: number;
  };
  /** The log of changes: `seq` of the oldest that is kept, and of the last. */
  readonly changes: { readonly oldest: number; readonly latest: number };
}
