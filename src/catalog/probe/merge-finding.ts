/**
 * What one finding makes of a record: the rules of OpenMCP 0.1 "The probe" and wire.md "The record". Pure: it looks at
 * nothing and writes nothing. Evidence moves a record; the lack of it moves only the count of failures.
 */
import { createHash } from "node:crypto";
import {
  bareDescriptor,
  canonicalJson,
  type Descriptor,
  describe,
  type EndpointHints,
  type RelayRecord,
  recordEndpoint,
  type ToolDefinition,
} from "../../spec/index.ts";
import type { StoredRelay } from "../../store/index.ts";
import type { Finding } from "./finding.ts";

export interface MergeOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Of a new relay; one that is listed keeps its own. */
  readonly id: string;
  /** Looks that led to this finding; default 1. */
  readonly attempts?: number;
  /** ISO 8601; absent: a look that is planned already stays planned. */
  readonly nextAt?: string;
  /** The catalog that it was learned from; null makes a record direct; absent keeps what was. */
  readonly via?: string | null;
}

export interface MergedRelay {
  readonly record: RelayRecord;
  readonly endpoint: string;
  readonly hints: EndpointHints | null;
}

/** The next state of the relay; null when it may not be listed: neither vouched for nor reached, and not listed before. */
export function mergeFinding(
  before: StoredRelay | null,
  finding: Finding,
  options: MergeOptions,
): MergedRelay | null {
  const was = before?.record ?? null;
  const { verdict } = finding;
  const online = verdict.state === "online";
  const word = originsWord(before, finding);
  if (was === null && !online && word.verifiedBy === null) return null;
  const at = new Date(options.now).toISOString();
  const listed = listedTools(was, { finding, descriptor: word.descriptor, source: word.source });
  const aliases = aliasesOf(before, finding.endpoint);
  return {
    endpoint: finding.endpoint,
    hints: verdict.hints ?? before?.hints ?? null,
    record: {
      id: was?.id ?? options.id,
      source: word.source,
      descriptor: word.descriptor,
      tools: listed.tools,
      server: verdict.server ?? was?.server ?? null,
      verified: word.verifiedBy !== null,
      online,
      seenAt: online ? at : (was?.seenAt ?? null),
      firstSeenAt: was?.firstSeenAt ?? at,
      failures: online ? 0 : (was?.failures ?? 0) + 1,
      lastError: online ? null : (verdict.error ?? "It did not answer MCP."),
      via: options.via === undefined ? (was?.via ?? null) : options.via,
      probe: {
        state: verdict.state,
        era: verdict.era,
        transport: verdict.transport,
        httpStatus: verdict.httpStatus,
        latencyMs: verdict.latencyMs,
        at,
        nextAt: options.nextAt ?? planned(was, at),
        attempts: options.attempts ?? 1,
        verifiedBy: word.verifiedBy,
        toolsHash: listed.from === null ? null : toolsHash(listed.tools),
        toolsTruncated: listed.truncated,
      },
      toolsFrom: listed.from,
      ...(aliases.length === 0 ? {} : { aliases }),
    },
  };
}

/** A look by hand does not unplan the next one. Both are ISO 8601 in UTC, which sorts by time. */
function planned(was: RelayRecord | null, at: string): string | null {
  const next = was?.probe.nextAt ?? null;
  return next !== null && next > at ? next : null;
}

interface OriginsWord {
  readonly descriptor: Descriptor;
  readonly source: string;
  readonly verifiedBy: RelayRecord["probe"]["verifiedBy"];
}

/** The descriptor that holds now. Without evidence the earlier word stands; a definite no takes it away. */
function originsWord(before: StoredRelay | null, finding: Finding): OriginsWord {
  if (finding.descriptor !== null) {
    return { descriptor: finding.descriptor, source: finding.source, verifiedBy: finding.verifiedBy };
  }
  const was = before?.record ?? null;
  if (was !== null && before?.endpoint === finding.endpoint) {
    if (finding.descriptorEvidence === "unknown") {
      return { descriptor: was.descriptor, source: was.source, verifiedBy: was.probe.verifiedBy };
    }
    // Another spelling of the endpoint is no change as long as the one we know works as well.
    if (was.online || finding.verdict.state !== "online")
      return bare(recordEndpoint(was), finding.verifiedBy);
  }
  return bare(finding.url, finding.verifiedBy);
}

function bare(url: string, verifiedBy: OriginsWord["verifiedBy"]): OriginsWord {
  return { descriptor: bareDescriptor(url), source: url, verifiedBy };
}

interface ListedTools {
  readonly tools: readonly ToolDefinition[];
  readonly from: RelayRecord["toolsFrom"];
  readonly truncated: boolean;
}

/**
 * What the relay lists, else what it listed, else what its descriptor names: the last as bare names. A list that broke off says
 * nothing of what it did not come to: the tools known before stay beside those that came, up to as many as either list has, so
 * that a relay which breaks off each time with other names does not grow.
 */
function listedTools(
  was: RelayRecord | null,
  now: { readonly finding: Finding; readonly descriptor: Descriptor; readonly source: string },
): ListedTools {
  const { verdict } = now.finding;
  if (verdict.state === "online" && verdict.tools !== null) {
    const kept = verdict.toolsBrokenOff === true ? notReached(verdict.tools, was) : [];
    return {
      tools: [...verdict.tools, ...kept],
      from: kept.length === 0 ? "relay" : "earlier",
      truncated: verdict.toolsTruncated,
    };
  }
  if (was?.toolsFrom === "relay" || was?.toolsFrom === "earlier") {
    return { tools: was.tools, from: "earlier", truncated: was.probe.toolsTruncated };
  }
  const names = describe(now.descriptor, now.source).tools;
  return {
    tools: names.map((name) => ({ name })),
    from: names.length === 0 ? null : "descriptor",
    truncated: false,
  };
}

/** The tools known before that a list which broke off does not have. */
function notReached(came: readonly ToolDefinition[], was: RelayRecord | null): readonly ToolDefinition[] {
  if (was === null || (was.toolsFrom !== "relay" && was.toolsFrom !== "earlier")) return [];
  const names = new Set(came.map(({ name }) => name));
  const missing = was.tools.filter(({ name }) => !names.has(name));
  return missing.slice(0, Math.max(0, was.tools.length - came.length));
}

/** Every endpoint this relay had before. */
function aliasesOf(before: StoredRelay | null, endpoint: string): readonly string[] {
  if (before === null) return [];
  const all = new Set([...(before.record.aliases ?? []), before.endpoint]);
  all.delete(endpoint);
  return [...all];
}

/** `sha256:<hex>` over the canonical JSON of the tools in the order of that JSON: the relay's order is no content. */
function toolsHash(tools: readonly ToolDefinition[]): string {
  const sorted = tools.map((tool) => canonicalJson(tool)).sort();
  return `sha256:${createHash("sha256")
    .update(`[${sorted.join(",")}]`)
    .digest("hex")}`;
}
