/**
 * The catalog's HTTP socket: one fetch function behind node:http, with its limits, request ids, and a stop that drains;
 * for each request a line in the log, its numbers and, when traces are on, its span. Knows no route: doors note it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { problemReply, publicError } from "../http/index.ts";
import { type Meter, type MetricLabels, metrics, OpenMcpError } from "../spec/index.ts";
import {
  DRAIN_MS,
  HEADERS_TIMEOUT_MS,
  KEEP_ALIVE_MS,
  MAX_CONNECTIONS,
  MAX_HEADER_BYTES,
  MAX_REQUEST_ID_LENGTH,
  REQUEST_TIMEOUT_MS,
  TIMEOUT_CHECK_MS,
} from "./limits.ts";
import type { CatalogLog, RequestScope } from "./log.ts";
import { refuseBytes, refuseTunnel, targetRefused } from "./not-a-request.ts";
import type { RequestSpan, Tracing } from "./tracing/tracing.ts";

export interface ListenOptions {
  readonly host: string;
  /** 0: one the system picks. */
  readonly port: number;
  readonly log: CatalogLog;
  readonly meter: Meter;
  /** Null: off. */
  readonly tracing: Tracing | null;
  /** Milliseconds that requests under way have to end; default `DRAIN_MS`. */
  readonly drainMs?: number;
}

export interface Listener extends AsyncDisposable {
  /** `http://address:port` as bound. */
  readonly origin: string;
  /** Answers from now on; requests that came earlier waited. */
  serve(fetch: (request: Request, env?: unknown) => Response | Promise<Response>): void;
  /**
   * Lifts the limit on the time that a request's body may take, for all requests, while `work` lasts: a large file is
   * coming in from someone with the admin credential.
   */
  withLongBodies<T>(work: () => Promise<T>): Promise<T>;
  /** Takes no more connections, waits for what is under way, cuts it after the drain time. Idempotent. */
  close(): Promise<void>;
}

