/**
 * A relay over HTTP: the endpoint of both eras, and what a relay publishes around it. It is loaded with the first request or socket:
 * a server over stdio starts without it. What the author said was checked before (serve.ts).
 */
import { oauthMetadataResponse } from "@modelcontextprotocol/server";
import {
  createFailures,
  explorerReply,
  problemReply,
  problems,
  publicError,
  rpcError,
  SERVER_ERROR,
  withoutRead,
} from "../http/index.ts";
import { type Clock, type Logger, OpenMcpError } from "../spec/index.ts";
import type { Builder } from "./build-server.ts";
import { createEndpoint } from "./endpoint.ts";
import { ENDPOINT_METHODS, INTERNAL_ERROR, readableBy } from "./json-rpc.ts";
import { createKnock } from "./knock.ts";
import {
  DRAIN_MS,
  MAX_MESSAGE_BYTES,
  MAX_SESSIONS,
  MAX_SESSIONS_OF_USER,
  MAX_SHARED_SESSIONS,
  SESSION_TTL_MS,
} from "./limits.ts";
import type { OwnedNotify } from "./notify.ts";
import type { FetchOptions, ServeOptions, SessionOptions } from "./options.ts";
import type { OwnWord } from "./own-word.ts";
import type { PublicUrl } from "./public-url.ts";
import { createOpenApiRoute } from "./routes/openapi-route.ts";
import type { ServeModern } from "./routes/read-tools.ts";
import { findRoute, type Part, type Paths, type Route } from "./routes/route.ts";
import { documentOf, documentReply, healthReply, isDocument } from "./routes/site.ts";
import type { EventBus } from "./sessions/event-bus.ts";
import { createLegacySessions } from "./sessions/legacy-sessions.ts";
import { createMemorySessionStore } from "./sessions/memory-session-store.ts";
import { stateOf } from "./sessions/session.ts";
import { newInstanceName } from "./sessions/wire-id.ts";
import { idOfUser, noUser } from "./users.ts";
import type { Viewer } from "./visibility.ts";

