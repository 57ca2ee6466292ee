/**
 * The record: a relay as a catalog holds it (OpenMCP 0.1 "The record"; wire.md "The record, and what we add to it"),
 * the verdict of a look at its endpoint, and the summary that lists carry.
 */
import type { Descriptor } from "./descriptor.ts";
import type { JsonObject } from "./json.ts";

/** Where a look at an endpoint ended; wire.md. */
export const probeStates = [
  "online",
  "auth-required",
  "not-mcp",
  "wrong-transport",
  "protocol-error",
  "timeout",
  "unreachable",
  "blocked",
] as const;

export type ProbeState = (typeof probeStates)[number];

/** One tool as the relay sent it: every key and value kept. Only `name` is known to be a non-empty string. */
export type ToolDefinition = JsonObject & { readonly name: string };

export interface RelayServer {
  readonly name: string | null;
  readonly version: string | null;
  readonly protocolVersion: string | null;
}

export interface ProbeInfo {
  readonly state: ProbeState;
  /** The protocol revision that answered, such as `2026-07-28`; null when none did. */
  readonly era: string | null;
  readonly transport: "streamable-http" | "http+sse" | null;
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly nextAt: string | null;
  readonly attempts: number;
  /** What proved the relay's own word: its `openmcp` descriptor, a `server-card`; null when nothing did. */
  readonly verifiedBy: "openmcp" | "server-card" | null;
  /** `sha256:<hex>` over the canonical JSON of the tools. */
  readonly toolsHash: string | null;
  readonly toolsTruncated: boolean;
}

export interface RelayRecord {
  readonly id: string;
  /** The URL the descriptor was read from, or the endpoint when the relay serves none. */
  readonly source: string;
  readonly descriptor: Descriptor;
  readonly tools: readonly ToolDefinition[];
  readonly server: RelayServer | null;
  readonly verified: boolean;
  readonly online: boolean;
  /** When it last answered; null when it never did. */
  readonly seenAt: string | null;
  readonly firstSeenAt: string;
  readonly failures: number;
  readonly lastError: string | null;
  readonly via: string | null;
  readonly probe: ProbeInfo;
  readonly toolsFrom: "relay" | "earlier" | "descriptor" | null;
  readonly aliases?: readonly string[];
  /** The `urn:air` by which its publisher lists it, where this catalog has read that in the publisher's own catalog. */
  readonly identifier?: string;
}

/** One step of a look, for people and for the evidence of a refusal. */
export interface ProbeStep {
  readonly step: string;
  readonly method: string;
  readonly url: string;
  readonly status: number | null;
  readonly ms: number;
  /** A sentence: what was found, or why not. */
  readonly outcome: string;
  readonly ok: boolean;
}

/** What an endpoint's look found: judged evidence, nothing typed by a registrant. */
export interface EndpointVerdict {
  readonly state: ProbeState;
  readonly era: string | null;
  readonly transport: "streamable-http" | "http+sse" | null;
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
  /** Null when the relay did not say this time: a look with a remembered era may not ask. */
  readonly server: RelayServer | null;
  /** Null when no list was had. */
  readonly tools: readonly ToolDefinition[] | null;
  /** The relay has, or may have, more tools than these. */
  readonly toolsTruncated: boolean;
  /** True when the list broke off: what is missing from it is not known to be gone. */
  readonly toolsBrokenOff?: boolean;
  /** Where the endpoint sends whoever asks, when that was not followed: what answers there is no evidence of this endpoint. */
  readonly redirectsTo?: string;
  /** What was odd but bearable, a sentence each. */
  readonly notes: readonly string[];
  /** A sentence for a person when not online. */
  readonly error: string | null;
  /** What a 401 or 403 said about how to get in. */
  readonly challenge: AuthChallenge | null;
  readonly hints: EndpointHints | null;
  readonly steps: readonly ProbeStep[];
  /** What `Retry-After` asked for when the endpoint turned the look away. */
  readonly retryAfterSeconds?: number;
  /** Milliseconds for which the relay says that its tool list holds (`ttlMs` of the modern era); absent: it does not say. */
  readonly ttlMs?: number;
}

export interface AuthChallenge {
  readonly scheme: string | null;
  readonly realm: string | null;
  readonly scope: string | null;
  /** URL of the OAuth protected-resource metadata (RFC 9728), when named. */
  readonly resourceMetadata: string | null;
}

/** What the next look or a forwarded call may take for granted about an endpoint; stored beside the record, not in it. */
export interface EndpointHints {
  readonly era: "modern" | "legacy";
  readonly protocolVersion: string;
  /** True when the endpoint opened a session (legacy era only). */
  readonly session: boolean;
  /** ISO 8601; a legacy verdict expires, a modern one is corrected when it fails. */
  readonly judgedAt: string;
}

/** What a descriptor was last served with, so that it is asked for again conditionally, and not before it says; stored beside the record. */
export interface DocumentMemory {
  /** The URL that was asked. */
  readonly url: string;
  readonly etag: string | null;
  /** As `Last-Modified` said it. */
  readonly lastModified: string | null;
  /** When it was last heard to be so; ISO 8601. */
  readonly readAt: string;
  /** Seconds from `readAt` for which `Cache-Control` allows to take it for granted. */
  readonly freshSeconds: number;
}

/** A relay in a list: `list_relays`, `openmcp relays`. */
export interface RelaySummary {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly mcp: string;
  readonly auth: string;
  readonly tags: readonly string[];
  readonly tools: readonly string[];
  readonly online: boolean;
  readonly verified: boolean;
  /** The catalog that it was learned from; absent when it was registered directly. */
  readonly via?: string;
}
