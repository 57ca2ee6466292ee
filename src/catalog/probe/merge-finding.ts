/**
 * What one finding makes of a record: the rules of OpenMCP 0.1 "The probe" and wire.md "The record". Pure: it looks at
 * nothing and writes nothing. Evidence moves a record; the lack of it moves only the count of failures.
 */
import { createHash } from "node:crypto";
import {
  bareDescriptor,
  canonicalJson,
  type Descriptor,
  type DocumentMemory,
  describe,
  type EndpointHints,
  type EndpointVerdict,
  type RelayRecord,
  recordEndpoint,
  type ToolDefinition,
} from "../../spec/index.ts";
import type { StoredRelay } from "../../store/index.ts";
import { type LookedAt, planNext } from "../watch/plan-next.ts";
import type { WatchRules } from "../watch/rules.ts";
import type { Finding } from "./finding.ts";
import { mayPass } from "./verdicts.ts";

export interface MergeOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Of a new relay; one that is listed keeps its own. */
  readonly id: string;
  /** Looks that led to this finding; default 1. */
  readonly attempts?: number;
  /** When to look next, and how many failing looks take a relay offline; absent: nothing is planned, and one does. */
  readonly rules?: WatchRules;
  /** True for a look that was planned: only such a one may put the next one off. */
  readonly planned?: boolean;
  /** The catalog that it was learned from; null makes a record direct; absent keeps what was. */
  readonly via?: string | null;
}

export interface MergedRelay {
  readonly record: RelayRecord;
  readonly endpoint: string;
  readonly hints: EndpointHints | null;
  readonly document: DocumentMemory | null;
}

/** The next state of the relay; null when it may not be listed: neither vouched for nor reached, and not listed before. */
export function mergeFinding(
  before: StoredRelay | null,
  finding: Finding,
  options: MergeOptions,
): MergedRelay | null {
  const was = before?.record ?? null;
  const { verdict } = finding;
  const answered = verdict.state === "online";
  const said = originsWord(before, finding);
  const word = { ...said, descriptor: asItWas(was?.descriptor, said.descriptor) };
  if (was === null && !answered && word.verifiedBy === null) return null;
  const at = new Date(options.now).toISOString();
  const online = answered || isDoubtful(was, verdict, options);
  const failures = answered ? 0 : (was?.failures ?? 0) + 1;
  const seenAt = answered ? at : (was?.seenAt ?? null);
  const firstSeenAt = was?.firstSeenAt ?? at;
  const listed = listedTools(was, { finding, online, descriptor: word.descriptor, source: word.source });
  const aliases = aliasesOf(before, finding.endpoint);
  // Told by a catalog, which few looks read: it stays (discovery.md: "An identifier once published is kept").
  const identifier = finding.identifier ?? was?.identifier;
  return {
    endpoint: finding.endpoint,
    hints: verdict.hints ?? before?.hints ?? null,
    document: word.document,
    record: {
      id: was?.id ?? options.id,
      source: word.source,
      descriptor: word.descriptor,
      tools: listed.tools,
      server: verdict.server ?? was?.server ?? null,
      verified: word.verifiedBy !== null,
      online,
      seenAt,
      firstSeenAt,
      failures,
      lastError: answered ? null : (verdict.error ?? "It did not answer MCP."),
      via: options.via === undefined ? (was?.via ?? null) : options.via,
      probe: {
        state: verdict.state,
        era: verdict.era,
        transport: verdict.transport,
        httpStatus: verdict.httpStatus,
        latencyMs: verdict.latencyMs,
        at,
        nextAt: nextLook(was, { online, failures, seenAt, firstSeenAt, verdict }, options),
        attempts: options.attempts ?? 1,
        verifiedBy: word.verifiedBy,
        toolsHash: hashOf(was, listed),
        toolsTruncated: listed.truncated,
      },
      toolsFrom: listed.from,
      ...(aliases.length === 0 ? {} : { aliases }),
      ...(identifier === undefined ? {} : { identifier }),
    },
  };
}

/** A relay that was online is believed to be until enough looks have failed in a row; a refusal is no failed look. */
function isDoubtful(
  was: RelayRecord | null,
  verdict: EndpointVerdict,
  { rules, attempts = 1 }: MergeOptions,
): boolean {
  if (was?.online !== true || !mayPass(verdict) || staysAway(verdict, rules)) return false;
  return was.failures + attempts < (rules?.confirmOffline ?? 1);
}

