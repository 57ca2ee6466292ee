/**
 * The catalog's changes as Server-Sent Events (wire.md, `GET /v1/events`): the same events as `GET /v1/changes`, `id:` is
 * `seq`, resumed from `Last-Event-ID`, or from `since` where a reader can't send a header. Without either: what is new from
 * now on. The server mounts it at /v1/events, and closes it first at a stop: streams have no end of their own.
 */
import {
  type CatalogContext,
  createChangeFeed,
  operations,
  readInput,
  requestIdOf,
} from "../../catalog/index.ts";
import {
  type ClientOf,
  createFailures,
  createGate,
  cutConnection,
  type Door,
  type Gate,
  methodNotAllowed,
  optionsReply,
  type ParameterKind,
  readCors,
  readQuery,
} from "../../http/index.ts";
import { type ChangesInput, OpenMcpError } from "../../spec/index.ts";
import { createEventStream, type EventStream } from "./event-stream.ts";
import { FULL_RETRY_SECONDS, MAX_STREAMS, MAX_STREAMS_OF_CLIENT } from "./limits.ts";

export interface EventsDoorOptions {
  readonly context: CatalogContext;
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
  /** Default: nobody's streams are counted. */
  readonly clientOf?: ClientOf;
  /** Default `MAX_STREAMS`. */
  readonly maxStreams?: number;
}

export interface EventsDoor extends AsyncDisposable {
  /** Of `env`, what the adapter hands on, only the connection is used, to cut it (`outgoing.destroy`). */
  readonly fetch: Door;
  /** Streams open now. */
  readonly streams: number;
  /** Ends every stream and takes no more. Idempotent. */
  close(): Promise<void>;
}

const EVENTS_PATH = "/v1/events";

const READS = ["GET", "HEAD"];
const PARAMETERS: ReadonlyMap<string, ParameterKind> = new Map([
  ["since", "count"],
  ["relays", "list"],
  ["events", "list"],
]);
const HEADERS = {
  ...readCors,
  "content-type": "text/event-stream; charset=utf-8",
  // Nothing between may keep it, compress it or wait for more of it.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
} as const;

export function eventsDoor(options: EventsDoorOptions): EventsDoor {
  const { context, clientOf, maxStreams = MAX_STREAMS } = options;
  const gate = options.gate ?? createGate({ url: context.identity.url });
  const { logger } = context;
  const failed = createFailures({
    logger,
    newId: requestIdOf(context),
    message: "a request for events failed",
  });
  const feed = createChangeFeed(context);
  /** With whose they are; null: nobody's. */
  const open = new Map<EventStream, string | null>();
  let closed = false;

  async function answer(request: Request, env: unknown): Promise<Response> {
    context.logger.note?.({ route: EVENTS_PATH });
    gate.checkHost(request);
    if (request.method === "OPTIONS") return optionsReply(READS);
    if (!READS.includes(request.method)) throw methodNotAllowed(request.method.slice(0, 20), READS);
    const { since, limit: _limit, ...filter } = readInput(operations.changes, asked(request));
    if (since !== undefined) await feed.check(since);
    const place = since ?? (await feed.latest());
    if (request.method === "HEAD") return new Response(null, { headers: HEADERS });
    if (closed || open.size >= maxStreams) throw noRoom(closed);
    const client = clientOf?.(request, env) ?? null;
    if (client !== null && streamsOf(client) >= MAX_STREAMS_OF_CLIENT) {
      context.meter.count("rate_limited_total", { budget: "streams-of-client" });
      throw tooMany();
    }
    const stream = createEventStream({
      feed,
      clock: context.clock,
      since: place,
      filter,
      cut: () => cutConnection(env),
      onEnd(how, error) {
        open.delete(stream);
        if (how === "failed") context.logger.error({ err: error }, "a stream of events failed");
        else context.logger.debug({ how }, "a stream of events ended");
      },
    });
    open.set(stream, client);
    return new Response(stream.body, { headers: HEADERS });
  }

  function streamsOf(client: string): number {
    let count = 0;
    for (const owner of open.values()) if (owner === client) count += 1;
    return count;
  }

  async function close(): Promise<void> {
    closed = true;
    for (const stream of open.keys()) stream.close();
    feed.close();
  }

  return {
    async fetch(request, env) {
      try {
        return await answer(request, env);
      } catch (error) {
        return failed(error);
      }
    },
    get streams() {
      return open.size;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The header wins: a reader that comes back repeats the URL that it came with first. */
function asked(request: Request): ChangesInput {
  const input = readQuery(request.url, PARAMETERS);
  const last = request.headers.get("last-event-id")?.trim();
  if (last === undefined || last === "") return input;
  if (/^\d{1,15}$/.test(last)) return { ...input, since: Number(last) };
  throw new OpenMcpError("invalid-input", "Last-Event-ID must be the id of one of these events", {
    data: { field: "Last-Event-ID" },
  });
}

function tooMany(): OpenMcpError {
  return new OpenMcpError(
    "rate-limited",
    `your address has ${MAX_STREAMS_OF_CLIENT} streams open: end one, or ask GET /v1/changes`,
    { data: { retryAfterSeconds: FULL_RETRY_SECONDS } },
  );
}

function noRoom(closed: boolean): OpenMcpError {
  const why = closed ? "the catalog is stopping" : "as many follow this catalog as it can serve";
  return new OpenMcpError("unavailable", `${why}; come back later, or ask GET /v1/changes`, {
    data: { retryAfterSeconds: FULL_RETRY_SECONDS },
  });
}
