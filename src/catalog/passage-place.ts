/**
 * The places of requests that are passed through: a stream may be held open for a quarter of an hour, so there are so many in all, of one
 * client, to one origin, and with a large message in memory. A place is left when its answer has ended, however it did. What is counted
 * is this process's.
 */
import { type MetricLabels, OpenMcpError } from "../spec/index.ts";
import type { CatalogContext } from "./context.ts";
import {
  LARGE_MESSAGE_CHARS,
  MAX_LARGE_PASSAGES,
  MAX_PASSAGES,
  MAX_PASSAGES_OF_CLIENT,
  MAX_PASSAGES_OF_ORIGIN,
  NO_PLACE_RETRY_SECONDS,
} from "./limits.ts";
import type { CallContext } from "./operation.ts";
import { shared } from "./shared.ts";

export interface PassagePlace {
  /**
   * Takes one under `key` too.
   * @throws OpenMcpError of `bound` when as many are taken as there may be.
   */
  among(key: string, bound: Bound): void;
  /** Idempotent. */
  leave(): void;
}

interface Bound {
  readonly most: number;
  readonly budget: MetricLabels<"rate_limited_total">["budget"];
  readonly full: () => OpenMcpError;
}

/**
 * A place in all and, where someone is counted, of the client.
 * @throws OpenMcpError `unavailable` without one in all, `rate-limited` without one of the client's.
 */
export function takePlace(context: CatalogContext, { client = null }: CallContext): PassagePlace {
  const place = placeIn(context);
  place.among("all", { most: MAX_PASSAGES, budget: "passages", full: noRoom });
  if (context.budgets === undefined || client === null) return place;
  try {
    place.among(`client ${client}`, {
      most: MAX_PASSAGES_OF_CLIENT,
      budget: "passages-of-client",
      full: () => tooMany(`your address has ${MAX_PASSAGES_OF_CLIENT} requests passed through at once`),
    });
    return place;
  } catch (error) {
    place.leave();
    throw error;
  }
}

/**
 * A message stays in memory for as long as its answer takes, which may be a stream: not every place has room for a large one.
 * @throws OpenMcpError `unavailable`.
 */
export function takeRoom(place: PassagePlace, message: string): void {
  if (message.length <= LARGE_MESSAGE_CHARS) return;
  place.among("large", { most: MAX_LARGE_PASSAGES, budget: "passages", full: noRoom });
}

/**
 * An origin has so many connections, and those who look at it and call it need some.
 * @throws OpenMcpError `rate-limited`.
 */
export function takeOfOrigin(
  place: PassagePlace,
  { url, relay }: { readonly url: string; readonly relay: string },
): void {
  place.among(`origin ${new URL(url).origin}`, {
    most: MAX_PASSAGES_OF_ORIGIN,
    budget: "passages-of-origin",
    full: () => tooMany(`${MAX_PASSAGES_OF_ORIGIN} requests are passed through to where ${relay} is`),
  });
}

function noRoom(): OpenMcpError {
  return new OpenMcpError(
    "unavailable",
    "as much is passed through this catalog as it can: come back later",
    {
      data: { retryAfterSeconds: NO_PLACE_RETRY_SECONDS },
    },
  );
}

function tooMany(what: string): OpenMcpError {
  return new OpenMcpError("rate-limited", `${what}: end one, or try again in ${NO_PLACE_RETRY_SECONDS} s`, {
    data: { retryAfterSeconds: NO_PLACE_RETRY_SECONDS },
  });
}

function placeIn({ store, meter }: CatalogContext): PassagePlace {
  const { passages } = shared(store);
  const left = Promise.withResolvers<void>();
  return {
    among(key, { most, budget, full }) {
      if (passages.size(key) >= most) {
        meter.count("rate_limited_total", { budget });
        throw full();
      }
      void passages.run([key], () => left.promise);
    },
    leave: () => left.resolve(),
  };
}
