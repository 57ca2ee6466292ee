/** The peering operations as plain types: what goes in and what comes out, whatever the door (OpenMCP 0.1 "Peering"). */

/** Another catalog whose relays this one learns. */
export interface Peer {
  /** Its base URL, without a trailing slash: what `via` says of a relay learned from it. */
  readonly url: string;
  /** ISO 8601. */
  readonly addedAt: string;
  /** When its list was last read to the end; null when it never was. ISO 8601. */
  readonly syncedAt: string | null;
  /** Why the last sync did not come to its end, a sentence; null when it did. */
  readonly lastError: string | null;
}

export interface PeersOutput {
  /** In the order of adding. */
  readonly peers: readonly Peer[];
}

export interface PeerInput {
  /** The other catalog's site, its descriptor or its `/v1`. */
  readonly url: string;
}

export interface AddPeerOutput extends PeersOutput {
  /** The URL under which it is kept. */
  readonly added: string;
}

export interface RemovePeerOutput {
  readonly removed: string;
}

export interface SyncPeersOutput {
  /** How many were asked. */
  readonly peers: number;
  /** Relays that were listed for the first time. */
  readonly learned: number;
}
