/**
 * From any URL of a relay to findings: what the origin says of itself, and what its endpoints answer (wire.md "The probe").
 * It needs no store, so that `openmcp probe` uses it as it is; what a finding does to a record is merge-finding's work.
 */
import type { Descriptor, EndpointHints, EndpointVerdict, Exchange, ProbeStep } from "../../spec/index.ts";

export interface ProbeDeps {
  readonly exchange: Exchange;
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** What an earlier look remembers of an endpoint (canonical URL). */
  readonly hintsFor?: (endpoint: string) => EndpointHints | null;
  /** Told of each step as it is done. */
  readonly onStep?: (step: ProbeStep) => void;
}

/** What is known of one endpoint after a probe. */
export interface Finding {
  /** Canonical URL of the endpoint. */
  readonly endpoint: string;
  /** The descriptor of the endpoint's own origin that names this endpoint; null when there is none. */
  readonly descriptor: Descriptor | null;
  /** Where the descriptor was read; the endpoint when there is none. */
  readonly source: string;
  /** What proves that the origin vouches for the endpoint. */
  readonly verifiedBy: "openmcp" | "server-card" | null;
  /** `unknown`: the origin gave no evidence either way (timeout, 5xx, refused); an earlier verdict stands. */
  readonly descriptorEvidence: "served" | "absent" | "unknown";
  readonly verdict: EndpointVerdict;
}

export interface Probe {
  /** The URL that was probed, as read from what was given. */
  readonly url: string;
  /** The relay of this registration. */
  readonly finding: Finding;
  /** Other relays that the same origin vouches for. */
  readonly others: readonly Finding[];
  readonly steps: readonly ProbeStep[];
}

/**
 * Looks. Never rejects for what a relay does; that is the verdict.
 * @throws OpenMcpError `invalid-input` when `given` is no URL, `aborted` when the signal fires.
 */
export async function probeUrl(_given: string, _deps: ProbeDeps): Promise<Probe> {
  throw new Error("not built yet");
}