/** Who asks to be left alone for longer than a period has answered: `online` for so long would be a hope. */
function staysAway({ retryAfterSeconds }: EndpointVerdict, rules: WatchRules | undefined): boolean {
  return (retryAfterSeconds ?? 0) * 1_000 > (rules?.periodMs ?? Number.POSITIVE_INFINITY);
}

/** A failing look by hand does not put off the next one. Times are ISO 8601 in UTC, which sorts by time. */
function nextLook(was: RelayRecord | null, looked: LookedAt, options: MergeOptions): string | null {
  const next =
    options.rules === undefined ? null : planNext(looked, { rules: options.rules, now: options.now });
  if (next === null) return null;
  const at = new Date(options.now).toISOString();
  const nextAt = new Date(next).toISOString();
  const before = was?.probe.nextAt ?? null;
  const stands = !looked.online && options.planned !== true && before !== null && before > at;
  return stands && before < nextAt ? before : nextAt;
}

interface OriginsWord {
  readonly descriptor: Descriptor;
  readonly source: string;
  readonly verifiedBy: RelayRecord["probe"]["verifiedBy"];
  readonly document: DocumentMemory | null;
}

/** What the origin says that holds now. Without evidence the earlier word stands; a definite no takes it away. */
function originsWord(before: StoredRelay | null, finding: Finding): OriginsWord {
  const was = before?.record ?? null;
  const standing = was !== null && before?.endpoint === finding.endpoint ? was : null;
  if (finding.descriptor !== null && !yields(finding, standing)) {
    const { descriptor, source, verifiedBy, document } = finding;
    return { descriptor, source, verifiedBy, document };
  }
  if (standing !== null) {
    const { verifiedBy } = standing.probe;
    const evidence = verifiedBy === "server-card" ? finding.cardEvidence : finding.descriptorEvidence;
    if (evidence === "unknown") {
      const { descriptor, source } = standing;
      return { descriptor, source, verifiedBy, document: before?.document ?? null };
    }
    // Another spelling of the endpoint is no change as long as the one we know works as well.
    if (standing.online || finding.verdict.state !== "online")
      return bare(recordEndpoint(standing), finding.verifiedBy);
  }
  return bare(finding.url, finding.verifiedBy);
}

/** A card speaks second: not in the place of a descriptor that was known, and could not be read this time. */
function yields(finding: Finding, standing: RelayRecord | null): boolean {
  return (
    finding.verifiedBy === "server-card" &&
    finding.descriptorEvidence === "unknown" &&
    standing?.probe.verifiedBy === "openmcp"
  );
}

function bare(url: string, verifiedBy: OriginsWord["verifiedBy"]): OriginsWord {
  return { descriptor: bareDescriptor(url), source: url, verifiedBy, document: null };
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
  now: {
    readonly finding: Finding;
    readonly online: boolean;
    readonly descriptor: Descriptor;
    readonly source: string;
  },
): ListedTools {
  const { verdict } = now.finding;
  if (verdict.state === "online" && verdict.tools !== null) {
    const kept = verdict.toolsBrokenOff === true ? notReached(verdict.tools, was) : [];
    return {
      tools: asItWas(was?.tools, [...verdict.tools, ...kept]),
      from: kept.length === 0 ? "relay" : "earlier",
      truncated: verdict.toolsTruncated,
    };
  }
  if (was?.toolsFrom === "relay" || was?.toolsFrom === "earlier") {
    const from = now.online ? was.toolsFrom : "earlier";
    return { tools: was.tools, from, truncated: was.probe.toolsTruncated };
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

/** The very same value when nothing in it changed: what is derived from it then needs no second look. */
function asItWas<T extends object>(was: T | undefined, now: T): T {
  return was !== undefined && JSON.stringify(was) === JSON.stringify(now) ? was : now;
}

function hashOf(was: RelayRecord | null, { tools, from }: ListedTools): string | null {
  if (from === null) return null;
  return (was?.tools === tools ? was.probe.toolsHash : null) ?? toolsHash(tools);
}

/** `sha256:<hex>` over the canonical JSON of the tools in the order of that JSON: the relay's order is no content. */
function toolsHash(tools: readonly ToolDefinition[]): string {
  const sorted = tools.map((tool) => canonicalJson(tool)).sort();
  return `sha256:${createHash("sha256")
    .update(`[${sorted.join(",")}]`)
    .digest("hex")}`;
}