/**
 * Binds the socket.
 * @throws OpenMcpError `unavailable` when the address can't be bound: in use, not allowed, not of this machine.
 */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { log, meter, tracing } = options;
  const ready = Promise.withResolvers<ReturnType<typeof getRequestListener>>();
  let answer: ReturnType<typeof getRequestListener> | null = null;
  const underWay = new Set<ServerResponse>();
  let draining = false;
  const nextRequestId = createRequestIds();

  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      // A request without Host is refused below, with the reason: Node's own refusal is empty.
      requireHostHeader: false,
    },
    take,
  );

  function take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const requestId = callersId(incoming) ?? nextRequestId();
    const started = performance.now();
    outgoing.setHeader("x-request-id", requestId);
    if (draining) outgoing.shouldKeepAlive = false;
    underWay.add(outgoing);
    log.inRequest(requestId, (scope) => {
      const span = tracing?.request(incoming.headers) ?? null;
      outgoing.once("close", () => {
        underWay.delete(outgoing);
        tell({ log, meter, span }, scope, { incoming, outgoing, started });
        // A connection whose answer had begun before the stop could not be told to close.
        if (draining) setImmediate(() => server.closeIdleConnections());
      });
      const serve = (): void => {
        if (answer !== null) void answer(incoming, outgoing);
        else void ready.promise.then((handler) => handler(incoming, outgoing));
      };
      if (span === null) serve();
      else span.run(serve);
    });
  }

  // Whoever expects what nobody knows is answered all the same (RFC 9110 section 10.1.1: 417 is a MAY).
  server.on("checkExpectation", take);
  server.on("connect", (_incoming, socket) => refuseTunnel(socket));
  server.on("clientError", (error, socket) => {
    const begun = [...underWay].some((outgoing) => outgoing.socket === socket && outgoing.headersSent);
    if (begun || !socket.writable) socket.destroy();
    else refuseBytes(socket, error);
  });
  server.maxConnections = MAX_CONNECTIONS;

  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(bindError(error, options)));
    server.listen(options.port, options.host, resolve);
  });
  server.on("error", (error) => log.error({ err: error.message }, "the listening socket failed"));
  const bound = server.address() as AddressInfo;
  const host = bound.family === "IPv6" ? `[${bound.address}]` : bound.address;

  let longBodies = 0;
  async function withLongBodies<T>(work: () => Promise<T>): Promise<T> {
    longBodies += 1;
    server.requestTimeout = 0;
    try {
      return await work();
    } finally {
      longBodies -= 1;
      if (longBodies === 0) server.requestTimeout = REQUEST_TIMEOUT_MS;
    }
  }

  /** The adapter could not make a request of it; or a door threw, which doors don't. */
  function unread(error: unknown): Response {
    if (error instanceof Error && error.name === "RequestError") return targetRefused();
    const told = publicError(error);
    log.error({ err: error, requestId: told.requestId }, "a door threw");
    return problemReply(told);
  }

  let closing: Promise<void> | null = null;
  function close(): Promise<void> {
    closing ??= new Promise<void>((resolve) => {
      draining = true;
      for (const outgoing of underWay) outgoing.shouldKeepAlive = false;
      const cut = setTimeout(() => server.closeAllConnections(), options.drainMs ?? DRAIN_MS);
      server.close(() => {
        clearTimeout(cut);
        resolve();
      });
      server.closeIdleConnections();
    });
    return closing;
  }

  return {
    origin: `http://${host}:${bound.port}`,
    serve(fetch) {
      answer = getRequestListener(
        (request, env) =>
          // HTTP/1.0 has no Host, and was sent to the address.
          env.incoming.headers.host === undefined && env.incoming.httpVersionMinor > 0
            ? targetRefused()
            : fetch(request, env),
        { hostname: host, errorHandler: unread },
      );
      ready.resolve(answer);
    },
    withLongBodies,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Short ids, unique across restarts: a random prefix of this process and a counter. */
function createRequestIds(): () => string {
  const prefix = crypto.randomUUID().slice(0, 8);
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

/** The caller's own id, when it is plain enough to be repeated in a header and a log. */
function callersId(incoming: IncomingMessage): string | null {
  const given = incoming.headers["x-request-id"];
  if (typeof given !== "string" || given.length > MAX_REQUEST_ID_LENGTH) return null;
  return /^[\w.:-]+$/.test(given) ? given : null;
}

interface Ended {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly started: number;
}

/** Reads that went well are for `debug`; what changed something or failed is for everyone. */
function tell(
  to: { readonly log: CatalogLog; readonly meter: Meter; readonly span: RequestSpan | null },
  scope: RequestScope,
  { incoming, outgoing, started }: Ended,
): void {
  const { statusCode: status, writableFinished } = outgoing;
  const method = methodOf(incoming);
  const route = scope.route ?? "unmatched";
  const ms = performance.now() - started;
  const read = method === "GET" || method === "HEAD" || method === "OPTIONS";
  const level = status >= 500 ? "error" : read && status < 400 ? "debug" : "info";
  const gone = writableFinished ? {} : { callerLeft: true };
  to.log[level]({ ...scope, method, route, status, ms: Math.round(ms * 10) / 10, ...gone }, "request");
  to.meter.count("http_requests_total", {
    method,
    route,
    status: writableFinished ? String(status) : "gone",
  });
  // A stream lasts as long as its reader likes.
  if (!(read && String(outgoing.getHeader("content-type")).startsWith("text/event-stream"))) {
    to.meter.observe("http_request_duration_seconds", ms / 1_000, { route });
  }
  to.span?.end({ method, route, status, requestId: scope.requestId, ...gone });
}

function methodOf({ method }: IncomingMessage): MetricLabels<"http_requests_total">["method"] {
  return metrics.http_requests_total.labels.method.find((known) => known === method) ?? "other";
}

function bindError(error: NodeJS.ErrnoException, options: ListenOptions): OpenMcpError {
  const where = `${options.host} port ${options.port}`;
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: `${where} is in use: stop what listens there, or give another with --port`,
    EACCES: `${where} is not allowed to this user: give a port above 1023 with --port`,
    EADDRNOTAVAIL: `${options.host} is not an address of this machine: give one that is with --host`,
    ENOTFOUND: `${options.host} has no address: give an address with --host`,
  };
  const message = known[error.code ?? ""] ?? `${where} can't be bound: ${error.message}`;
  return new OpenMcpError("unavailable", message, {
    data: { part: "listener", reason: error.code ?? "unknown" },
    cause: error,
  });
}
