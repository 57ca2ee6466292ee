/**
 * The catalog's own discovery documents (OpenMCP 0.1 "The catalog"; discovery.md's table): descriptor, AI Catalog, MCP Catalog, and its
 * Server Card at both of its places, served as "Serving" rules: any origin may read them, Host is checked and Origin is not, a plain
 * GET works whatever `Accept` says. Every URL in them comes from the configured public URL, never from a request.
 * The server mounts it at /.well-known and /mcp/server-card.
 */
import { Hono } from "hono";
import {
  type CallContext,
  type CatalogContext,
  operations,
  type Run,
  requestIdOf,
  runOperation,
} from "../../catalog/index.ts";
import {
  createFailures,
  createGate,
  type Gate,
  type ParameterKind,
  type PublishedDocument,
  publishedReply,
  readQuery,
  withoutRead,
} from "../../http/index.ts";
import {
  AI_CATALOG_PATH,
  AI_CATALOG_TYPE,
  DESCRIPTOR_PATH,
  DRAFT_CARD_PATH,
  MCP_CATALOG_PATH,
  OpenMcpError,
  SERVER_CARD_TYPE,
} from "../../spec/index.ts";
import { createDescriptor } from "./catalog-descriptor.ts";

export interface WellKnownDoorOptions {
  readonly context: CatalogContext;
  /** The names of the tools at the catalog's own MCP endpoint. */
  readonly tools: readonly string[];
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
}

type Publish = (request: Request) => Promise<PublishedDocument>;

/** Where the card of the catalog's own endpoint lies (SEP-2127). */
const OWN_CARD_PATH = "/mcp/server-card";

/** The drafts serve both catalogs and descriptors as plain JSON. */
const JSON_TYPE = "application/json";
const PAGE: ReadonlyMap<string, ParameterKind> = new Map([["page", "count"]]);

/** What is told here is read at once: nobody goes away meanwhile, and the adapter need not make each request a signal. */
const call: CallContext = { signal: new AbortController().signal, admin: false };

/** A Hono app; `app.fetch` is the door. */
export function wellKnownDoor({ context, tools, gate: given }: WellKnownDoorOptions): Hono {
  const gate = given ?? createGate({ url: context.identity.url });
  const failed = createFailures({
    logger: context.logger,
    newId: requestIdOf(context),
    message: "a well-known request failed",
  });
  const app = new Hono();
  const descriptor = createDescriptor(context, tools);

  // Each handler checks the host itself: as a handler before the others it would cost every answer a chain of promises.
  for (const [path, publish] of Object.entries(documents())) {
    app.all(path, async (c) => {
      const request = c.req.raw;
      gate.checkHost(request);
      return withoutRead(request) ?? publishedReply(request, await publish(request));
    });
  }
  app.notFound((c) => {
    gate.checkHost(c.req.raw);
    throw new OpenMcpError(
      "not-found",
      `nothing is published here; the catalog's descriptor is at ${DESCRIPTOR_PATH}`,
    );
  });
  app.onError((error) => failed(error));
  return app;

  function documents(): Readonly<Record<string, Publish>> {
    return {
      [DESCRIPTOR_PATH]: async () => ({ mediaType: JSON_TYPE, ...(await descriptor(call)) }),
      [AI_CATALOG_PATH]: async (request) => {
        const { body } = await runOperation(operations.aiCatalog, pageAsked(request));
        return { mediaType: AI_CATALOG_TYPE, body };
      },
      [MCP_CATALOG_PATH]: async (request) => {
        const { document, next } = await runOperation(operations.mcpCatalog, pageAsked(request));
        const link = next === null ? {} : { headers: { link: `<${next}>; rel="next"` } };
        return { mediaType: JSON_TYPE, body: document.body, ...link };
      },
      [DRAFT_CARD_PATH]: ownCard,
      [OWN_CARD_PATH]: ownCard,
    };
  }

  function pageAsked(request: Request): Run {
    return { context, input: readQuery(request.url, PAGE), call };
  }

  async function ownCard(): Promise<PublishedDocument> {
    const card = await runOperation(operations.catalogCard, { context, input: {}, call });
    return { mediaType: SERVER_CARD_TYPE, body: JSON.stringify(card) };
  }
}
