/**
 * A relay from its author's server: one `fetch` for any runtime, with the endpoint of both eras and what a relay publishes around
 * it. This file composes; each part says in its own file what it does. It opens no socket: node/ does, and is loaded when asked.
 */
import { oauthMetadataResponse } from "@modelcontextprotocol/server";
import { createFailures, explorerReply, problemReply, publicError, withoutRead } from "../http/index.ts";
import { type Clock, type JsonValue, OpenMcpError, silentLogger } from "../spec/index.ts";
import { rememberActing } from "./acting-as.ts";
import { createBuilder } from "./build-server.ts";
import { createEndpoint } from "./endpoint.ts";
import { ENDPOINT_METHODS, readableBy, rpcError, SERVER_ERROR } from "./json-rpc.ts";
import { createKnock } from "./knock.ts";
import {
  DRAIN_MS,
  MAX_MESSAGE_BYTES,
  MAX_SESSIONS,
  MAX_SESSIONS_OF_USER,
  MAX_SHARED_SESSIONS,
  SESSION_TTL_MS,
} from "./limits.ts";
import { createNotify } from "./notify.ts";
import type {
  FetchOptions,
  Kit,
  Listening,
  ListenOptions,
  ServeOptions,
  ServerFactory,
  SessionOptions,
} from "./options.ts";
import { createOwnWord } from "./own-word.ts";
import { readPublicUrl } from "./public-url.ts";
import { createOpenApiRoute } from "./routes/openapi-route.ts";
import { findRoute, type Part, type Route } from "./routes/route.ts";
import { documentOf, documentReply, endpointPath, healthReply, isDocument, pathsOf } from "./routes/site.ts";
import { createMemoryEventBus } from "./sessions/event-bus.ts";
import { createLegacySessions } from "./sessions/legacy-sessions.ts";
import { createMemorySessionStore } from "./sessions/memory-session-store.ts";
import { newInstanceName } from "./sessions/wire-id.ts";
import { systemClock } from "./system-clock.ts";
import { defaultUserId } from "./users.ts";
import type { Viewer } from "./visibility.ts";

/**
 * Serves what `server` makes.
 * @throws OpenMcpError `invalid-input` for options that can't be meant; `data.field` names the one.
 * @example
 * ```ts
 * import { McpServer } from "@modelcontextprotocol/server";
 * import { serve } from "openmcp/kit";
 *
 * const kit = serve({
 *   server: () => {
 *     const mcp = new McpServer({ name: "greet", version: "1.0.0" });
 *     mcp.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "Hello!" }] }));
 *     return mcp;
 *   },
 * });
 * await kit.listen({ port: 8080 });
 * ```
 */
