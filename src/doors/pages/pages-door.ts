/**
 * The directory for people: every page, the two forms, the feeds, and the 404 of every path that no other door has. Server-rendered;
 * all of it works without script. `/` is JSON for a program. It decodes, runs operations and encodes; pages are pure and have files of
 * their own. The server mounts it last.
 */
import { type Context, Hono } from "hono";
import {
  type CallContext,
  type CatalogContext,
  operations,
  readInput,
  requestIdOf,
  runOperation,
} from "../../catalog/index.ts";
import {
  type ClientOf,
  createGate,
  type Gate,
  methodNotAllowed,
  optionsReply,
  problemReply,
  publicError,
  rateLimitHeaders,
  readReply,
} from "../../http/index.ts";
import {
  AI_CATALOG_PATH,
  AI_CATALOG_RELATION,
  AI_CATALOG_TYPE,
  type BudgetStanding,
  OpenMcpError,
  type RelayRecord,
} from "../../spec/index.ts";
import { apiPage } from "./api-page.ts";
import { catalogFacts } from "./catalog-facts.ts";
import { directoryPath, filterOf, readDirectoryQuery } from "./directory-query.ts";
import { allOf } from "./facets.ts";
import { FEED_TYPE, feed } from "./feed.ts";
import { createKeptDirectory } from "./kept-directory.ts";
import {
  CHANGES_ON_A_PAGE,
  FEED_ENTRIES,
  MAX_RELAYS_ON_A_PAGE,
  RELAYS_ON_A_PAGE,
  TOOLS_FOUND,
} from "./limits.ts";
import { streamLook } from "./look-stream.ts";
import type { Markup } from "./markup.ts";
import { peersPage } from "./peers-page.ts";
import { API_PAGE_HEADERS, HTML_TYPE, PAGE_HEADERS } from "./policy.ts";
import { readForm } from "./read-form.ts";
import { problemPage } from "./refusals-for-people.ts";
import {
  refreshDone,
  refreshStart,
  registerDone,
  registerFailed,
  registerPage,
  registerStart,
} from "./register-page.ts";
import { relayPage } from "./relay-page.ts";
import { ROBOTS } from "./robots.ts";
import { pageEnd } from "./shell.ts";
import { statusPage } from "./status-page.ts";
import { wantsHtml } from "./wants-html.ts";

export interface PagesDoorOptions {
  readonly context: CatalogContext;
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
  /** Default: nobody's budgets are drawn on. */
  readonly clientOf?: ClientOf;
}

const READS = ["GET", "HEAD"];

/** Paths and the methods they have. */
const routes: Readonly<Record<string, readonly string[]>> = {
  "/": READS,
  "/register": [...READS, "POST"],
  "/status": READS,
  "/peers": READS,
  "/api": READS,
  "/feed.atom": READS,
  "/robots.txt": READS,
  "/relays/:id": READS,
  "/relays/:id/feed.atom": READS,
  "/relays/:id/refresh": ["POST"],
};

