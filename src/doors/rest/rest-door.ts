/**
 * The REST door: decode -> operation -> encode for each entry of the route table, and what every route shares (Host and
 * Origin, the admin credential, errors as problem documents, 404, 405, OPTIONS). No route has code of its own here.
 * The server mounts it at /v1, /healthz and /readyz.
 */
import { type Context, Hono } from "hono";
import { type CallContext, type CatalogContext, operations, readInput } from "../../catalog/index.ts";
import {
  type AdminCheck,
  createAdminCheck,
  createGate,
  doneReply,
  type Gate,
  methodNotAllowed,
  optionsReply,
  problemReply,
  publicError,
  readReply,
} from "../../http/index.ts";
import { encodeRaw, OpenMcpError, stringifyRaw } from "../../spec/index.ts";
import { allowedMethods } from "./allowed-methods.ts";
import { decoderOf } from "./decode.ts";
import { openApiDocument } from "./openapi-document.ts";
import type { Encoded, Route } from "./route.ts";
import { routes } from "./routes.ts";

export interface RestDoorOptions {
  readonly context: CatalogContext;
  /** Null: nobody is admin, and the routes that need one say so. */
  readonly adminToken: string | null;
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
  /** Rejects when the catalog can't answer now; default: asks the store. */
  readonly ready?: () => Promise<void>;
}

/** A Hono app; `app.fetch` is the door, `app.request` is for tests. */
export function restDoor(options: RestDoorOptions): Hono {
  const { context, adminToken } = options;
  const gate = options.gate ?? createGate({ url: context.identity.url });
  const ready = options.ready ?? (() => context.store.check());
  const admin = createAdminCheck(adminToken);
  const app = new Hono();

  for (const entry of routes) app.on(entry.method, entry.path, handlerOf(entry));

  let document: string | undefined;
  app.get("/v1/openapi.json", (c) =>
    answer(c, async () => {
      gate.checkHost(c.req.raw);
      document ??= JSON.stringify(openApiDocument(context.identity));
      return readReply(c.req.raw, document, { cacheControl: "public, max-age=300" });
    }),
  );
  // Asked by load balancers, under whatever name they have for us: no Host check.
  app.get("/healthz", (c) =>
    answer(c, async () => {
      const counts = await operations.counts.run(context, {}, new LazyCall(c.req.raw, null));
      return doneReply(stringifyRaw({ ok: true, version: context.identity.version, ...counts }));
    }),
  );
  app.get("/readyz", (c) =>
    answer(c, async () => {
      try {
        await ready();
      } catch (cause) {
        context.logger.warn({ err: cause }, "not ready");
        throw new OpenMcpError("unavailable", "the catalog is not ready; ask again soon", {
          data: { retryAfterSeconds: 5 },
        });
      }
      return doneReply('{"ok":true}');
    }),
  );

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
  app.onError((error, c) => failed(error, c.req.raw));

  function handlerOf(entry: Route): (c: Context) => Promise<Response> {
    const { operation, encode } = entry;
    const decode = decoderOf(entry);
    const reads = entry.method === "GET";
    return async (c) => {
      const request = c.req.raw;
      try {
        gate.checkHost(request);
        if (!reads) gate.checkOrigin(request);
        const call = new LazyCall(request, admin);
        if (operation.access === "admin" && !call.admin) throw unauthorized(admin.configured);
        const input = readInput(operation, await decode(request, c.req.param()));
        const encoded = encode(await operation.run(context, input, call), context);
        const body = bodyOf(entry, encoded);
        return reads ? readReply(request, body) : doneReply(body, encoded);
      } catch (error) {
        return failed(error, request);
      }
    };
  }

  async function answer(c: Context, work: () => Promise<Response>): Promise<Response> {
    try {
      return await work();
    } catch (error) {
      return failed(error, c.req.raw);
    }
  }

  function failed(error: unknown, request: Request): Response {
    const told = publicError(error, context.newId);
    // What breaks because the caller hung up is no failure of ours.
    if (told.requestId !== undefined && !request.signal.aborted) {
      context.logger.error({ err: error, requestId: told.requestId }, "a REST request failed");
    }
    return problemReply(told);
  }

  return app;
}

function bodyOf(entry: Route, { body }: Encoded): string | Uint8Array {
  if (entry.shape?.bare !== undefined) return stringifyRaw(body);
  return encodeRaw({ ok: true, ...(body as object) });
}

/**
 * Signal and credential are looked at when an operation asks: the adapter makes the signal only then, and most reads never
 * do. A class, because its getters are made once and not a request (1 µs each).
 */
class LazyCall implements CallContext {
  readonly #request: Request;
  readonly #admin: AdminCheck | null;

  constructor(request: Request, admin: AdminCheck | null) {
    this.#request = request;
    this.#admin = admin;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get admin(): boolean {
    return this.#admin?.matches(this.#request.headers.get("authorization")) ?? false;
  }
}

function unauthorized(configured: boolean): OpenMcpError {
  return new OpenMcpError(
    "unauthorized",
    configured
      ? "this needs the admin credential: send it as Authorization: Bearer <admin token>"
      : "this catalog has no admin token, so nobody can do this; start it with --admin-token or OPENMCP_ADMIN_TOKEN",
  );
}
