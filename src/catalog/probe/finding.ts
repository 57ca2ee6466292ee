/** What a probe is given and what it finds, an endpoint at a time. Types only. */
import type {
  CardDocument,
  CardLook,
  DescriptorLook,
  Discovery,
  IdentifierReading,
  KnownCard,
  KnownDescriptor,
  ReadOptions,
} from "../../discovery/index.ts";
import type { AskOptions } from "../../relay/index.ts";
import type {
  Descriptor,
  DocumentMemory,
  EndpointHints,
  EndpointVerdict,
  Exchange,
  ProbeStep,
} from "../../spec/index.ts";

export interface ProbeDeps {
  readonly exchange: Exchange;
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** What is remembered of an endpoint (canonical URL) that is listed. */
  readonly known?: (endpoint: string) => Promise<KnownEndpoint | null>;
  /** Told of each step as it is done. */
  readonly onStep?: (step: ProbeStep) => void;
  /** The looks themselves; a catalog gives ones that share what is under way. */
  readonly look?: (url: string, options: AskOptions) => Promise<EndpointVerdict>;
  readonly readDescriptor?: (url: string, options: DescriptorReadOptions) => Promise<DescriptorLook>;
  readonly readCard?: (endpoint: string, options: CardReadOptions) => Promise<CardLook>;
  readonly readOrigin?: (url: string, options: OriginReadOptions) => Promise<Discovery>;
  readonly readIdentifier?: (url: string, options: IdentifierReadOptions) => Promise<IdentifierReading>;
  /** The descriptor that was read at an earlier look, to be asked for conditionally. */
  readonly knownDescriptor?: KnownDescriptor | null;
  /** The card that vouched for the relay at an earlier look, and what was made of it. */
  readonly knownCard?: (KnownCard & { readonly word: CardWord }) | null;
  /** False: no card is searched for where none is known. Default true. */
  readonly searchCard?: boolean;
}

export type DescriptorReadOptions = ReadOptions & { readonly known?: KnownDescriptor | null };
export type OriginReadOptions = ReadOptions & {
  /** False: the URL is an endpoint, and no document. */
  readonly given: boolean;
};
export type IdentifierReadOptions = ReadOptions & { readonly endpoint: string };
export type CardReadOptions = ReadOptions & { readonly known?: KnownCard | null };

/** What a Server Card says of its relay, as a descriptor would say it. */
export interface CardWord {
  readonly descriptor: Descriptor;
  /** The URL that the card was read from. */
  readonly source: string;
}

/** What led to an endpoint, besides somebody's word. */
export interface Lead {
  /** A card that a catalog gave, and that vouches for it: then no other is searched for. */
  readonly card: CardDocument | null;
}

export interface KnownEndpoint {
  /** The spelling that its record has. */
  readonly url: string;
  readonly hints: EndpointHints | null;
}

export type Evidence = "served" | "absent" | "unknown";

/** What the endpoint's own origin says of it. */
export interface Vouching {
  /** The descriptor of the endpoint's own origin that names this endpoint, or what its card says; null when there is neither. */
  readonly descriptor: Descriptor | null;
  /** Where that was read; the endpoint when there is none. */
  readonly source: string;
  /** What proves that the origin vouches for the endpoint. */
  readonly verifiedBy: "openmcp" | "server-card" | null;
  /**
   * `served`: its descriptor vouches. `absent`: it does not, for sure (no descriptor, or one that names another endpoint).
   * `unknown`: no evidence either way (timeout, 5xx, refused); an earlier verdict by a descriptor stands.
   */
  readonly descriptorEvidence: Evidence;
  /** The same of a Server Card; `unknown` too when none was asked for. */
  readonly cardEvidence: Evidence;
  /** What goes with `descriptor`; null when there is none. */
  readonly document: DocumentMemory | null;
  /** False when the origin's descriptor asks catalogs not to list its relays. */
  readonly mayBeListed: boolean;
}

/** What is known of one endpoint after a probe. */
export interface Finding extends Vouching {
  /** Canonical URL of the endpoint: its identity. */
  readonly endpoint: string;
  /** The URL that was asked: a spelling of `endpoint`. Some servers answer with a trailing slash only. */
  readonly url: string;
  readonly verdict: EndpointVerdict;
  /** By which its publisher lists it; absent where what was read does not tell. Which domain that is has not been judged. */
  readonly identifier?: string;
}

export interface Probe {
  /** The URL that was probed, as read from what was given. */
  readonly url: string;
  /** The relay of this registration. */
  readonly finding: Finding;
  /** Other endpoints that were looked at: the descriptor's own beside a given one, one that did not answer, all that a catalog lists. */
  readonly others: readonly Finding[];
  /** Servers that its catalogs list beyond those that were looked at. */
  readonly more: number;
  readonly steps: readonly ProbeStep[];
}
