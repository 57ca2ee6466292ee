/** What an operator may open of the network, and the seam through which names are resolved. No rule lives here. */

/** One answer of the resolver. */
export interface ResolvedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/** Resolves a host name to all its addresses; rejects with a Node error (`code: "ENOTFOUND"`) when there are none. */
export type LookupAddresses = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface NetworkPolicy {
  /** Development: loopback addresses and `localhost` names may be called. Low ports stay closed. */
  readonly allowLoopback: boolean;
  /**
   * Networks in CIDR form (`10.0.0.0/8`, `fd12::/16`; a bare address is that address alone) that are open although
   * they are private. A cloud metadata address is opened only by its own address, never by a wider network.
   */
  readonly allowNetworks: readonly string[];
  /** Default: the system's resolver, hosts file included. Tests hand in names that change their answer. */
  readonly lookup?: LookupAddresses;
}
