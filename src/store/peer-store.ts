/**
 * Other catalogs that this one learns from, what each lists that is not listed here, and what an admin removed.
 * Reading a peer and looking at what it lists are two steps with this store between them: a stop loses neither.
 */
import type { Peer } from "../spec/index.ts";

/** A page of a peer's list as it was last read: enough to ask for it conditionally. */
export interface PeerPage {
  readonly url: string;
  readonly etag: string;
  /** The cursor that it gave; null on the last page. */
  readonly next: string | null;
}

/** What a peer lists, as far as it matters here. */
export interface PeerOffer {
  /** Canonical. */
  readonly endpoint: string;
  /** The endpoint as the peer spells it. */
  readonly url: string;
}

export interface PeerCandidate extends PeerOffer {
  /** Looks that led to nothing so far. */
  readonly tries: number;
}

export interface PeerStore {
  /** In the order of adding. */
  list(): Promise<readonly Peer[]>;
  /** False when it was there already; then nothing changes. */
  add(url: string, now: number): Promise<boolean>;
  /** With its pages and candidates; false when there is none. What was learned from it stays listed. */
  remove(url: string): Promise<boolean>;
  /** What became of a sync. Without an error the list was read to its end. */
  synced(url: string, outcome: { readonly error: string | null; readonly now: number }): Promise<void>;

  page(peer: string, url: string): Promise<PeerPage | null>;
  keepPage(peer: string, page: PeerPage, now: number): Promise<void>;
  /** The page is as it was: it, and every candidate that it holds, was seen now. */
  seePage(peer: string, url: string, now: number): Promise<void>;
  /** Forgets pages and candidates that were not seen since `before`, milliseconds since the epoch. */
  forgetUnseen(peer: string, before: number): Promise<void>;

  /**
   * Takes what a page lists, in one transaction: endpoints that are listed here (or are an alias) are left out, known
   * candidates are marked as seen, others become due at once, or when `keptOutMs` have passed since an admin removed them.
   * Nothing is taken for a peer that is gone, and no more candidates than `most` for one peer.
   */
  offer(peer: string, offers: readonly PeerOffer[], options: OfferOptions): Promise<void>;
  /** Never-tried ones first. */
  due(peer: string, now: number, limit: number): Promise<readonly PeerCandidate[]>;
  /** Drops a candidate: it is listed now, or never will be. */
  settle(peer: string, endpoint: string): Promise<void>;
  /** With the number of its tries as it is now. `dueAt`: milliseconds since the epoch. */
  postpone(peer: string, candidate: Pick<PeerCandidate, "endpoint" | "tries">, dueAt: number): Promise<void>;

  /** True when an admin removed a relay of this endpoint after `after`, and nobody registered it here since. */
  removedSince(endpoint: string, after: number): Promise<boolean>;
  /** Drops what is remembered of removals before `before`. */
  forgetRemoved(before: number): Promise<void>;
}

export interface OfferOptions {
  /** URL of the page that lists them. */
  readonly page: string;
  readonly now: number;
  /** Milliseconds for which a removed endpoint is not taken. */
  readonly keptOutMs: number;
  readonly most: number;
}
