/**
 * A relay from its author's server: one `fetch` for any runtime, and a server over stdio. This file checks what was said and composes.
 * What HTTP needs is loaded with the first request or socket (web-relay.ts). What stdio needs is here from the beginning: over stdio an
 * application waits for the process to start, and each file that a bundler splits off is one more to find, read and link.
 */
import { rememberActing } from "./acting-as.ts";
import { createBuilder } from "./build-server.ts";
import { checkOptions } from "./check-options.ts";
import { consoleLogger } from "./console-logger.ts";
import { DRAIN_MS } from "./limits.ts";
import { listen } from "./node/listen.ts";
import { serveStdio } from "./node/serve-stdio.ts";
import { createNotify } from "./notify.ts";
import type { FetchOptions, Kit, Listening, ListenOptions, ServeOptions, ServerFactory } from "./options.ts";
import { createOwnWord, type OwnWord } from "./own-word.ts";
import { readPublicUrl } from "./public-url.ts";
import { endpointPath, pathsOf } from "./routes/paths.ts";
import { findRoute } from "./routes/route.ts";
import { createMemoryEventBus } from "./sessions/event-bus.ts";
import { stateOf } from "./sessions/session.ts";
import { systemClock } from "./system-clock.ts";
import type { WebRelay } from "./web-relay.ts";

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
  const { kit, check } = prepare(options);
  check();
  return kit;
}

export interface Prepared {
  readonly kit: Kit;
  /**
   * Looks whether what is published may be: before anything is, and never for stdio, which publishes nothing.
   * @throws OpenMcpError `invalid-input`; `data.field` names the member.
   */
  check(): void;
}

/**
 * The same, with the description not looked at yet.
 * @throws OpenMcpError as `serve`.
 */
export function prepare<User, State>(given: ServeOptions<User, State>): Prepared {
  const options = given as unknown as ServeOptions<unknown, unknown>;
  checkOptions(given as unknown as ServeOptions<never, never>);
  const { logger = consoleLogger, clock = systemClock } = options;
  const { publicUrl, base } = readPublicUrl(options.publicUrl);
  const path = endpointPath(options);
  const paths = pathsOf(given as unknown as ServeOptions<never, never>);
  const build = createBuilder({
    server: options.server as unknown as ServerFactory<never, never>,
    middleware: options.middleware ?? [],
    logger,
  });
  const bus = options.bus ?? createMemoryEventBus();
  const notify = createNotify(bus, { logger });
  const endpointUrl = `${base ?? "http://localhost"}${path}`;

  let word: OwnWord | null = null;
  function own(): OwnWord {
    word ??= createOwnWord(given as unknown as ServeOptions<never, never>, {
      endpointUrl,
      ask: async (request, asked) => (await load()).ask(request, asked),
    });
    return word;
  }

  let web: WebRelay | null = null;
  let loading: Promise<WebRelay> | null = null;
  function load(): Promise<WebRelay> {
    loading ??= (async () => {
      const { createWebRelay } = await import("./web-relay.ts");
      web = createWebRelay(options, {
        build,
        bus,
        notify,
        paths,
        path,
        own: own(),
        clock,
        logger,
        publicUrl,
        base,
      });
      return web;
    })();
    return loading;
  }
  const handle: WebRelay["handle"] = (request, more) =>
    web === null ? load().then((loaded) => loaded.handle(request, more)) : web.handle(request, more);

  const ready = async (): Promise<void> => {
    await own().documents(endpointUrl);
  };

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      // Loaded also when nobody asked yet: who asks from now on is told that it is stopping.
      await (web ?? (await load())).close();
      await notify.close();
      if (options.bus === undefined) await bus.close();
    })();
    return closing;
  };

  const kit: Kit = {
    fetch: (request, more) => handle(request, isFetchOptions(more) ? more : {}),
    serves: (pathname) => findRoute(pathname, { paths, prefix: null }) !== null,
    notify,
    ready,
    async listen(given: ListenOptions | number = {}): Promise<Listening> {
      await ready();
      const strip = base === null ? "" : new URL(base).pathname.replace(/\/$/, "");
      return listen(typeof given === "number" ? { port: given } : given, {
        fetch: (request, more) => handle(request, { ...more, strip }),
        path,
        drainMs: options.drainMs ?? DRAIN_MS,
        close,
        logger,
      });
    },
    async serveStdio(given = {}) {
      return serveStdio({ build, notify, logger, clock, initialState: stateOf(options.sessions) }, given);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  rememberActing(kit, {
    hasUsers: options.authenticate !== undefined,
    url: endpointUrl,
    as: (user) => async (request) => (await load()).handleAs(user, request),
  });
  return { kit, check: () => void own() };
}

function isFetchOptions(given: unknown): given is FetchOptions {
  return typeof given === "object" && given !== null && Object.hasOwn(given, "parsedBody");
}
