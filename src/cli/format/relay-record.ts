/** One record in full. Every fact has its line; what nobody stated is said to be not stated. */
import { describe, type RelayClaim, type RelayRecord, recordEndpoint } from "../../spec/index.ts";
import { TEXT_COLUMNS } from "../limits.ts";
import { printable, printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { definitionList } from "../terminal/table.ts";
import { wrap, wrapProse } from "../terminal/text-width.ts";
import {
  ago,
  authWord,
  count,
  NOT_STATED,
  onlineWord,
  paintOnline,
  paintVerified,
  verifiedWord,
} from "./facts.ts";
import { toolList } from "./tool-list.ts";

interface View {
  readonly style: Style;
  readonly width: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Names under which imported lists have it. */
  readonly claims?: readonly RelayClaim[];
}

export function relayRecord(relay: RelayRecord, view: View): string {
  const { style } = view;
  const facts = describe(relay.descriptor, relay.source);
  const columns = Math.min(view.width, TEXT_COLUMNS);
  const name = facts.name ?? relay.server?.name ?? null;
  const parts = [
    `${style.strong(printableLine(relay.id))}${name === null ? "" : `  ${printableLine(name)}`}`,
    ...(facts.description === null ? [] : [wrap(printable(facts.description).trim(), columns).join("\n")]),
    definitionList(entries(relay, view), { paintLabel: style.quiet, indent: "  " }),
  ];
  if (relay.tools.length > 0) {
    parts.push(
      `${style.heading(`${count(relay.tools.length, "tool")}, ${toolsFrom(relay)}`)}\n${toolList(relay.tools, view)}`,
    );
  }
  return parts.join("\n\n");
}

/** Where the listed tools come from, in words. */
export function toolsFrom(relay: Pick<RelayRecord, "toolsFrom" | "online">): string {
  switch (relay.toolsFrom) {
    case "earlier":
      return "as it reported them earlier";
    case "descriptor":
      return "as its descriptor names them";
    default:
      return relay.online ? "as the relay reports them" : "as last known";
  }
}

function entries(
  relay: RelayRecord,
  { style, width, now, claims = [] }: View,
): (readonly [string, readonly string[]])[] {
  const facts = describe(relay.descriptor, relay.source);
  const { probe } = relay;
  const room = Math.max(20, Math.min(width, TEXT_COLUMNS) - 15);
  const lines = (text: string | null): readonly string[] =>
    text === null ? [NOT_STATED] : wrapProse(printableLine(text), room);
  const rows: (readonly [string, readonly string[]])[] = [
    ["Online", [paintOnline(onlineWord(relay.online), { online: relay.online, style }) + seen(relay, now)]],
    [
      "Verified",
      [paintVerified(verifiedWord(relay.verified), { verified: relay.verified, style }) + verifiedBy(relay)],
    ],
    ["Endpoint", lines(endpointOf(relay))],
    ["Auth", lines(authLine(relay))],
    ["Operator", lines(facts.operator)],
    ["Site", lines(facts.url)],
    ["Tags", lines(facts.tags.length === 0 ? null : facts.tags.join(", "))],
    ["Server", lines(serverLine(relay))],
    [
      "Listed",
      lines(
        `${ago(relay.firstSeenAt, now)} (${relay.firstSeenAt})${relay.via === null ? "" : `, learned via ${relay.via}`}`,
      ),
    ],
    ...(claims.length === 0 ? [] : [["Named", claimLines(claims).flatMap(lines)] as const]),
  ];
  // Other catalogs of OpenMCP 0.1 tell nothing of the probe itself.
  if (probe !== undefined) rows.push(["Last probe", lines(probeLine(relay, now))]);
  if (probe?.nextAt) rows.push(["Next probe", lines(ago(probe.nextAt, now))]);
  if (!relay.online && relay.lastError !== null) {
    rows.push(["Why", lines(`${relay.lastError} (${count(relay.failures, "failure")} in a row)`)]);
  }
  if (relay.aliases !== undefined && relay.aliases.length > 0) {
    rows.push(["Also at", relay.aliases.flatMap((alias) => lines(alias))]);
  }
  if (relay.identifier !== undefined) rows.push(["Listed as", lines(relay.identifier)]);
  if (relay.tools.length === 0) rows.push(["Tools", ["none known"]]);
  if (probe?.toolsTruncated === true) rows.push(["Note", ["the relay has more tools than a catalog keeps"]]);
  return rows;
}

function seen(relay: RelayRecord, now: number): string {
  if (relay.seenAt === null) return ", never seen answering";
  return `, ${relay.online ? "answered" : "last answered"} ${ago(relay.seenAt, now)}`;
}

function verifiedBy(relay: RelayRecord): string {
  if (!relay.verified) return ": its own origin does not say so";
  return relay.probe?.verifiedBy === "server-card"
    ? " by its server card"
    : ` by ${printableLine(relay.source)}`;
}

function authLine(relay: RelayRecord): string {
  const facts = describe(relay.descriptor, relay.source);
  const where = facts.authUrl === null ? "" : `; get a credential at ${facts.authUrl}`;
  const open = facts.openTools.length === 0 ? "" : `; without one: ${facts.openTools.join(", ")}`;
  return `${authWord(facts.auth)}${where}${open}`;
}

function serverLine(relay: RelayRecord): string | null {
  const { server } = relay;
  if (server === null || server === undefined) return null;
  const protocol = server.protocolVersion === null ? "" : `, speaks MCP ${server.protocolVersion}`;
  return `${server.name ?? "name not stated"} ${server.version ?? ""}`.trim() + protocol;
}

function probeLine(relay: RelayRecord, now: number): string {
  const { probe } = relay;
  return [
    probe.state,
    ago(probe.at, now),
    ...(probe.latencyMs === null ? [] : [`${Math.round(probe.latencyMs)} ms`]),
    ...(probe.httpStatus === null ? [] : [`HTTP ${probe.httpStatus}`]),
  ].join(", ");
}

function endpointOf(relay: RelayRecord): string {
  try {
    return recordEndpoint(relay);
  } catch {
    return String(relay.descriptor.mcp);
  }
}

/** `x/weather, y/forecast in https://registry.example`, a line for each list: what others call it, not what it is. */
function claimLines(claims: readonly RelayClaim[]): readonly string[] {
  const bySource = Map.groupBy(claims, ({ source }) => source);
  return [...bySource].map(([source, of]) => `${of.map(({ name }) => name).join(", ")} in ${source}`);
}
