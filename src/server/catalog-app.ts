/**
 * The catalog's doors behind one fetch: which path belongs to which, and one gate for all. No route of its own.
 * The MCP door brings the SDK, a third of all code that is loaded: it comes in when it is first asked for, or by
 * `warm`, so that a start does not wait for it. The descriptor names that door's tools and comes with it.
 */
import type { CatalogContext } from "../catalog/index.ts";
import { pagesDoor } from "../doors/pages/index.ts";
import { restDoor } from "../doors/rest/index.ts";
import { createGate, type Door, mountDoors } from "../http/index.ts";

export interface CatalogAppOptions {
  readonly context: CatalogContext;
  /** Null: nobody is admin. */
  readonly adminToken: string | null;
}

export interface CatalogApp {
  readonly fetch: Door;
  /** Loads what no one asked for yet. */
  warm(): Promise<void>;
  /** Ends streams and calls that are still open. Idempotent. */
  close(): Promise<void>;
}

interface LateDoors {
  readonly mcp: Door;
  readonly wellKnown: Door;
  close(): Promise<void>;
}

export function createCatalogApp({ context, adminToken }: CatalogAppOptions): CatalogApp {
  const gate = createGate({ url: context.identity.url });
  const rest = restDoor({ context, adminToken, gate });
  const pages = pagesDoor({ context, gate });
  let late: Promise<LateDoors> | null = null;
  let loaded: LateDoors | null = null;

  async function load(): Promise<LateDoors> {
    const [{ mcpDoor }, { wellKnownDoor }] = await Promise.all([
      import("../doors/mcp/index.ts"),
      import("../doors/well-known/index.ts"),
    ]);
    const mcp = mcpDoor({ context, gate });
    const wellKnown = wellKnownDoor({ context, tools: mcp.tools, gate });
    loaded = { mcp: mcp.fetch, wellKnown: (request) => wellKnown.fetch(request), close: () => mcp.close() };
    return loaded;
  }

  function lateDoors(): Promise<LateDoors> {
    late ??= load();
    return late;
  }

  const fetch = mountDoors({
    doors: [
      ["/v1", (request) => rest.fetch(request)],
      ["/mcp", async (request) => (loaded ?? (await lateDoors())).mcp(request)],
      ["/.well-known", async (request) => (loaded ?? (await lateDoors())).wellKnown(request)],
      ["/healthz", (request) => rest.fetch(request)],
      ["/readyz", (request) => rest.fetch(request)],
    ],
    otherwise: (request) => pages.fetch(request),
  });
  return {
    fetch,
    async warm() {
      await lateDoors();
    },
    async close() {
      if (late !== null) await (await late).close();
    },
  };
}
