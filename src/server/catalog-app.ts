/** The catalog's doors behind one fetch: which path belongs to which, and one gate for all. No route of its own. */
import type { CatalogContext } from "../catalog/index.ts";
import { mcpDoor } from "../doors/mcp/index.ts";
import { pagesDoor } from "../doors/pages/index.ts";
import { restDoor } from "../doors/rest/index.ts";
import { wellKnownDoor } from "../doors/well-known/index.ts";
import { createGate, type Door, mountDoors } from "../http/index.ts";

export interface CatalogAppOptions {
  readonly context: CatalogContext;
  /** Null: nobody is admin. */
  readonly adminToken: string | null;
}

export interface CatalogApp {
  readonly fetch: Door;
  /** Ends streams and calls that are still open. Idempotent. */
  close(): Promise<void>;
}

export function createCatalogApp({ context, adminToken }: CatalogAppOptions): CatalogApp {
  const gate = createGate({ url: context.identity.url });
  const rest = restDoor({ context, adminToken, gate });
  const mcp = mcpDoor({ context, gate });
  const wellKnown = wellKnownDoor({ context, tools: mcp.tools, gate });
  const pages = pagesDoor({ context, gate });
  const fetch = mountDoors({
    doors: [
      ["/v1", (request) => rest.fetch(request)],
      ["/mcp", (request) => mcp.fetch(request)],
      ["/.well-known", (request) => wellKnown.fetch(request)],
      ["/healthz", (request) => rest.fetch(request)],
      ["/readyz", (request) => rest.fetch(request)],
    ],
    otherwise: (request) => pages.fetch(request),
  });
  return { fetch, close: () => mcp.close() };
}
