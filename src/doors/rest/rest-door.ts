/**
 * The REST door: decode -> operation -> encode for each entry of the route table, and what every route shares (Host and
 * Origin, the admin credential, errors as problem documents, 404, 405, OPTIONS). No route has code of its own here.
 * The server mounts it at /v1, /v0.1, /healthz, /readyz and /metrics.
 */
import { type Context, Hono } from "hono";
import { type CallContext, type CatalogContext, requestIdOf, runOperation } from "../../catalog/index.ts";
import {
  type AdminCheck,
  adminNeeded,
  type ClientOf,
  createAdminCheck,
  createFailures,
  createGate,
  doneReply,
  type Gate,
  methodNotAllowed,
  optionsReply,
  preferredType,
  publishedReply,
  type ReadOptions,
  rateLimitHeaders,
  readReply,
  typedEtag,
  withoutRead,
} from "../../http/index.ts";
import { type BudgetStanding, encodeRaw, OpenMcpError, stringifyRaw, versionText } from "../../spec/index.ts";
import { allowedMethods } from "./allowed-methods.ts";
import { decoderOf } from "./decode.ts";
import { openApiDocument } from "./openapi-document.ts";
import { addOperatorRoutes, type OperatorRoutes, storeReadiness } from "./operator-routes.ts";
import type { Encoded, Route } from "./route.ts";
import { createRouter } from "./router.ts";
import { routes } from "./routes.ts";

export interface RestDoorOptions {
  readonly context: CatalogContext;
  /** Null: nobody is admin, and the routes that need one say so. */
  readonly adminToken: string | null;
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
  /** Default: nobody's budgets are drawn on. */
  readonly clientOf?: ClientOf;
  /** Default: asks the store. */
  readonly readiness?: OperatorRoutes["readiness"];
  /** OpenAPI path items of what other doors serve under /v1; default: none. */
  readonly besides?: Readonly<Record<string, unknown>>;
  /** Default: no /metrics. */
  readonly metrics?: OperatorRoutes["metrics"];
}

/** A Hono app; `app.fetch` is the door, `app.request` is for tests. */
export function restDoor(options: RestDoorOptions): Hono {
  const { context, adminToken, clientOf } = options;
  const gate = options.gate ?? createGate({ url: context.identity.url });
  const admin = createAdminCheck(adminToken);
  const { logger } = context;
  const failed = createFailures({ logger, newId: requestIdOf(context), message: "a REST request failed" });
  const app = new Hono({ router: createRouter(["/v1/relays/bulk"]) });

  for (const entry of routes) {
    app.on(entry.method, entry.path, handlerOf(entry));
    if (entry.publishes !== undefined) app.all(entry.path, otherMethods);
  }

  let document: string | undefined;
  app.get("/v1/openapi.json", (c) =>
    answer(c, async () => {
      context.logger.note?.({ route: c.req.path });
      gate.checkHost(c.req.raw);
      document ??= JSON.stringify(openApiDocument(context.identity, options.besides));
      return readReply(c.req.raw, document, { cacheControl: "public, max-age=300" });
    }),
  );
  addOperatorRoutes(app, {
    context,
    readiness: options.readiness ?? storeReadiness(context),
    metrics: options.metrics ?? null,
    answer,
  });

  app.notFound((c) =>
    answer(c, async () => {
      gate.checkHost(c.req.raw);
      const allow = allowedMethods(c.req.path);
      if (allow.length === 0) {
        throw new OpenMcpError("not-found", "there is no such route; GET /v1/openapi.json lists them all");
      }
      if (c.req.method === "OPTIONS") return optionsReply(allow);
      throw methodNotAllowed(c.req.method.slice(0, 20), allow);
    }),
  );
  app.onError((error, c) => failed(error, { request: c.req.raw }));

  function handlerOf(entry: Route): (c: Context) => Promise<Response> {
    const { operation, encode } = entry;
    const decode = decoderOf(entry);
    const reads = entry.method === "GET";
    return async (c) => {
      const request = c.req.raw;
      const call = new LazyCall(request, {
        admin,
        ...(operation.budget === undefined ? {} : { clientOf, env: c.env }),
      });
      try {
        context.logger.note?.({ route: entry.path });
        gate.checkHost(request);
        if (!reads) gate.checkOrigin(request);
        if (operation.access === "admin" && !call.admin) throw adminNeeded(admin);
        const input = await decode(request, c.req.param());
        const encoded = encode(await runOperation(operation, { context, input, call }), context);
        const { body, version } = bodyOf(entry, encoded);
        if (entry.publishes !== undefined) {
          return publishedReply(request, { body, mediaType: entry.publishes });
        }
        if (reads) return readReply(request, body, { ...byAccept(request, body, encoded), version });
        return doneReply(body, { ...encoded, headers: { ...encoded.headers, ...call.budgetHeaders() } });
      } catch (error) {
        return failed(error, { request, headers: call.budgetHeaders() });
      }
    };
  }

  /** Of a published document; its reads have their own handler. */
  function otherMethods(c: Context): Promise<Response> {
    return answer(c, async () => {
      gate.checkHost(c.req.raw);
      return withoutRead(c.req.raw) ?? c.notFound();
    });
  }

  async function answer(c: Context, work: () => Promise<Response>): Promise<Response> {
    try {
      return await work();
    } catch (error) {
      return failed(error, { request: c.req.raw });
    }
  }

  return app;
}

/** The answer by the type that is asked for, where its text has more than one. */
function byAccept(request: Request, body: string | Uint8Array, encoded: Encoded): ReadOptions {
  const { type, otherType, headers } = encoded;
  if (type === undefined || otherType === undefined || typeof body !== "string") return encoded;
  const asked = preferredType(request.headers.get("accept"), [type, otherType]);
  return { ...encoded, type: asked, etag: typedEtag(body, asked), headers: { ...headers, vary: "Accept" } };
}

function bodyOf(
  entry: Route,
  { body, type }: Encoded,
): { readonly body: string | Uint8Array; readonly version: string | null } {
  if (type !== undefined) return { body: String(body), version: null };
  if (entry.shape?.bare !== undefined) return { body: stringifyRaw(body), version: null };
  const answer = { ok: true, ...(body as object) };
  return { body: encodeRaw(answer), version: versionText(answer) };
}

interface LazyFacts {
  readonly admin: AdminCheck;
  /** Absent: the operation costs its caller nothing. */
  readonly clientOf?: ClientOf | undefined;
  readonly env?: unknown;
}

/**
 * Signal, credential and client are looked at when an operation asks: the adapter makes the signal only then, and most reads
 * ask for none of them. A class, because its getters are made once and not a request (1 µs each).
 */
class LazyCall implements CallContext {
  readonly #request: Request;
  readonly #facts: LazyFacts;
  #standing: BudgetStanding | null = null;

  constructor(request: Request, facts: LazyFacts) {
    this.#request = request;
    this.#facts = facts;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get admin(): boolean {
    return this.#facts.admin.matches(this.#request.headers.get("authorization"));
  }

  get client(): string | null {
    return this.#facts.clientOf?.(this.#request, this.#facts.env) ?? null;
  }

  onBudget(standing: BudgetStanding): void {
    this.#standing = standing;
  }

  budgetHeaders(): Record<string, string> {
    return this.#standing === null ? {} : rateLimitHeaders(this.#standing);
  }
}