export function serve<User = undefined, State = null>(options: ServeOptions<User, State>): Kit {
  const { logger = silentLogger, clock = systemClock, authenticate, oauth } = options;
  const { publicUrl, base } = readPublicUrl(options.publicUrl);
  const userIdOf = (options.userId ?? defaultUserId) as (user: unknown) => string;
  const knock = createKnock({
    publicUrl,
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
  });
  const build = createBuilder({
    server: options.server as unknown as ServerFactory<never, never>,
    middleware: (options.middleware ?? []) as never,
  });
  const bus = options.bus ?? createMemoryEventBus();
  const sessions =
    options.sessions === false ? null : sessionsOf(options.sessions ?? {}, { clock, ...options });
  const endpoint = createEndpoint({
    build,
    sessions,
    maxBodyBytes: options.maxBodyBytes ?? MAX_MESSAGE_BYTES,
    keepAliveMs: options.keepAliveMs,
    logger,
  });
  const notify = createNotify(bus, {
    tell: (event) => {
      endpoint.tell(event);
      sessions?.tell(event);
    },
    logger,
  });
  const paths = pathsOf(options as unknown as ServeOptions<never, never>);
  const path = endpointPath(options);
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

  const own = createOwnWord(options as unknown as ServeOptions<never, never>, {
    endpointUrl: `${base ?? "http://localhost"}${path}`,
    ask: endpoint.ask,
  });
  const ready = async (): Promise<void> => {
    await own.documents(`${base ?? "http://localhost"}${path}`);
  };

  // Requests

  /** The mount's URL as callers see it. The Host was checked, and only names of ours pass. */
  function mountUrl(request: Request, { prefix }: Route): string {
    if (base === null) return `${new URL(request.url).origin}${prefix}`;
    return new URL(base).pathname === "/" ? `${base}${prefix}` : base;
  }

  async function viewerOf(request: Request): Promise<Viewer<unknown> | Response> {
    if (acting.has(request)) return { user: acting.get(request) };
    if (authenticate === undefined) return { user: undefined };
    const user = await authenticate(request);
    return user instanceof Response ? user : { user };
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
      const viewer = await viewerOf(request);
      if (viewer instanceof Response) return viewer;
      const userId = authenticate === undefined || viewer === "anonymous" ? null : userIdOf(viewer.user);
      const response = await endpoint.serve({ request, viewer, userId, parsedBody: given.parsedBody });
      // Whether a connection stays open is between the socket and its peer.
      if (response.headers.has("connection")) response.headers.delete("connection");
      return response;
    }
  }

  async function serveOpenApi(request: Request, route: Route): Promise<Response> {
    if (openapi === null) return notFound();
    const other = withoutRead(request);
    if (other !== null) return other;
    let viewer = await viewerOf(request);
    if (viewer instanceof Response) {
      if (options.openapi === false || options.openapi?.anonymous !== "public-subset") return viewer;
      viewer = "anonymous";
    }
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
    given: FetchOptions & { readonly prefix?: string | null },
  ): Promise<Response> {
    const route = findRoute(new URL(request.url).pathname, { paths, prefix: given.prefix ?? null });
    try {
      knock.host(request);
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
    if (told.requestId !== undefined)
      logger.error({ err: error, requestId: told.requestId }, "an MCP request failed");
    const status = problemReply(told).status;
    return rpcError(status, { code: SERVER_ERROR, message: told.message });
  }

  // Its end

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      stopping = true;
      const settled = Promise.all([endpoint.settled(), sessions?.settled()]);
      const timer = new AbortController();
      await Promise.race([settled, clock.sleep(options.drainMs ?? DRAIN_MS, timer.signal).catch(() => {})]);
      timer.abort();
      await Promise.all([endpoint.close(), sessions?.close(), notify.close()]);
      if (options.bus === undefined) await bus.close();
    })();
    return closing;
  };

  const fetch = (request: Request, given?: unknown): Promise<Response> =>
    handle(request, isFetchOptions(given) ? given : {});

  const kit: Kit = {
    fetch,
    serves: (pathname) => findRoute(pathname, { paths, prefix: null }) !== null,
    notify,
    ready,
    async listen(given: ListenOptions | number = {}): Promise<Listening> {
      await ready();
      const { listen } = await import("./node/listen.ts");
      const prefix = base === null ? "" : new URL(base).pathname.replace(/\/$/, "");
      return listen(typeof given === "number" ? { port: given } : given, {
        fetch: (request, more) => {
          // A proxy may take the public prefix off, or leave it.
          const own = prefix !== "" && new URL(request.url).pathname.startsWith(`${prefix}/`) ? prefix : "";
          return handle(request, { ...more, prefix: own });
        },
        path,
        drainMs: options.drainMs ?? DRAIN_MS,
        close,
        logger,
      });
    },
    async serveStdio(given = {}) {
      const { serveStdio } = await import("./node/serve-stdio.ts");
      return serveStdio(
        { build, notify, logger, clock, initialState: stateOf(options.sessions as never) },
        given,
      );
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  const as = (user: unknown) => (request: Request) => {
    acting.set(request, user);
    return handle(request, {});
  };
  const host = base === null ? "http://localhost" : base;
  rememberActing(kit, { hasUsers: authenticate !== undefined, url: `${host}${path}`, as });
  return kit;

  function sessionsOf(given: SessionOptions<State>, { clock }: { readonly clock: Clock }) {
    if (given.store !== undefined && options.bus === undefined) {
      throw new OpenMcpError(
        "invalid-input",
        "a store of sessions that instances share needs the bus by which they tell each other: give the option bus too",
        { data: { field: "bus" } },
      );
    }
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
      initialState: stateOf(given as never),
      build: (scope) => build(scope, "legacy"),
      keepAliveMs: options.keepAliveMs,
      eventStore: given.eventStore,
      jsonResponses: given.jsonResponses ?? false,
    });
  }
}

function stateOf(options: SessionOptions<never> | false | undefined): () => JsonValue {
  return () => (options === false || options?.state === undefined ? null : (options.state() as JsonValue));
}

function isFetchOptions(given: unknown): given is FetchOptions {
  return typeof given === "object" && given !== null && Object.hasOwn(given, "parsedBody");
}

function notFound(): Response {
  return problemReply(publicError(new OpenMcpError("not-found", "there is nothing here")));
}
