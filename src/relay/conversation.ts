/**
 * The talk with a relay, as a pure coroutine: it yields steps, is handed what came of each, and ends knowing the era and the
 * pages of the tool list (probe.md, "Two eras"; wire.md, "The probe"). `ask` drives it over a network, `judge` replays it
 * over recorded evidence, so the rules stand in one place. It neither waits nor sends, and reads no clock.
 */
import type { EndpointHints } from "../spec/index.ts";
import { isExact, neverArrived } from "./answer.ts";
import { type EraReading, otherLegacyVersions, readDiscover, readModernError } from "./era.ts";
import { HINT_LIFETIME_MS, MAX_HANDSHAKE_BYTES } from "./limits.ts";
import { CLIENT_INFO, type Dress, type Era, LEGACY_VERSIONS, MODERN_VERSION } from "./protocol.ts";
import type { Exchanged } from "./step.ts";
import { countIds, type Ids, type Talk } from "./talk.ts";
import { listTools, type ToolPages } from "./tool-pages.ts";

/** An era that answered, ready for requests. */
export interface Found {
  readonly dress: Dress;
  /** The revision, also where no header can hold it. */
  readonly version: string;
  /** The answer to `server/discover` or `initialize`; null when the era was remembered or told by an error. */
  readonly handshake: Exchanged | null;
}

export interface Conclusion {
  readonly found: Found | null;
  readonly pages: ToolPages | null;
}

/** A whole look. `now` (milliseconds since the epoch) decides whether the hints are still good. */
export function* conversation(hints: EndpointHints | null, now: number): Talk<Conclusion> {
  const ids = countIds();
  const remembered = isFresh(hints, now) ? hints : null;
  let order: readonly Era[] = remembered?.era === "legacy" ? ["legacy", "modern"] : ["modern", "legacy"];

  if (remembered?.era === "modern") {
    const found = modernFound(remembered.protocolVersion, null);
    const pages = yield* listTools(found.dress, ids);
    if (pages.broken === null || pages.pages.length > 0 || isHopeless(pages.broken)) return { found, pages };
    if (isUnreachable(pages.broken)) order = ["modern"];
  }

  const { found, heard } = yield* findEra(order, ids);
  if (found === null) {
    if (isWorthListening(heard)) yield { kind: "listen" };
    return { found, pages: null };
  }
  const pages = yield* listTools(found.dress, ids);
  // One node of a relay may not know the session that another opened: once more, with a fresh one.
  if (found.dress.sessionId !== null && pages.pages.length === 0 && pages.broken?.status === 404) {
    const again = yield* openLegacy(ids);
    if (again.found !== null) return { found: again.found, pages: yield* listTools(again.found.dress, ids) };
  }
  return { found, pages };
}

/** Looks for the era that a relay speaks, in the given order; `heard` is the last that each era gave. */
export function* findEra(
  order: readonly Era[],
  ids: Ids,
): Talk<{ readonly found: Found | null; readonly heard: readonly Exchanged[] }> {
  const heard: Exchanged[] = [];
  for (const era of order) {
    const opening = era === "modern" ? yield* openModern(ids) : yield* openLegacy(ids);
    heard.push(opening.last);
    if (opening.found !== null) return { found: opening.found, heard };
    if (isHopeless(opening.last)) break;
  }
  return { found: null, heard };
}

interface Opening {
  readonly found: Found | null;
  readonly last: Exchanged;
}

function* openModern(ids: Ids): Talk<Opening> {
  let reading: EraReading = { era: "again", version: MODERN_VERSION };
  let last: Exchanged;
  // The second round is for a relay that named its versions; a third would go round in circles.
  let rounds = 0;
  do {
    const { version } = reading;
    last = yield {
      kind: "ask",
      message: { method: "server/discover", id: ids(), params: {} },
      dress: { era: "modern", version, sessionId: null },
      maxBytes: MAX_HANDSHAKE_BYTES,
    };
    reading = readDiscover(last, version);
  } while (reading.era === "again" && ++rounds < 2);
  if (reading.era !== "modern") return { found: null, last };
  return { found: modernFound(reading.version, last.answer.kind === "result" ? last : null), last };
}

function* openLegacy(ids: Ids): Talk<Opening> {
  let offers: readonly string[] = LEGACY_VERSIONS.slice(0, 1);
  let corrected = false;
  let last: Exchanged;
  do {
    last = yield {
      kind: "ask",
      message: {
        method: "initialize",
        id: ids(),
        params: { protocolVersion: offers[0] ?? null, capabilities: {}, clientInfo: CLIENT_INFO },
      },
      dress: { era: "legacy", version: null, sessionId: null },
      maxBytes: MAX_HANDSHAKE_BYTES,
    };
    if (last.answer.kind === "result") {
      const found = legacyFound(last);
      yield {
        kind: "notify",
        message: { method: "notifications/initialized", id: null, params: {} },
        dress: found.dress,
      };
      return { found, last };
    }
    if (last.answer.kind !== "error") break;
    const reading = readModernError(last.answer.error, MODERN_VERSION);
    if (reading.era !== "unknown") return { found: modernFound(reading.version, null), last };
    offers = corrected ? offers.slice(1) : otherLegacyVersions(last.answer.error);
    corrected = true;
  } while (offers.length > 0);
  return { found: null, last };
}

/** Legacy without a session. Whatever the relay calls its revision is sent back to it, as long as a header can hold it. */
export function legacyDress(version: string): Dress {
  return { era: "legacy", version: /^[\w.-]{1,40}$/.test(version) ? version : null, sessionId: null };
}

export function modernFound(version: string, handshake: Exchanged | null): Found {
  return { dress: { era: "modern", version, sessionId: null }, version, handshake };
}

/** What an `initialize` settled; a relay that names no revision is taken at the newest that is offered. */
export function legacyFound(handshake: Exchanged): Found {
  const answered = handshake.answer.kind === "result" ? handshake.answer.result.protocolVersion : undefined;
  const version = typeof answered === "string" && answered !== "" ? answered : (LEGACY_VERSIONS[0] ?? "");
  const session = handshake.headers["mcp-session-id"];
  return {
    dress: {
      ...legacyDress(version),
      sessionId: session !== undefined && /^[\x21-\x7e]+$/.test(session) ? session : null,
    },
    version,
    handshake,
  };
}

function isFresh(hints: EndpointHints | null, now: number): hints is EndpointHints {
  return hints !== null && now - Date.parse(hints.judgedAt) < HINT_LIFETIME_MS;
}

/** Asking again, in whatever era, would give the same. */
function isHopeless({ answer }: Exchanged): boolean {
  return neverArrived(answer);
}

function isUnreachable({ answer }: Exchanged): boolean {
  return answer.kind === "failed" && answer.code === "unreachable";
}

/** Something answers over HTTP, it asked for no credential, and it does not speak Streamable HTTP over POST. */
function isWorthListening(heard: readonly Exchanged[]): boolean {
  return (
    heard.some(({ status, answer }) => status !== null && answer.kind !== "failed") &&
    !heard.some(
      ({ status, answer }) =>
        status === 401 || status === 403 || isExact(answer) || answer.kind === "stream-ended",
    )
  );
}
