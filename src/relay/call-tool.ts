/**
 * Forwarding one tool call (wire.md, "Forwarding a call"): one round trip to a modern relay or a legacy one without sessions, a
 * session of its own otherwise. What was remembered of the relay and proves wrong is corrected, as long as the call cannot have
 * run. The result comes back whole and raw; nothing about the call is kept.
 */
import {
  type EndpointHints,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  OpenMcpError,
} from "../spec/index.ts";
import { type CallLine, openCallLine } from "./call-line.ts";
import { createListener } from "./call-messages.ts";
import { correctionFor, outcomeOf, type Route } from "./call-outcome.ts";
import { findEra, legacyDress, modernFound } from "./conversation.ts";
import { MAX_CALL_BYTES, MAX_CORRECTIONS } from "./limits.ts";
import { parameterHeaders } from "./parameter-headers.ts";
import type { Asker, Era } from "./protocol.ts";
import { openSessions } from "./sessions.ts";
import type { Exchanged, Step } from "./step.ts";
import { listTools, toolsOf } from "./tool-pages.ts";
import type { CallOptions, CallOutcome, ToolCall } from "./types.ts";

/**
 * Calls `call.tool` of the relay at `endpoint`.
 * @throws OpenMcpError `aborted` when the caller's signal does, after telling a legacy relay; `invalid-input` for a token that
 * no header can hold, and for the second round of a call at a relay that has no such thing. Every other failure is an outcome.
 * @example
 * const outcome = await callTool("https://relay.example/mcp", { tool: "add", arguments: { a: 1, b: 2 } }, { exchange, hints: null, now: Date.now });
 * if (outcome.kind === "result") console.log(outcome.result);
 */
export async function callTool(endpoint: string, call: ToolCall, options: CallOptions): Promise<CallOutcome> {
  using line = openCallLine(endpoint, call.token, options);
  try {
    return await place(line, call, options);
  } finally {
    for (const { dress } of openSessions(line.exchanges)) line.post({ kind: "end-session", dress });
  }
}

async function place(line: CallLine, call: ToolCall, options: CallOptions): Promise<CallOutcome> {
  let definition = options.definition ?? null;
  // A second round says more than the memory: whoever asked for it speaks the modern era.
  const hints = options.hints?.era === "legacy" && isSecondRound(call) ? null : options.hints;
  let route = remembered(hints);
  let order: readonly Era[] = hints?.era === "legacy" ? ["legacy", "modern"] : ["modern", "legacy"];
  let renewed = false;
  let turnedAway: Exchanged | null = null;
  for (let corrections = 0; ; corrections++) {
    if (route === null) {
      const { found, heard } = await line.talk(findEra(order, line.ids));
      if (found === null)
        return outcomeOf(turnedAway ?? mostTelling(heard), { hints: null, token: call.token });
      route = { found, fresh: true, renewed };
    }
    const exchanged = await send(line, route, { call, definition, options });
    const outcome = outcomeOf(exchanged, { hints: changedHints(route, options), token: call.token });
    const correction = corrections < MAX_CORRECTIONS ? correctionFor(exchanged, route) : null;
    if (correction === null) return outcome;
    turnedAway = exchanged;
    if (correction.kind === "learn-tool") {
      const learnt = await learn(line, route, call.tool);
      if (learnt === null || sameHeaders(learnt, definition, call)) return outcome;
      definition = learnt;
    } else if (correction.kind === "speak") {
      route = { found: modernFound(correction.version, null), fresh: true, renewed: false };
    } else {
      order = correction.order;
      renewed = route.fresh;
      route = null;
    }
  }
}

/** The route that needs no question; null where the era or a session is to be asked for. */
function remembered(hints: EndpointHints | null): Route | null {
  if (hints === null || (hints.era === "legacy" && hints.session)) return null;
  const { protocolVersion: version } = hints;
  const found =
    hints.era === "modern"
      ? modernFound(version, null)
      : { dress: legacyDress(version), version, handshake: null };
  return { found, fresh: false, renewed: false };
}

