/**
 * Passes one HTTP request of an MCP client on to a listed relay, and its answer back as it comes
 * (docs/decisions/whole-relays-through-the-catalog.md). Here is what it costs: a place among few (passage-place.ts), the budget of a call. What may go on
 * and for how long is relay/'s. Nothing is learnt of the relay by it: its record stays as it is, `online` too.
 */
import { headersUp, type Passed, type PassedMethod, type PassedStatus, passThrough } from "../relay/index.ts";
import { isOpenMcpError, type MetricLabels, OpenMcpError } from "../spec/index.ts";
import type { CatalogContext } from "./context.ts";
import { payFor } from "./fair-use.ts";
import { callError } from "./forward-call.ts";
import { relayNotFound } from "./not-found.ts";
import type { CallContext, OperationBudget } from "./operation.ts";
import { type PassagePlace, takeOfOrigin, takePlace, takeRoom } from "./passage-place.ts";

export interface PassageInput {
  readonly relay: string;
  readonly method: PassedMethod;
  /** The caller's, lower-case names; those that MCP names go on. */
  readonly headers: Iterable<readonly [string, string]>;
  /** The message, as it was written. */
  readonly body?: string;
  /** How many messages that is: the older era may send several as one. Default 1. */
  readonly messages?: number;
  /** The caller's credential for the relay. */
  readonly token?: string;
}

/** The answer; it holds a place until its body ends, fails, or is cancelled. */
export type Passage = (Passed | (PassedStatus & Pick<Passed, "cancel">)) & { readonly relay: string };

/** Each message may be a call, however many come together. */
const BUDGET: OperationBudget<PassageInput> = { name: "call", cost: ({ messages = 1 }) => messages };

/**
 * `read` reads the request, once there is a place for it: what is in memory is bounded by the places.
 * @throws OpenMcpError what `read` says; `invalid-input`, `not-found`, `rate-limited`, `unavailable`, `relay-unreachable`, `relay-timeout`,
 * `blocked`, `aborted`.
 */
export async function openPassage(
  context: CatalogContext,
  read: () => Promise<PassageInput>,
  call: CallContext,
): Promise<Passage> {
  const place = takePlace(context, call);
  try {
    const input = await read();
    const headers = passedBy(headersUp(input.method, input.headers), context);
    takeRoom(place, input.body ?? "");
    await payFor(BUDGET, { context, input, call });
    // Of no tool: only where the relay is.
    const route = await context.store.relays.route(input.relay, "");
    if (route === null) throw await relayNotFound(context.store, input.relay);
    context.logger.note?.({ relay: input.relay });
    takeOfOrigin(place, { url: route.url, relay: input.relay });
    const passed = await pass(context, route.url, { input: { ...input, headers }, signal: call.signal });
    return held(passed, { relay: input.relay, place });
  } catch (error) {
    place.leave();
    throw error;
  }
}

/**
 * Adds this catalog to those that it came through (RFC 8586). A relay may well be another catalog's passage, and not one that leads
 * back here: one request would then take every place.
 */
function passedBy(
  headers: Readonly<Record<string, string>>,
  { identity }: CatalogContext,
): Readonly<Record<string, string>> {
  const { host } = new URL(identity.url);
  const before = headers["cdn-loop"]?.split(",").map((one) => one.split(";", 1)[0]?.trim()) ?? [];
  if (before.includes(host)) {
    throw new OpenMcpError(
      "blocked",
      "the request came through this catalog already: it goes round in circles",
    );
  }
  return { ...headers, "cdn-loop": [...before, host].join(", ") };
}

/** In numbers and as a span; a method is no caller's text, and nothing else of the request is told. */
async function pass(
  { exchange, meter, tracer }: CatalogContext,
  url: string,
  {
    input,
    signal,
  }: {
    readonly input: Omit<PassageInput, "headers"> & { readonly headers: Readonly<Record<string, string>> };
    readonly signal: AbortSignal;
  },
): Promise<Passed | PassedStatus> {
  const { relay, method, headers, body, token } = input;
  const attributes = { "http.request.method": method, "openmcp.relay": relay };
  return tracer.span("pass", { kind: "client", attributes }, async (span) => {
    let outcome: MetricLabels<"relay_passages_total">["outcome"] = "aborted";
    try {
      const came = await passThrough(
        url,
        {
          method,
          headers,
          ...(body === undefined ? {} : { body }),
          ...(token === undefined ? {} : { token }),
        },
        { exchange, signal },
      );
      if (came.kind === "passed" || came.kind === "status") {
        outcome = "answered";
        return came;
      }
      outcome = came.kind;
      throw callError(relay, came);
    } finally {
      meter.count("relay_passages_total", { method, outcome });
      if (outcome !== "answered") span.fail(outcome);
    }
  });
}

function held(
  passed: Passed | PassedStatus,
  { relay, place }: { readonly relay: string; readonly place: PassagePlace },
): Passage {
  if (passed.kind === "status" || passed.body === null) {
    place.leave();
    return { cancel: () => undefined, ...passed, relay };
  }
  const cancel = (): void => {
    passed.cancel();
    place.leave();
  };
  return { ...passed, relay, body: leaving(relay, passed.body, place), cancel };
}

/** The body, and then the place is another's. A failure in it is told as one of the relay. */
async function* leaving(
  relay: string,
  body: AsyncIterable<Uint8Array>,
  place: PassagePlace,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (error) {
    throw isOpenMcpError(error, "aborted")
      ? error
      : new OpenMcpError("relay-unreachable", `the answer of ${relay} broke off`, { cause: error });
  } finally {
    place.leave();
  }
}