/** What serve.ts has already. */
export interface WebRelayParts extends PublicUrl {
  readonly build: Builder;
  readonly bus: EventBus;
  readonly notify: OwnedNotify;
  readonly paths: Paths;
  /** The endpoint's. */
  readonly path: string;
  readonly own: OwnWord;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface WebRelay {
  /** `strip`: the only prefix that may stand before a path, where the relay has a socket of its own; absent: any. */
  handle(request: Request, given?: FetchOptions & { readonly strip?: string }): Promise<Response>;
  /** The same for `user`, of whom `authenticate` is not asked. */
  handleAs(user: unknown, request: Request): Promise<Response>;
  /** A request of our own in the modern era, whose scope is set. */
  readonly ask: ServeModern;
  /** Takes no more requests, waits for those under way, ends sessions and streams. Idempotent. */
  close(): Promise<void>;
}

interface KnownCaller {
  readonly viewer: Viewer<unknown>;
  /** Null where there are no users. */
  readonly id: string | null;
}

export function createWebRelay(
  options: Omit<ServeOptions<unknown, unknown>, "logger" | "clock" | "path" | "publicUrl">,
  parts: WebRelayParts,
): WebRelay {
  const { authenticate, oauth, userId } = options;
  const { build, bus, notify, paths, path, own, clock, logger, publicUrl, base } = parts;
  const knock = createKnock({
    publicUrl,
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
  });
  const sessions = options.sessions === false ? null : sessionsOf(options.sessions ?? {});
  const endpoint = createEndpoint({
    build,
    sessions,
    maxBodyBytes: options.maxBodyBytes ?? MAX_MESSAGE_BYTES,
    keepAliveMs: options.keepAliveMs,
    logger,
  });
  notify.also((event) => {
    endpoint.tell(event);
    sessions?.tell(event);
  });
  const failed = createFailures({
    logger,
    newId: () => crypto.randomUUID(),
    message: "a relay's document failed",
  });
  const openapi =
    options.openapi === false
      ? null
      : createOpenApiRoute({
          options: options.openapi ?? {},
          serve: endpoint.ask,
          personal: authenticate !== undefined,
        });
  let stopping = false;
  /** Requests from inside, and whose they are. */
  const acting = new WeakMap<Request, unknown>();

  /** The mount's URL as callers see it. The Host was checked, and only names of ours pass. */
  function mountUrl(request: Request, { prefix }: Route): string {
    if (base === null) return `${new URL(request.url).origin}${prefix}`;
    return new URL(base).pathname === "/" ? `${base}${prefix}` : base;
  }

  /** Whose request it is, or the answer in its place. Nobody passes for somebody: neither here nor in what shows tools. */
  async function callerOf(request: Request): Promise<KnownCaller | Response> {
    if (authenticate === undefined) return { viewer: { user: acting.get(request) }, id: null };
    const user = acting.has(request) ? acting.get(request) : await authenticate(request);
    if (user instanceof Response) return user;
    const id = idOfUser(user, userId);
    return id === null ? noUser() : { viewer: { user }, id };
  }

  async function serveEndpoint(request: Request, given: FetchOptions): Promise<Response> {
    try {
      knock.origin(request);
    } catch (error) {
      // To a page of a foreign origin it stays unreadable.
      return rpcRefusal(error);
    }
    return readableBy(request, await answer());

    async function answer(): Promise<Response> {
      if (request.method === "OPTIONS")
        return new Response(null, { status: 204, headers: { allow: ENDPOINT_METHODS } });
      if (stopping) {
        const message = "this server is stopping; try again in a while";
        return rpcError(503, { code: SERVER_ERROR, message, headers: { "retry-after": "5" } });
      }
      const caller = await callerOf(request);
      if (caller instanceof Response) return caller;
      const { viewer, id } = caller;
      const response = await endpoint.serve({ request, viewer, userId: id, parsedBody: given.parsedBody });
      // Whether a connection stays open is between the socket and its peer.
      if (response.headers.has("connection")) response.headers.delete("connection");
      return response;
    }
  }

  async function serveOpenApi(request: Request, route: Route): Promise<Response> {
    if (openapi === null) return notFound();
    const other = withoutRead(request);
    if (other !== null) return other;
    const caller = await callerOf(request);
    const refused = caller instanceof Response;
    if (refused && (options.openapi === false || options.openapi?.anonymous !== "public-subset"))
      return caller;
    const viewer: Viewer<unknown> = refused ? "anonymous" : caller.viewer;
    const { name, title, version } = await own.facts();
    const mount = new URL(mountUrl(request, route));
    const info = { title: title ?? name, version };
    return openapi(request, { viewer, info, endpoint: `${mount.pathname.replace(/\/$/, "")}${path}` });
  }

  async function serveExplorer(request: Request, route: Route): Promise<Response> {
    const { name, title } = await own.facts();
    const { pathname } = new URL(request.url);
    const place = paths.get("explorer") as string;
    // Relative to the page: whatever stands before the mount stays.
    const root = "../".repeat(place.split("/").length - 1);
    const document = paths.get("openapi");
    return explorerReply(request, {
      path: pathname.slice(route.prefix.length + place.length),
      settings: {
        endpoint: `${root}${path.slice(1)}`,
        shown: `${mountUrl(request, route)}${path}`,
        command: null,
        title: title ?? name,
        openapi: document === undefined ? null : `${root}${document.slice(1)}`,
        catalog: null,
      },
    });
  }

  async function servePart(request: Request, route: Route): Promise<Response> {
    const { part } = route;
    if (isDocument(part)) {
      const documents = await own.documents(`${mountUrl(request, route)}${path}`);
      return documentReply(request, () => documentOf(part, documents) as never);
    }
    const others: Partial<Record<Part, () => Response | Promise<Response>>> = {
      openapi: () => serveOpenApi(request, route),
      explorer: () => serveExplorer(request, route),
      health: () => healthReply(request, stopping),
      oauth: () => (oauth === undefined ? undefined : oauthMetadataResponse(request, oauth)) ?? notFound(),
      root: () => new Response(null, { status: 302, headers: { location: `${paths.get("explorer")}` } }),
    };
    return (await others[part]?.()) ?? notFound();
  }

  async function handle(
    request: Request,
    given: FetchOptions & { readonly strip?: string } = {},
  ): Promise<Response> {
    let route: Route | null = null;
    try {
      // First: a URL under a name that is none can't be read either.
      knock.host(request);
      const { pathname } = new URL(request.url);
      // A proxy may take the public prefix off, or leave it.
      const prefix =
        given.strip === undefined ? null : pathname.startsWith(`${given.strip}/`) ? given.strip : "";
      route = findRoute(pathname, { paths, prefix });
      if (route === null) return notFound();
      if (route.part === "endpoint") return await serveEndpoint(request, given);
      return await servePart(request, route);
    } catch (error) {
      if (route?.part !== "endpoint") return failed(error, { request });
      return rpcRefusal(error);
    }
  }

  function rpcRefusal(error: unknown): Response {
    const told = publicError(error);
    if (told.requestId !== undefined) {
      logger.error({ err: error, requestId: told.requestId }, "an MCP request failed");
      return rpcError(500, { code: INTERNAL_ERROR, message: "Internal server error" });
    }
    return rpcError(problems[told.code].status, { code: SERVER_ERROR, message: told.message });
  }

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      stopping = true;
      const settled = Promise.all([endpoint.settled(), sessions?.settled()]);
      const timer = new AbortController();
      await Promise.race([settled, clock.sleep(options.drainMs ?? DRAIN_MS, timer.signal).catch(() => {})]);
      timer.abort();
      await Promise.all([endpoint.close(), sessions?.close()]);
    })();
    return closing;
  };

  return {
    handle,
    handleAs(user, request) {
      acting.set(request, user);
      return handle(request);
    },
    ask: endpoint.ask,
    close,
  };

  function sessionsOf(given: SessionOptions<unknown>) {
    return createLegacySessions({
      store: given.store ?? createMemorySessionStore(),
      shared: given.store === undefined ? null : { bus, instance: newInstanceName() },
      clock,
      newId: options.newId ?? (() => crypto.randomUUID()),
      limits: {
        ttlMs: given.ttlMs ?? SESSION_TTL_MS,
        max: given.max ?? MAX_SESSIONS,
        maxShared: given.maxShared ?? MAX_SHARED_SESSIONS,
        maxOfUser: given.maxOfUser ?? MAX_SESSIONS_OF_USER,
      },
      logger,
      initialState: stateOf(given),
      build: (scope) => build(scope, "legacy"),
      keepAliveMs: options.keepAliveMs,
      eventStore: given.eventStore,
      jsonResponses: given.jsonResponses ?? false,
    });
  }
}

function notFound(): Response {
  return problemReply(publicError(new OpenMcpError("not-found", "there is nothing here")));
}
