/**
 * Judging: from the recorded evidence of a look to its verdict. Pure and total; the conversation is replayed, so what counts
 * as an answer is decided by the rules that asked for it. Nothing here waits, sends or reads a clock.
 */
import {
  type AuthChallenge,
  type EndpointHints,
  type EndpointVerdict,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ProbeState,
  type RelayServer,
} from "../spec/index.ts";
import { isRpc } from "./answer.ts";
import type { Asked } from "./ask.ts";
import { parseChallenge } from "./challenge.ts";
import { type Conclusion, conversation, type Found } from "./conversation.ts";
import { describeStep } from "./describe-step.ts";
import { explain } from "./explain.ts";
import { isModernVersion, LEGACY_VERSIONS, MODERN_VERSION, rpcCode, SERVER_INFO_KEY } from "./protocol.ts";
import { quotable } from "./quotable.ts";
import { type Exchanged, notPerformed, stepName } from "./step.ts";
import { readTools, type ToolReading } from "./tool-list.ts";
import type { ToolPages } from "./tool-pages.ts";
import { redirectTarget } from "./within-origin.ts";

/** What the evidence of a look shows. */
export function judge(asked: Asked): EndpointVerdict {
  const { found, pages } = replay(asked);
  const list = found === null || pages === null ? null : usableList(found, pages);
  return found !== null && list !== null
    ? { ...online(asked, found, list), ...freshness(pages) }
    : offline(asked, found, pages);
}

function online(
  asked: Asked,
  found: Found,
  list: ToolReading & { readonly page: Exchanged },
): EndpointVerdict {
  return {
    ...common(asked, found),
    state: "online",
    transport: "streamable-http",
    httpStatus: list.page.status,
    tools: list.tools,
    toolsTruncated: list.truncated,
    ...(list.brokenOff ? { toolsBrokenOff: true } : {}),
    notes: [...handshakeNotes(found), ...list.notes],
    error: null,
    challenge: null,
    hints: hintsOf(asked, found),
    server: serverOf(found, list.page),
  };
}

function offline(asked: Asked, found: Found | null, pages: ToolPages | null): EndpointVerdict {
  const decisive = pages?.broken ?? mostTelling(asked.exchanges);
  const { state, sentence } = explain(decisive ?? notPerformed(asked.endpoint, { kind: "listen" }));
  const target = decisive === null ? null : redirectTarget(decisive);
  const retryAfter = decisive?.headers["retry-after"] ?? "";
  return {
    ...common(asked, found),
    state,
    transport: state === "wrong-transport" ? "http+sse" : found === null ? null : "streamable-http",
    httpStatus: decisive?.status ?? null,
    tools: null,
    toolsTruncated: false,
    notes: [],
    error: sentence,
    ...(target === null ? {} : { redirectsTo: target.href }),
    challenge: state === "auth-required" ? challengeOf(asked.exchanges) : null,
    hints: null,
    server: found === null ? null : serverOf(found, null),
    ...(/^\d{1,6}$/.test(retryAfter) ? { retryAfterSeconds: Number(retryAfter) } : {}),
  };
}

function common(asked: Asked, found: Found | null) {
  const first = asked.exchanges.find(({ answer }) => isRpc(answer));
  return {
    era: found === null ? null : quotable(found.version),
    latencyMs: first === undefined ? null : Math.round(first.ms),
    steps: asked.exchanges.map(describeStep),
  };
}

/** Runs the conversation over the record; a record that stops short is one that ran out of time. */
function replay(asked: Asked): Conclusion {
  const talk = conversation(asked.hints, asked.at);
  let next = talk.next();
  for (let i = 0; !next.done; i++)
    next = talk.next(asked.exchanges[i] ?? notPerformed(asked.endpoint, next.value));
  return next.value;
}

/** For how long all of the list holds, in the relay's own words; a page that says nothing promises nothing. */
function freshness(pages: ToolPages | null): { readonly ttlMs?: number } {
  const said = (pages?.pages ?? []).map((page) => resultOf(page)?.ttlMs);
  const times = said.map((ttlMs) => (typeof ttlMs === "number" && ttlMs > 0 ? ttlMs : 0));
  const ttlMs = times.length === 0 ? 0 : Math.min(...times);
  return ttlMs > 0 ? { ttlMs } : {};
}

