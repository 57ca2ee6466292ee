/**
 * Follows a catalog's stream of events (`GET /v1/events`), and comes back to it as often as it is lost, from the place
 * where it was. What can't pass, such as a place that is no longer kept, ends it.
 */
import {
  type ChangesFilter,
  createEventStreamParser,
  type ErrorCode,
  isOpenMcpError,
  OpenMcpError,
  type RelayChange,
} from "../spec/index.ts";
import { notACatalogs } from "./answers.ts";
import { readChange } from "./change-answers.ts";
import { MAX_EVENT_BYTES, RETURN_FIRST_MS, RETURN_MOST_MS, STREAM_IDLE_MS } from "./limits.ts";
import type { OpenRest } from "./rest-request.ts";
import type { ClientSettings } from "./settings.ts";
import { catalogUnreachable } from "./unreachable.ts";
import { untilAborted } from "./until-aborted.ts";

export interface WatchInput extends ChangesFilter {
  /** The `seq` of the last change that is known; absent: from now on. */
  readonly since?: number;
}

export interface WatchOptions {
  readonly signal?: AbortSignal;
  /** Told when it is connected, first and again; `since`: the place, where it is known. */
  readonly onOpen?: (since: number | null) => void;
  /** Told when the connection was lost: why, and in how many milliseconds it is tried again. */
  readonly onLost?: (why: OpenMcpError, retryMs: number) => void;
}

/** What may be otherwise the next time. */
const PASSING: readonly ErrorCode[] = [
  "catalog-unreachable",
  "unavailable",
  "rate-limited",
  "timeout",
  "internal",
];

export async function* followEvents(
  open: OpenRest,
  options: WatchInput & WatchOptions & { readonly client: ClientSettings },
): AsyncGenerator<RelayChange, void> {
  const { client, onOpen, onLost } = options;
  const ends = [client.signal, ...(options.signal === undefined ? [] : [options.signal])];
  const place: Place = { since: options.since ?? null, retryMs: RETURN_FIRST_MS };
  let opened = false;
  let failures = 0;
  for (;;) {
    const connection = new AbortController();
    const signal = AbortSignal.any([...ends, connection.signal]);
    let lost: OpenMcpError;
    try {
      const body = await openStream(open, { ...options, place, signal, connection });
      opened = true;
      onOpen?.(place.since);
      for await (const change of readStream(body, { place, connection, signal })) {
        failures = 0;
        yield change;
      }
      lost = new OpenMcpError("catalog-unreachable", "The catalog ended the stream.");
    } catch (error) {
      if (ends.some((end) => end.aborted)) {
        throw new OpenMcpError("aborted", "Following the catalog was ended.", { cause: error });
      }
      lost = isOpenMcpError(error)
        ? error
        : catalogUnreachable(client.base, connection.signal.reason ?? error);
      if (!opened || !PASSING.includes(lost.code)) throw lost;
    } finally {
      connection.abort();
    }
    const pause = pauseAfter(lost, { failures, retryMs: place.retryMs });
    failures += 1;
    onLost?.(lost, pause);
    await sleep(pause, AbortSignal.any(ends));
  }
}

/** The filter as query parameters. */
export function filterQuery({ relays, events }: ChangesFilter): Record<string, string | undefined> {
  return { relays: relays?.join(","), events: events?.join(",") };
}

interface Place {
  /** What has been told; null: the catalog has not said where it is. */
  since: number | null;
  retryMs: number;
}

async function openStream(
  open: OpenRest,
  options: WatchInput & {
    readonly place: Place;
    readonly signal: AbortSignal;
    readonly connection: AbortController;
  },
): Promise<ReadableStream<Uint8Array>> {
  const { place, signal, connection } = options;
  const idle = idleTimer(connection);
  try {
    const { body } = await open(
      {
        path: "/events",
        query: { since: place.since ?? undefined, ...filterQuery(options) },
        type: "text/event-stream",
        headers: place.since === null ? {} : { "last-event-id": String(place.since) },
      },
      signal,
    );
    if (body === null) throw notACatalogs("the stream of events is empty");
    return body;
  } finally {
    idle.stop();
  }
}

/** Changes as they come; ends when the stream does. The place moves on when a change was taken, not when it came. */
async function* readStream(
  body: ReadableStream<Uint8Array>,
  { place, connection, signal }: { place: Place; connection: AbortController; signal: AbortSignal },
): AsyncGenerator<RelayChange, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let ready: ({ readonly change: RelayChange } | { readonly seq: number })[] = [];
  let bytes = 0;
  const parser = createEventStreamParser(
    ({ data }) => {
      bytes = 0;
      const change = readChange(parse(data));
      if (change !== null) ready.push({ change });
    },
    {
      onId: (id) => {
        if (/^\d{1,15}$/.test(id)) ready.push({ seq: Number(id) });
      },
      onRetry: (ms) => {
        place.retryMs = Math.min(RETURN_MOST_MS, ms);
      },
    },
  );
  try {
    for (;;) {
      const idle = idleTimer(connection);
      // A body that was made by hand need not know of the signal.
      const { done, value } = await untilAborted(reader.read(), signal).finally(() => idle.stop());
      if (done) return;
      bytes += value.byteLength;
      if (bytes > MAX_EVENT_BYTES)
        throw new OpenMcpError("too-large", "An event of the catalog is too large.");
      parser.push(decoder.decode(value, { stream: true }));
      for (const item of ready) {
        if ("seq" in item) place.since = item.seq;
        else yield item.change;
      }
      ready = [];
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notACatalogs("an event is not JSON");
  }
}

function idleTimer(connection: AbortController): { stop(): void } {
  const timer = setTimeout(
    () => connection.abort(new OpenMcpError("timeout", "Nothing came from the catalog for a while.")),
    STREAM_IDLE_MS,
  );
  return { stop: () => clearTimeout(timer) };
}

/** Doubled with each failure in a row, a little by chance, so that not all come back at once. */
function pauseAfter(
  lost: OpenMcpError,
  { failures, retryMs }: { readonly failures: number; readonly retryMs: number },
): number {
  const stated = lost.data.retryAfterSeconds;
  if (typeof stated === "number") return Math.min(10 * RETURN_MOST_MS, stated * 1_000);
  const pause = Math.min(RETURN_MOST_MS, retryMs * 2 ** failures);
  return Math.round(pause * (0.75 + Math.random() / 2));
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(new OpenMcpError("aborted", "Following the catalog was ended.", { cause: signal.reason }));
    };
    if (signal.aborted) {
      onAbort();
      return;
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
