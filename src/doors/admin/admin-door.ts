/**
 * The admin's door for whole files, beside the operations of the other doors: a backup comes out, a backup goes in. A file is
 * no answer of an operation: it is read and written as a stream and never held. What makes the file is handed in.
 * The server mounts it at /v1/admin.
 */
import { Hono } from "hono";
import { type CatalogContext, requestIdOf } from "../../catalog/index.ts";
import {
  adminNeeded,
  createAdminCheck,
  createFailures,
  createGate,
  doneReply,
  type Gate,
  mediaType,
  methodNotAllowed,
  optionsReply,
  wrongType,
} from "../../http/index.ts";
import { OpenMcpError, type RestoreReport } from "../../spec/index.ts";

export interface Vault {
  /** A fresh, checked copy of the database; it is gone from the disk once `file` is read or cancelled. */
  backup(): Promise<{ readonly file: ReadableStream<Uint8Array<ArrayBuffer>>; readonly bytes: number }>;
  /** Takes the file in, checks it, and puts it in the database's place. */
  restore(file: ReadableStream<Uint8Array>): Promise<RestoreReport>;
}

export interface AdminDoorOptions {
  readonly context: CatalogContext;
  /** Null: nobody is admin. */
  readonly adminToken: string | null;
  readonly vault: Vault;
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
}

/** RFC 6838; what SQLite's authors registered. */
const SQLITE_TYPE = "application/vnd.sqlite3";
const FILE_TYPES = ["", SQLITE_TYPE, "application/x-sqlite3", "application/octet-stream"];
const METHODS: Readonly<Record<string, readonly string[]>> = {
  "/v1/admin/backup": ["GET"],
  "/v1/admin/restore": ["POST"],
};

/** A Hono app; `app.fetch` is the door. */
export function adminDoor({ context, adminToken, vault, gate: given }: AdminDoorOptions): Hono {
  const gate = given ?? createGate({ url: context.identity.url });
  const admin = createAdminCheck(adminToken);
  const { logger } = context;
  const failed = createFailures({ logger, newId: requestIdOf(context), message: "an admin request failed" });
  const app = new Hono();

  app.use(async (c, next) => {
    const { path } = c.req;
    if (METHODS[path] !== undefined) context.logger.note?.({ route: path });
    gate.checkHost(c.req.raw);
    if (c.req.method !== "OPTIONS") {
      gate.checkOrigin(c.req.raw);
      if (!admin.matches(c.req.raw.headers.get("authorization"))) throw adminNeeded(admin);
    }
    await next();
  });
  app.on("GET", "/v1/admin/backup", async (c) => {
    // HEAD would make a whole copy to say how long it is.
    if (c.req.method !== "GET") throw methodNotAllowed(c.req.method, ["GET"]);
    const { file, bytes } = await vault.backup();
    return new Response(file, {
      headers: {
        "content-type": SQLITE_TYPE,
        "content-length": String(bytes),
        "content-disposition": `attachment; filename="openmcp-${dayOf(context.clock.now())}.db"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      },
    });
  });
  app.post("/v1/admin/restore", async (c) => {
    const type = mediaType(c.req.raw);
    if (!FILE_TYPES.includes(type)) throw wrongType(`send the file as ${SQLITE_TYPE}`, type);
    const { body } = c.req.raw;
    if (body === null)
      throw new OpenMcpError("invalid-input", "the body is empty: send the file", {
        data: { field: "body" },
      });
    return doneReply(JSON.stringify({ ok: true, ...(await vault.restore(body)) }));
  });
  app.notFound((c) => {
    const allow = METHODS[c.req.path];
    if (allow === undefined) throw new OpenMcpError("not-found", "there is no such route");
    if (c.req.method === "OPTIONS") return optionsReply(allow);
    throw methodNotAllowed(c.req.method.slice(0, 20), allow);
  });
  app.onError((error) => failed(error));
  return app;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
