/**
 * What load balancers and monitors ask: /healthz, /readyz, /metrics. They come under whatever name they have for us, so
 * Host is not checked; none of the answers names a relay, a caller or a secret.
 */
import type { Context, Hono } from "hono";
import { type CatalogContext, operations, runOperation } from "../../catalog/index.ts";
import { doneReply, readCors } from "../../http/index.ts";
import { OpenMcpError, stringifyRaw } from "../../spec/index.ts";

/** Whether the catalog can do its work, part by part. */
export interface Readiness {
  readonly ready: boolean;
  /** `ok`, or a few words about what is wrong. */
  readonly parts: Readonly<Record<string, string>>;
}

export interface OperatorRoutes {
  readonly context: CatalogContext;
  readonly readiness: () => Promise<Readiness>;
  /** The metrics in Prometheus's text form; null: there are none. */
  readonly metrics: (() => Promise<{ readonly contentType: string; readonly text: string }>) | null;
  /** Runs the work and turns a failure into its answer. */
  readonly answer: (c: Context, work: () => Promise<Response>) => Promise<Response>;
}

const RETRY_AFTER_SECONDS = 5;

export function addOperatorRoutes(app: Hono, { context, readiness, metrics, answer }: OperatorRoutes): void {
  // Light: two numbers that the store keeps ready. It says that the process answers, not that all of it works.
  app.get("/healthz", (c) =>
    answer(c, async () => {
      const call = { signal: c.req.raw.signal, admin: false };
      const counts = await runOperation(operations.counts, { context, input: {}, call });
      return doneReply(stringifyRaw({ ok: true, version: context.identity.version, ...counts }), {
        headers: readCors,
      });
    }),
  );
  app.get("/readyz", (c) =>
    answer(c, async () => {
      const { ready, parts } = await readiness();
      if (ready) return doneReply(JSON.stringify({ ok: true, parts }), { headers: readCors });
      const wrong = Object.keys(parts).filter((part) => parts[part] !== "ok");
      throw new OpenMcpError(
        "unavailable",
        `the catalog is not ready (${wrong.join(", ")}); ask again soon`,
        {
          data: { parts, retryAfterSeconds: RETRY_AFTER_SECONDS },
        },
      );
    }),
  );
  app.get("/metrics", (c) =>
    answer(c, async () => {
      if (metrics === null) throw new OpenMcpError("not-found", "this catalog counts nothing");
      const { contentType, text } = await metrics();
      return doneReply(text, { headers: { "content-type": contentType } });
    }),
  );
}

/** Asks the store alone: for a door that nobody told more. */
export function storeReadiness({ store, logger }: CatalogContext): () => Promise<Readiness> {
  return async () => {
    try {
      await store.check();
      return { ready: true, parts: { store: "ok" } };
    } catch (error) {
      logger.warn({ err: error }, "not ready");
      return { ready: false, parts: { store: "unavailable" } };
    }
  };
}
