/**
 * The one source from which every discovery document of a relay is made: its descriptor, its Server Card, its entries in catalogs,
 * its server.json. Types only; the projections are beside it.
 */
import type { AuthKind } from "../descriptor.ts";
import type { Icon, Remote, Repository } from "./server-card.ts";

export interface RelayAuth {
  readonly kind: AuthKind;
  /** Where a person gets a credential. */
  readonly url?: string;
  /** Tools that work without one. */
  readonly open?: readonly string[];
}

export interface RelayDescription {
  /** Reverse DNS, a slash, a name: `com.example/weather`. */
  readonly name: string;
  /** One version, no range. */
  readonly version: string;
  /** 1 to 100 code points. */
  readonly description: string;
  /** For people; 1 to 100 code points. */
  readonly title?: string;
  readonly websiteUrl?: string;
  readonly repository?: Repository;
  readonly icons?: readonly Icon[];
  /** The first is the relay's endpoint. Protocol versions, headers and variables stand in each. */
  readonly remotes: readonly Remote[];
  readonly auth?: RelayAuth;
  /** The OpenProfile.md URL of who answers for the relay. */
  readonly operator?: string;
  readonly tags?: readonly string[];
  /** Names of tools, for a relay that does not list them to everybody. */
  readonly tools?: readonly string[];
  /** Where a caller subscribes to the relay's own events. */
  readonly webhooks?: string;
  /** Catalogs that it is listed in. */
  readonly catalogs?: readonly string[];
  /** False: catalogs are asked not to list it. */
  readonly listed?: boolean;
  /** A paragraph for the descriptor, which has room for one; default: `description`. */
  readonly about?: string;
  /** `_meta` of card and server.json. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** What is installed on one's own machine: of server.json only, kept as it is. */
  readonly packages?: readonly unknown[];
  /** Members of card and server.json that have no name here. */
  readonly members?: Readonly<Record<string, unknown>>;
}