/** A Hono app; `app.fetch` is the door. */
export function pagesDoor({ context, gate: given, clientOf }: PagesDoorOptions): Hono {
  const { identity, clock, logger } = context;
  const gate = given ?? createGate({ url: identity.url });
  const aiCatalog = `${identity.url}${AI_CATALOG_PATH}`;
  const link = `<${aiCatalog}>; rel="${AI_CATALOG_RELATION}"; type="${AI_CATALOG_TYPE}"`;
  const directoryOf = createKeptDirectory(identity);
  const app = new Hono();

  app.use(async (c, next) => {
    gate.checkHost(c.req.raw);
    await next();
  });
  for (const route of Object.keys(routes)) {
    app.use(route, async (_c, next) => {
      logger.note?.({ route });
      await next();
    });
  }
  app.get("/", (c) => (wantsHtml(c.req.raw) ? directory(c.req.raw) : facts(c.req.raw)));
  app.get("/register", (c) => {
    const url = c.req.query("url") ?? "";
    return html(c.req.raw, registerPage(identity, { url: url.slice(0, 2_048) }));
  });
  app.post("/register", (c) => register(c));
  app.get("/relays/:id", (c) => relay(c.req.raw, c.req.param("id")));
  app.post("/relays/:id/refresh", (c) => refresh(c, c.req.param("id")));
  app.get("/relays/:id/feed.atom", (c) => atom(c.req.raw, c.req.param("id")));
  app.get("/feed.atom", (c) => atom(c.req.raw, null));
  app.get("/status", (c) => status(c.req.raw));
  app.get("/peers", async (c) => {
    const { peers } = await ask(c.req.raw, operations.peers, {});
    return html(c.req.raw, peersPage(identity, { peers, now: clock.now() }));
  });
  app.get("/api", (c) => html(c.req.raw, apiPage(identity), API_PAGE_HEADERS));
  app.get("/robots.txt", (c) =>
    readReply(c.req.raw, ROBOTS, { type: "text/plain; charset=utf-8", cacheControl: "public, max-age=3600" }),
  );
  for (const [route, methods] of Object.entries(routes)) {
    app.options(route, () => optionsReply(methods));
    app.all(route, (c) => {
      throw methodNotAllowed(c.req.method.slice(0, 20), methods);
    });
  }
  app.notFound(() => {
    throw new OpenMcpError("not-found", "there is nothing at this path; / says what this catalog has");
  });
  app.onError((error, c) => failed(error, c.req.raw));

  /** Runs an operation that only reads. */
  function ask<Input, Output>(
    request: Request,
    operation: Parameters<typeof runOperation<Input, Output>>[0],
    input: Input,
  ): Promise<Output> {
    return runOperation(operation, { context, input, call: { signal: request.signal, admin: false } });
  }

  async function html(
    request: Request,
    markup: Markup,
    headers: Readonly<Record<string, string>> = PAGE_HEADERS,
  ): Promise<Response> {
    return readReply(request, (await markup).toString(), { type: HTML_TYPE, headers: { ...headers, link } });
  }

  async function directory(request: Request): Promise<Response> {
    const query = readDirectoryQuery(request.url);
    const asked = new URL(request.url).searchParams;
    const cursor = asked.get("cursor") || null;
    const limit = Math.min(
      MAX_RELAYS_ON_A_PAGE,
      Math.max(1, Math.trunc(Number(asked.get("limit"))) || RELAYS_ON_A_PAGE),
    );
    const filter = filterOf(query);
    const { q } = query;
    const [narrowed, page, found] = await Promise.all([
      ask(request, operations.facets, {}),
      ask(request, operations.summaries, {
        ...filter,
        ...(q === "" ? {} : { q }),
        ...(cursor === null ? {} : { cursor }),
        limit,
      }),
      q === "" || cursor !== null
        ? null
        : // Offline tools too unless the box is ticked: people look for what exists.
          ask(request, operations.find, { ...filter, online: query.online === true, q, limit: TOOLS_FOUND }),
    ]);
    const kept: Record<string, string> = asked.has("limit") ? { limit: String(limit) } : {};
    const around = {
      query,
      counts: allOf(narrowed.counts),
      facets: narrowed.counts,
      tags: narrowed.tags,
      tools: found === null ? null : found.tools.filter(({ online }) => query.online !== false || !online),
      total: page.total,
      next: page.nextCursor === null ? null : directoryPath(query, { ...kept, cursor: page.nextCursor }),
      further: cursor !== null,
    };
    const { bytes, etag } = directoryOf(around, page.relays);
    return readReply(request, bytes, {
      type: HTML_TYPE,
      headers: { ...PAGE_HEADERS, link },
      ...(etag === undefined ? {} : { etag }),
    });
  }

  async function facts(request: Request): Promise<Response> {
    const counts = await ask(request, operations.counts, {});
    return readReply(request, catalogFacts(identity, { counts, aiCatalog }), {
      headers: { vary: "Accept", link },
    });
  }

  async function relay(request: Request, id: string): Promise<Response> {
    const [{ relay: record }, history, { claims }, { changes }] = await Promise.all([
      ask(request, operations.get, { id }),
      ask(request, operations.history, { id }),
      ask(request, operations.claims, { id }),
      ask(request, operations.recent, { relay: id, limit: CHANGES_ON_A_PAGE }),
    ]);
    const asked = new URL(request.url).searchParams;
    const from = Number(asked.get("from"));
    return html(
      request,
      relayPage({
        identity,
        relay: JSON.parse(record.text) as RelayRecord,
        history,
        claims,
        changes,
        now: clock.now(),
        tool: asked.get("tool"),
        from: Number.isSafeInteger(from) && from > 0 ? from : 0,
      }),
    );
  }

  async function status(request: Request): Promise<Response> {
    const [state, { peers }, { changes }] = await Promise.all([
      ask(request, operations.status, {}),
      ask(request, operations.peers, {}),
      ask(request, operations.recent, { limit: CHANGES_ON_A_PAGE }),
    ]);
    return html(request, statusPage({ identity, status: state, peers, changes, now: clock.now() }));
  }

  async function atom(request: Request, id: string | null): Promise<Response> {
    const { changes } = await ask(request, operations.recent, {
      limit: FEED_ENTRIES,
      ...(id === null ? {} : { relay: id }),
    });
    // One that is gone has its last changes; one that never was has none, and is told so.
    if (id !== null && changes.length === 0) await ask(request, operations.get, { id });
    return readReply(request, feed({ identity, relay: id, changes, now: clock.now() }), { type: FEED_TYPE });
  }

  async function register(c: Context): Promise<Response> {
    const request = c.req.raw;
    gate.checkOrigin(request);
    const url = ((await readForm(request)).get("url") ?? "").trim();
    const { call, headers } = paying(c);
    try {
      readInput(operations.register, { url });
      return await streamLook({
        request,
        clock,
        run: (look) =>
          runOperation(operations.register, { context, input: { url }, call: { ...call, ...look } }),
        start: registerStart(identity, url),
        done: registerDone,
        failed: (error) => registerFailed(told(error)),
        end: pageEnd({ identity }),
        headers,
      });
    } catch (error) {
      return problemPage(identity, problemReply(told(error)), ({ detail }) =>
        registerPage(identity, { url, refused: detail }),
      );
    }
  }

  async function refresh(c: Context, id: string): Promise<Response> {
    const request = c.req.raw;
    gate.checkOrigin(request);
    const { call, headers } = paying(c);
    return streamLook({
      request,
      clock,
      run: (look) => runOperation(operations.refresh, { context, input: { id }, call: { ...call, ...look } }),
      start: refreshStart(identity, id),
      done: ({ relay: record, events }) => refreshDone(record, events),
      failed: (error) => registerFailed(told(error)),
      end: pageEnd({ identity }),
      headers,
    });
  }

  /** Whose budget a form draws on, and what it leaves. */
  function paying(c: Context): {
    readonly call: Pick<CallContext, "admin" | "client" | "onBudget">;
    readonly headers: () => Record<string, string>;
  } {
    let standing: BudgetStanding | null = null;
    return {
      call: {
        admin: false,
        client: clientOf?.(c.req.raw, c.env) ?? null,
        onBudget(now) {
          standing = now;
        },
      },
      headers: () => (standing === null ? {} : rateLimitHeaders(standing)),
    };
  }

  function told(error: unknown): ReturnType<typeof publicError> {
    const known = publicError(error, requestIdOf(context));
    if (known.requestId !== undefined) {
      logger.error({ err: error, requestId: known.requestId }, "a page failed");
    }
    return known;
  }

  async function failed(error: unknown, request: Request): Promise<Response> {
    const problem = problemReply(told(error));
    return wantsHtml(request) ? problemPage(identity, problem) : problem;
  }

  return app;
}