/** What to remember after this route worked; null when it was remembered so. */
function changedHints({ found }: Route, { hints, now }: CallOptions): EndpointHints | null {
  const { era, sessionId } = found.dress;
  const session = sessionId !== null;
  if (hints?.era === era && hints.protocolVersion === found.version && hints.session === session) return null;
  return { era, protocolVersion: found.version, session, judgedAt: new Date(now()).toISOString() };
}

interface Sending {
  readonly call: ToolCall;
  readonly definition: JsonObject | null;
  readonly options: CallOptions;
}

async function send(
  line: CallLine,
  route: Route,
  { call, definition, options }: Sending,
): Promise<Exchanged> {
  const { dress } = route.found;
  refuseSecondRound(dress.era, call);
  const id = line.ids();
  const step: Step = {
    kind: "ask",
    message: {
      method: "tools/call",
      id,
      params: paramsOf(call, id, options.trace),
      asker: askerOf(call, options),
    },
    dress,
    maxBytes: MAX_CALL_BYTES,
    ...(dress.era === "modern" && definition !== null
      ? { headers: parameterHeaders(definition, call.arguments) }
      : {}),
  };
  let answered = false;
  try {
    const exchanged = await line.send(step, createListener(line, step, options));
    answered = exchanged.answer.kind !== "failed" || exchanged.answer.code !== "timeout";
    return exchanged;
  } finally {
    // The modern era hears the connection close; the legacy one is told (revision 2025-11-25, "Cancellation").
    if (!answered && dress.era === "legacy") {
      line.post({
        kind: "notify",
        message: {
          method: "notifications/cancelled",
          id: null,
          params: { requestId: id, reason: "given up" },
        },
        dress,
      });
    }
  }
}

/** What the tool gets; the second round of a call carries on where the first one stopped. */
function paramsOf(
  { tool, arguments: args, inputResponses, requestState }: ToolCall,
  id: number,
  trace: CallOptions["trace"],
): JsonObject {
  return {
    name: tool,
    arguments: args,
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
    // A token for progress goes along even when nobody listens: what comes for it is a sign of life.
    _meta: { progressToken: id, ...trace },
  };
}

function askerOf({ capabilities }: ToolCall, { log }: CallOptions): Asker {
  return {
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(log === undefined ? {} : { logLevel: log.level }),
  };
}

function isSecondRound({ inputResponses, requestState }: ToolCall): boolean {
  return inputResponses !== undefined || requestState !== undefined;
}

/** A legacy relay knows no second round: it would take the answers for nothing and run the tool from the start. */
function refuseSecondRound(era: Era, call: ToolCall): void {
  if (era === "modern" || !isSecondRound(call)) return;
  const field = call.requestState === undefined ? "inputResponses" : "requestState";
  throw new OpenMcpError(
    "invalid-input",
    `The relay speaks a protocol revision without a second round: call the tool afresh, without "${field}".`,
    { data: { field } },
  );
}

/** The tool's definition as the relay lists it now. */
async function learn(line: CallLine, route: Route, tool: string): Promise<JsonObject | null> {
  const { pages } = await line.talk(listTools(route.found.dress, line.ids));
  const named = (item: JsonValue): item is JsonObject => isJsonObject(item) && item.name === tool;
  return pages.flatMap((page) => toolsOf(page) ?? []).find(named) ?? null;
}

function sameHeaders(learnt: JsonObject, known: JsonObject | null, { arguments: args }: ToolCall): boolean {
  const before = known === null ? {} : parameterHeaders(known, args);
  return JSON.stringify(parameterHeaders(learnt, args)) === JSON.stringify(before);
}

/** Of what both eras gave: a refusal, since it says how to get in; else the last. */
function mostTelling(heard: readonly Exchanged[]): Exchanged {
  const refusal = heard.findLast(({ status }) => status === 401 || status === 403);
  return (refusal ?? heard.at(-1)) as Exchanged;
}
