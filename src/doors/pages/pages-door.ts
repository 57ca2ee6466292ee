/**
 * What is at `/`: a directory for browsers, the same facts as JSON for everyone else, and the 404 of every path that no
 * other door has. Works without script; a strict policy allows nothing but the page's own style. The server mounts it last.
 */
import { Hono } from "hono";
import { type CatalogContext, operations, requestIdOf, runOperation } from "../../catalog/index.ts";
import {
  createGate,
  type Gate,
  methodNotAllowed,
  optionsReply,
  problemReply,
  problems,
  publicError,
  readReply,
} from "../../http/index.ts";
import {
  AI_CATALOG_PATH,
  AI_CATALOG_RELATION,
  AI_CATALOG_TYPE,
  OpenMcpError,
  parseRaw,
  type RelaySummary,
} from "../../spec/index.ts";
import { errorPage, indexPage } from "./index-page.ts";
import { CONTENT_SECURITY_POLICY } from "./style.ts";

export interface PagesDoorOptions {
  readonly context: CatalogContext;
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
}

const READS = ["GET", "HEAD"];
const HTML_TYPE = "text/html; charset=utf-8";
const PAGE_HEADERS = {
  vary: "Accept",
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "referrer-policy": "no-referrer",
} as const;
const RELAYS_ON_A_PAGE = 50;
const TOOLS_ON_A_PAGE = 20;

/** A Hono app; `app.fetch` is the door. */
export function pagesDoor({ context, gate: given }: PagesDoorOptions): Hono {
  const gate = given ?? createGate({ url: context.identity.url });
  const aiCatalogUrl = `${context.identity.url}${AI_CATALOG_PATH}`;
  const link = `<${aiCatalogUrl}>; rel="${AI_CATALOG_RELATION}"; type="${AI_CATALOG_TYPE}"`;
  const app = new Hono();

  app.use(async (c, next) => {
    if (c.req.path === "/") context.logger.note?.({ route: "/" });
    gate.checkHost(c.req.raw);
    await next();
  });
  app.get("/", async (c) => (wantsHtml(c.req.raw) ? directory(c.req.raw) : facts(c.req.raw)));
  app.options("/", () => optionsReply(READS));
  app.all("/", (c) => {
    throw methodNotAllowed(c.req.method.slice(0, 20), READS);
  });
  app.notFound(() => {
    throw new OpenMcpError("not-found", "there is nothing at this path; / says what this catalog has");
  });
  app.onError(async (error, c) => {
    const told = publicError(error, requestIdOf(context));
    if (told.requestId !== undefined) {
      context.logger.error({ err: error, requestId: told.requestId }, "a page failed");
    }
    const problem = problemReply(told);
    if (!wantsHtml(c.req.raw)) return problem;
    const headers = new Headers(problem.headers);
    for (const [name, value] of Object.entries(PAGE_HEADERS)) headers.set(name, value);
    headers.set("content-type", HTML_TYPE);
    const markup = await errorPage(context.identity, {
      title: problems[told.code].title,
      detail: told.message,
    });
    return new Response(markup.toString(), { status: problem.status, headers });
  });

  async function directory(request: Request): Promise<Response> {
    const asked = new URL(request.url).searchParams;
    const q = (asked.get("q") ?? "").trim();
    const tag = (asked.get("tag") ?? "").trim();
    const cursor = asked.get("cursor");
    const online = asked.get("online") === "1";
    const filter = { ...(tag === "" ? {} : { tag }), ...(online ? { online } : {}) };
    const call = { signal: request.signal, admin: false };
    const list = {
      ...filter,
      ...(q === "" ? {} : { q }),
      ...(cursor === null ? {} : { cursor }),
      limit: RELAYS_ON_A_PAGE,
    };
    const [counts, page, found] = await Promise.all([
      runOperation(operations.counts, { context, input: {}, call }),
      runOperation(operations.summaries, { context, input: list, call }),
      q === "" || cursor !== null
        ? null
        : // Offline tools too unless the box is ticked: people look for what exists.
          runOperation(operations.find, {
            context,
            input: { ...filter, online, q, limit: TOOLS_ON_A_PAGE },
            call,
          }),
    ]);
    const next = new URLSearchParams({
      ...(q === "" ? {} : { q }),
      ...(tag === "" ? {} : { tag }),
      ...(online ? { online: "1" } : {}),
      cursor: page.nextCursor ?? "",
    });
    const markup = await indexPage({
      identity: context.identity,
      counts,
      q,
      tag,
      online,
      tools: found?.tools ?? null,
      relays: parseRaw(page.relays) as readonly RelaySummary[],
      total: page.total,
      next: page.nextCursor === null ? null : next.toString(),
    });
    return readReply(request, markup.toString(), { type: HTML_TYPE, headers: { ...PAGE_HEADERS, link } });
  }

  async function facts(request: Request): Promise<Response> {
    const { identity } = context;
    const call = { signal: request.signal, admin: false };
    const counts = await runOperation(operations.counts, { context, input: {}, call });
    const text = JSON.stringify({
      ok: true,
      name: identity.name,
      description: identity.description,
      version: identity.version,
      ...counts,
      api: `${identity.url}/v1`,
      mcp: `${identity.url}/mcp`,
      openapi: `${identity.url}/v1/openapi.json`,
      descriptor: `${identity.url}/.well-known/openmcp.json`,
      aiCatalog: aiCatalogUrl,
    });
    return readReply(request, text, { headers: { vary: "Accept", link } });
  }

  return app;
}

/** Browsers name HTML in `Accept`; programs ask for anything, for JSON, or say nothing. */
function wantsHtml(request: Request): boolean {
  return /\btext\/html\b|\bapplication\/xhtml\+xml\b/i.test(request.headers.get("accept") ?? "");
}
