/**
 * The catalog's doors behind one fetch: which path belongs to which, and one gate for all. No route of its own.
 * The MCP door brings the SDK, a third of all code that is loaded: it comes in when it is first asked for, or by
 * `warm`, so that a start does not wait for it. The descriptor names that door's tools and comes with it.
 */
import type { CatalogContext } from "../catalog/index.ts";
import { adminDoor, adminPaths, type Vault } from "../doors/admin/index.ts";
import { eventsDoor, eventsPaths } from "../doors/events/index.ts";
import { explorerDoor, pagesDoor, refusalsForPeople, siteDoor } from "../doors/pages/index.ts";
import { passageDoor, passagePaths } from "../doors/passage/index.ts";
import { type RestDoorOptions, restDoor } from "../doors/rest/index.ts";
import { type ClientOf, createGate, type Door, mountDoors } from "../http/index.ts";
import { createGzip } from "./gzip.ts";
import { createSiteFiles } from "./site-files.ts";

export interface CatalogAppOptions {
  readonly context: CatalogContext;
  /** Null: nobody is admin. */
  readonly adminToken: string | null;
  readonly clientOf: ClientOf;
  readonly readiness: NonNullable<RestDoorOptions["readiness"]>;
  readonly metrics: Exclude<RestDoorOptions["metrics"], undefined>;
  readonly vault: Vault;
}

export interface CatalogApp {
  readonly fetch: Door;
  /** Loads what no one asked for yet. */
  warm(): Promise<void>;
  /** Ends the streams that have no end of their own, and takes no more of them. Idempotent. */
  endEvents(): Promise<void>;
  /** Ends streams and calls that are still open. Idempotent. */
  close(): Promise<void>;
}

interface LateDoors {
  readonly mcp: Door;
  readonly wellKnown: Door;
  close(): Promise<void>;
}

/** Paths with nothing on them to be read but by programs. */
const PROGRAMS = /^\/(?:v1|v0\.1|mcp|\.well-known|healthz|readyz|metrics)(?:\/|$)/;

export function createCatalogApp(options: CatalogAppOptions): CatalogApp {
  const { context, clientOf } = options;
  const gate = createGate({ url: context.identity.url });
  const rest = restDoor({ ...options, gate, besides: { ...passagePaths, ...eventsPaths, ...adminPaths } });
  const admin = adminDoor({ ...options, gate });
  const pages = pagesDoor({ context, gate, clientOf });
  const explorer = explorerDoor({ url: context.identity.url, gate, gzip: createGzip() });
  const site = siteDoor({
    files: createSiteFiles(),
    url: context.identity.url,
    gate,
    name: context.identity.name,
  });
  const events = eventsDoor({ context, gate, clientOf });
  const passage = passageDoor({ context, gate, clientOf });
  let late: Promise<LateDoors> | null = null;
  let loaded: LateDoors | null = null;

  async function load(): Promise<LateDoors> {
    const [{ mcpDoor }, { wellKnownDoor }] = await Promise.all([
      import("../doors/mcp/index.ts"),
      import("../doors/well-known/index.ts"),
    ]);
    const mcp = mcpDoor({ context, gate, clientOf });
    const wellKnown = wellKnownDoor({ context, tools: mcp.tools, gate });
    loaded = { mcp: mcp.fetch, wellKnown: (request) => wellKnown.fetch(request), close: () => mcp.close() };
    return loaded;
  }

  function lateDoors(): Promise<LateDoors> {
    late ??= load();
    return late;
  }

  const doors = mountDoors({
    doors: [
      named("/v1/events", events.fetch),
      ["/v1/admin", (request) => admin.fetch(request)],
      ["/v1", (request, env) => (passage.serves(request.url) ? passage : rest).fetch(request, env ?? {})],
      ["/v0.1", (request, env) => rest.fetch(request, env ?? {})],
      named("/mcp/server-card", async (request) => (loaded ?? (await lateDoors())).wellKnown(request)),
      named("/mcp", async (request, env) => (loaded ?? (await lateDoors())).mcp(request, env)),
      named("/.well-known", async (request) => (loaded ?? (await lateDoors())).wellKnown(request)),
      named("/explorer", explorer),
      named("/docs", site),
      named("/llms.txt", site),
      named("/assets", site),
      named("/healthz", (request) => rest.fetch(request)),
      named("/readyz", (request) => rest.fetch(request)),
      named("/metrics", (request) => rest.fetch(request)),
    ],
    otherwise: (request, env) => pages.fetch(request, env ?? {}),
  });
  const fetch = refusalsForPeople(doors, {
    identity: context.identity,
    programs: (pathname) => PROGRAMS.test(pathname),
    passed: (url) => passage.serves(url),
  });

  /** A door with one route, as far as logs and metrics go; the others note their routes themselves. */
  function named(route: string, door: Door): readonly [string, Door] {
    return [
      route,
      (request, env) => {
        context.logger.note?.({ route });
        return door(request, env);
      },
    ];
  }
  return {
    fetch,
    async warm() {
      await lateDoors();
    },
    async endEvents() {
      passage.endListening();
      await events.close();
    },
    async close() {
      await Promise.all([events.close(), passage.close()]);
      if (late !== null) await (await late).close();
    },
  };
}
