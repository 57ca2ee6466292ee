/**
 * Forwards one call (wire.md "Forwarding a call"). The token goes to relay/ and nowhere else: not into an error, a log,
 * a metric or the store. A failing call changes nothing about the relay; what it taught of the protocol is remembered.
 */
import { type CallOutcome, callTool } from "../relay/index.ts";
import {
  type CallToolInput,
  type EndpointHints,
  isJsonObject,
  type JsonObject,
  type MetricLabels,
  OpenMcpError,
  RawJson,
} from "../spec/index.ts";
import type { CallRoute, Store } from "../store/index.ts";
import type { CatalogContext } from "./context.ts";
import { inCrowd } from "./fair-use.ts";
import { MAX_QUOTED_ERROR_CHARS } from "./limits.ts";
import { relayNotFound, toolNotFound } from "./not-found.ts";
import type { CallContext } from "./operation.ts";
import { placeOf } from "./watch/place-of.ts";

/** MCP 2026-07-28 "Error codes": the request's client capabilities lack one that the tool needs; `data` names it. */
const MISSING_CAPABILITY = -32021;

/** A relay's result, for doors to pass on. */
export interface ForwardedCall {
  readonly relay: string;
  readonly tool: string;
  /** As the relay wrote it. */
  readonly result: RawJson<JsonObject>;
  /** The same, parsed: for looking into it. What leaves the catalog is `result`, since parsing loses digits and double keys. */
  readonly parsed: JsonObject;
  /** Whether the listed tool declares an output schema; absent when the catalog does not know the tool. */
  readonly declaresOutput?: boolean;
}

/**
 * @throws OpenMcpError `not-found`, `invalid-input`, `relay-error`, `relay-refused`, `relay-unreachable`, `relay-timeout`, `blocked`,
 * `aborted`, `rate-limited`.
 */
export async function forwardCall(
  context: CatalogContext,
  input: CallToolInput,
  call: CallContext,
): Promise<ForwardedCall> {
  const { store } = context;
  const { relay: id, tool } = input;
  const route = await store.relays.route(id, tool);
  if (route === null) throw await relayNotFound(store, id);
  const { hints, definition } = route;
  if (definition === null) await mayBeThere(store, input);
  const outcome = await inCrowd(context, { relay: id, call }, () =>
    measured(context, { relay: id, ...(definition === null ? {} : { tool }) }, () =>
      place(context, route, { input, call }),
    ),
  );
  if (outcome.kind !== "result") throw callError(id, outcome);
  if (outcome.hints !== null && taughtMore(hints, outcome.hints)) await remember(context, id, outcome.hints);
  // doors/rest answers structured content bare where the tool declares it.
  const declares = definition === null ? {} : { declaresOutput: isJsonObject(definition.outputSchema) };
  return { relay: id, tool, result: new RawJson(outcome.text), parsed: outcome.result, ...declares };
}

function place(
  { exchange, clock, tracer }: CatalogContext,
  { url, hints, definition }: CallRoute,
  { input, call }: { readonly input: CallToolInput; readonly call: CallContext },
): Promise<CallOutcome> {
  const { tool, token } = input;
  return callTool(
    url,
    {
      tool,
      arguments: input.arguments ?? {},
      ...(token === undefined ? {} : { token }),
      ...(input.inputResponses === undefined ? {} : { inputResponses: input.inputResponses }),
      ...(input.requestState === undefined ? {} : { requestState: input.requestState }),
      ...(input.clientCapabilities === undefined ? {} : { capabilities: input.clientCapabilities }),
    },
    {
      exchange,
      signal: call.signal,
      hints,
      now: () => clock.now(),
      definition,
      // Without traces of our own, what the caller gave goes on as it came.
      trace: tracer.context() ?? call.trace ?? null,
      ...(call.onProgress === undefined ? {} : { onProgress: call.onProgress }),
      ...(call.log === undefined ? {} : { log: call.log }),
    },
  );
}

/**
 * The call as a span and in numbers. `tool` is a listed one: any other name is a caller's text. Attributes as OpenTelemetry's
 * conventions for MCP name them.
 */
