/** What a probe is given and what it finds, an endpoint at a time. Types only. */
import type { DescriptorLook, KnownDescriptor, ReadOptions } from "../../discovery/index.ts";
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
  /** The descriptor that was read at an earlier look, to be asked for conditionally. */
  readonly knownDescriptor?: KnownDescriptor | null;
}

export type DescriptorReadOptions = ReadOptions & { readonly known?: KnownDescriptor | null };

export interface KnownEndpoint {
  /** The spelling that its record has. */
  readonly url: string;
  readonly hints: EndpointHints | null;
}

/** What the endpoint's own origin says of it. */
export interface Vouching {
  /** The descriptor of the endpoint's own origin that names this endpoint; null when there is none. */
  readonly descriptor: Descriptor | null;
  /** Where the descriptor was read; the endpoint when there is none. */
  readonly source: string;
  /** What proves that the origin vouches for the endpoint. */
  readonly verifiedBy: "openmcp" | "server-card" | null;
  /**
   * `served`: it vouches. `absent`: it does not, for sure (no descriptor, or one that names another endpoint).
   * `unknown`: no evidence either way (timeout, 5xx, refused); an earlier verdict stands.
   */
  readonly descriptorEvidence: "served" | "absent" | "unknown";
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
}

export interface Probe {
  /** The URL that was probed, as read from what was given. */
  readonly url: string;
  /** The relay of this registration. */
  readonly finding: Finding;
  /** Other endpoints that were looked at: the descriptor's own beside a given one, or a given one that did not answer. */
  readonly others: readonly Finding[];
  readonly steps: readonly ProbeStep[];
}