/** The list, where there is one: a relay that knows no tools and never said it had any has an empty one. */
function usableList(found: Found, pages: ToolPages): (ToolReading & { readonly page: Exchanged }) | null {
  const [page] = pages.pages;
  if (page !== undefined) return { ...readTools(pages), page };
  const { broken } = pages;
  const unknown = broken?.answer.kind === "error" && broken.answer.error.code === rpcCode.methodNotFound;
  if (broken === null || !unknown || found.handshake === null || declaresTools(found.handshake)) return null;
  return { tools: [], truncated: false, brokenOff: false, notes: ["It offers no tools."], page: broken };
}

function handshakeNotes({ handshake, version }: Found): string[] {
  const notes: string[] = [];
  if (!LEGACY_VERSIONS.includes(version) && version !== MODERN_VERSION) {
    notes.push(
      isModernVersion(version)
        ? `It speaks the revision ${quotable(version)}, which is newer than this catalog.`
        : `It names a protocol revision that does not exist: ${quotable(version)}.`,
    );
  }
  if (handshake?.answer.kind === "result" && !declaresTools(handshake)) {
    notes.push("It lists tools without declaring the capability.");
  }
  return notes;
}

function declaresTools({ answer }: Exchanged): boolean {
  const capabilities = answer.kind === "result" ? answer.result.capabilities : undefined;
  return isJsonObject(capabilities) && Boolean(capabilities.tools);
}

/** What the relay calls itself: in the handshake, or in the `_meta` of a modern result. Null when it was not told this time. */
function serverOf(found: Found, page: Exchanged | null): RelayServer | null {
  const handshake = resultOf(found.handshake);
  const info = [handshake?.serverInfo, metaInfo(handshake), metaInfo(resultOf(page))].find(isJsonObject);
  if (info === undefined && handshake === null) return null;
  return { name: name(info?.name), version: name(info?.version), protocolVersion: quotable(found.version) };
}

function resultOf(exchanged: Exchanged | null): JsonObject | null {
  return exchanged?.answer.kind === "result" ? exchanged.answer.result : null;
}

function metaInfo(result: JsonObject | null): JsonValue | undefined {
  return isJsonObject(result?._meta) ? result._meta[SERVER_INFO_KEY] : undefined;
}

function name(value: JsonValue | undefined): string | null {
  return typeof value === "string" && quotable(value) !== "" ? quotable(value) : null;
}

/** A remembered era that was used, not asked for again, keeps its date, so that it expires. */
function hintsOf(asked: Asked, found: Found): EndpointHints {
  return {
    era: found.dress.era,
    protocolVersion: found.version,
    session: found.dress.sessionId !== null,
    judgedAt:
      asked.hints !== null &&
      asked.exchanges[0] !== undefined &&
      stepName(asked.exchanges[0].step) === "tools/list" &&
      found.handshake === null
        ? asked.hints.judgedAt
        : new Date(asked.at).toISOString(),
  };
}

/**
 * States by how much they tell when the two eras gave different ones. A timeout comes before an error, since the one that
 * was slow might have been the one that works; a dead connection comes last, since something else was heard.
 */
const telling: readonly ProbeState[] = [
  ...([
    "blocked",
    "wrong-transport",
    "auth-required",
    "timeout",
    "protocol-error",
    "unreachable",
    "not-mcp",
  ] as const),
];

function mostTelling(exchanges: readonly Exchanged[]): Exchanged | null {
  let best: { exchanged: Exchanged; rank: number } | null = null;
  for (const exchanged of exchanges) {
    const { kind } = exchanged.step;
    if (kind !== "ask" && !(kind === "listen" && exchanged.answer.kind === "endpoint-event")) continue;
    const rank =
      exchanged.status === null && explain(exchanged).state === "unreachable"
        ? telling.length
        : telling.indexOf(explain(exchanged).state);
    if (best === null || rank <= best.rank) best = { exchanged, rank };
  }
  return best?.exchanged ?? null;
}

function challengeOf(exchanges: readonly Exchanged[]): AuthChallenge | null {
  const header = exchanges.find(({ headers }) => headers["www-authenticate"] !== undefined)?.headers[
    "www-authenticate"
  ];
  return parseChallenge(header);
}