function measured(
  { meter, tracer }: CatalogContext,
  { relay, tool }: { readonly relay: string; readonly tool?: string },
  work: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const attributes = {
    "mcp.method.name": "tools/call",
    "openmcp.relay": relay,
    ...(tool === undefined ? {} : { "gen_ai.tool.name": tool }),
  };
  return tracer.span("tools/call", { kind: "client", attributes }, async (span) => {
    const started = performance.now();
    let outcome: MetricLabels<"relay_calls_total">["outcome"] = "aborted";
    try {
      const reached = await work();
      outcome = reached.kind === "result" && reached.result.isError === true ? "tool-error" : reached.kind;
      return reached;
    } finally {
      meter.count("relay_calls_total", { outcome });
      meter.observe("relay_call_duration_seconds", (performance.now() - started) / 1_000, {});
      span.set({ "openmcp.outcome": outcome });
      if (outcome !== "result") span.fail(outcome);
    }
  });
}

/**
 * Rejects for a tool that a relay surely lacks. Where the list we hold is not its whole word - it was cut, is old, comes
 * from the descriptor, or a credential may open more than an anonymous look sees - the relay itself says.
 */
async function mayBeThere(store: Store, { relay: id, tool, token }: CallToolInput): Promise<void> {
  if (token !== undefined) return;
  const stored = await store.relays.get(id);
  if (stored === null) throw await relayNotFound(store, id);
  const { record } = stored;
  if (record.toolsFrom === "relay" && !record.probe.toolsTruncated) throw toolNotFound(record, tool);
}

/** The error of a call that reached no result. Total: a new kind of outcome does not compile without its error. */
export function callError(
  id: string,
  outcome: Exclude<CallOutcome, { readonly kind: "result" }>,
): OpenMcpError {
  switch (outcome.kind) {
    case "rpc-error": {
      const { code, message, data } = outcome.rpc;
      const rpc = data === undefined ? { code, message } : { code, message, data };
      const sentence =
        code === MISSING_CAPABILITY
          ? `${id} wants to ask its caller for something, and this call did not say that it can be asked: ${quoted(message)}`
          : `${id} answered error ${code}: ${quoted(message)}`;
      return new OpenMcpError("relay-error", sentence, { data: { rpc } });
    }
    case "refused":
      return new OpenMcpError("relay-refused", `${id}: ${outcome.message}`, {
        data: { relay: id, status: outcome.status, challenge: outcome.challenge },
      });
    case "unreachable":
      return new OpenMcpError("relay-unreachable", `${id}: ${outcome.message}`, { data: { relay: id } });
    case "timeout":
      return new OpenMcpError("relay-timeout", `${id}: ${outcome.message}`, { data: { relay: id } });
    case "blocked":
      return new OpenMcpError("blocked", `${id}: ${outcome.message}`, { data: { relay: id } });
  }
}

/** A relay's words inside a sentence of ours: cut, for they may be megabytes. `data.rpc` has them whole. */
function quoted(text: string): string {
  return text.length > MAX_QUOTED_ERROR_CHARS ? `${text.slice(0, MAX_QUOTED_ERROR_CHARS)}…` : text;
}

/** A date alone is nothing new. */
function taughtMore(known: EndpointHints | null, now: EndpointHints): boolean {
  return (
    known?.era !== now.era || known.protocolVersion !== now.protocolVersion || known.session !== now.session
  );
}

/** Beside the record, which stays as it is: no event, no word on `online`. A write that came first knows more. */
async function remember(
  { store, clock, logger }: CatalogContext,
  id: string,
  hints: EndpointHints,
): Promise<void> {
  try {
    const stored = await store.relays.get(id);
    if (stored === null) return;
    const place = await placeOf(stored.endpoint);
    await store.relays.save({ ...stored, hints, place, unchanged: true, events: [], now: clock.now() });
  } catch (error) {
    logger.warn({ relay: id, error: String(error) }, "hints of a call were not kept");
  }
}
