/**
 * The REST door: decode -> operation -> encode for each entry of the route table, and what every route shares (Host and
 * Origin, the admin credential, errors as problem documents, 404, 405, OPTIONS). No route has code of its own here.
 * The server mounts it at /v1, /healthz, /readyz and /metrics.
 */
import { type Context, Hono } from "hono";
import { type CallContext, type CatalogContext, requestIdOf, runOperation } from "../../catalog/index.ts";
import {
  type ClientOf,
  createAdminCheck,
  createGate,
  doneReply,
  type Gate,
  methodNotAllowed,
  optionsReply,
  problemReply,
  publicError,
  rateLimitHeaders,
  readReply,
} from "../../http/index.ts";
import { type BudgetStanding, OpenMcpError, stringifyRaw } from "../../spec/index.ts";
import { allowedMethods } from "./allowed-methods.ts";
import { decoderOf } from "./decode.ts";
import { openApiDocument } from "./openapi-document.ts";
import { addOperatorRoutes, type OperatorRoutes, storeReadiness } from "./operator-routes.ts";
import type { Encoded, Route } from "./route.ts";
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
  /** Default: no /metrics. */
  readonly metrics?: OperatorRoutes["metrics"];
}

/** A Hono app; `app.fetch` is the door, `app.request` is for tests. */
export function restDoor(options: RestDoorOptions): Hono {
  const { context, adminToken } = options;
  const gate = options.gate ?? createGate({ url: context.identity.url });
  const admin = createAdminCheck(adminToken);
  const app = new Hono();

  for (const entry of routes) app.on(entry.method, entry.path, handlerOf(entry));

  let document: string | undefined;
  app.get("/v1/openapi.json", (c) =>
    answer(c, async () => {
      context.logger.note?.({ route: c.req.path });
      gate.checkHost(c.req.raw);
      document ??= JSON.stringify(openApiDocument(context.identity));
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
  app.onError((error) => failed(error));

  function handlerOf(entry: Route): (c: Context) => Promise<Response> {
    const decode = decoderOf(entry);
    const reads = entry.method === "GET";
    return (c) => {
      let standing: BudgetStanding | null = null;
      const told = () => (standing === null ? {} : rateLimitHeaders(standing));
      return answer(c, work, told);

      async function work(): Promise<Response> {
        const request = c.req.raw;
        context.logger.note?.({ route: entry.path });
        gate.checkHost(request);
        if (!reads) gate.checkOrigin(request);
        const call = callOf(request, {
          admin: admin.matches(request.headers.get("authorization")),
          client: entry.operation.budget === undefined ? null : (options.clientOf?.(request, c.env) ?? null),
          onBudget(now) {
            standing = now;
          },
        });
        if (entry.operation.access === "admin" && !call.admin) throw unauthorized(admin.configured);
        const input = await decode(request, c.req.param());
        const encoded = entry.encode(await runOperation(entry.operation, { context, input, call }), context);
        const text = textOf(entry, encoded);
        if (reads) return readReply(request, text, encoded);
        return doneReply(text, { ...encoded, headers: { ...encoded.headers, ...told() } });
      }
    };
  }

  /** `headers` go with a failure; the work gives a success its own. */
  async function answer(
    c: Context,
    work: () => Promise<Response>,
    headers: () => Readonly<Record<string, string>> = () => ({}),
  ): Promise<Response> {
    try {
      return await work();
    } catch (error) {
      return failed(error, { gone: c.req.raw.signal.aborted, headers: headers() });
    }
  }

  function failed(
    error: unknown,
    {
      gone = false,
      headers = {},
    }: { readonly gone?: boolean; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Response {
    const told = publicError(error, requestIdOf(context));
    if (told.requestId !== undefined && !gone) {
      context.logger.error({ err: error, requestId: told.requestId }, "a REST request failed");
    }
    return problemReply(told, headers);
  }

  return app;
}

function textOf(entry: Route, { body, type }: Encoded): string {
  if (type !== undefined) return String(body);
  if (entry.shape?.bare !== undefined) return stringifyRaw(body);
  return stringifyRaw({ ok: true, ...(body as object) });
}

/** The signal is made by the adapter when it is first asked for; most reads never do. */
function callOf(request: Request, facts: Omit<CallContext, "signal">): CallContext {
  return {
    ...facts,
    get signal() {
      return request.signal;
    },
  };
}

function unauthorized(configured: boolean): OpenMcpError {
  return new OpenMcpError(
    "unauthorized",
    configured
      ? "this needs the admin credential: send it as Authorization: Bearer <admin token>"
      : "this catalog has no admin token, so nobody can do this; start it with --admin-token or OPENMCP_ADMIN_TOKEN",
  );
}
