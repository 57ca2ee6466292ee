/** Whether the catalog can do its work, part by part, for /readyz; a change is one line in the log, not one for each that asks. */
import type { Readiness } from "../doors/rest/index.ts";
import { isOpenMcpError, type Logger } from "../spec/index.ts";
import type { Store } from "../store/index.ts";
import type { Workers } from "./workers.ts";

export interface ReadinessParts {
  readonly store: Pick<Store, "check">;
  readonly workers: Pick<Workers, "failed">;
  /** True from the moment that a stop was asked for. */
  readonly stopping: () => boolean;
  readonly logger: Logger;
}

export function createReadiness({
  store,
  workers,
  stopping,
  logger,
}: ReadinessParts): () => Promise<Readiness> {
  let last = "";

  return async () => {
    const parts = {
      ...(await storeParts(store)),
      ...workerParts(workers),
      intake: stopping() ? "shutting down" : "ok",
    };
    const ready = Object.values(parts).every((state) => state === "ok");
    const told = JSON.stringify(parts);
    if (told !== last) {
      if (!ready) logger.warn({ parts }, "not ready");
      else if (last !== "") logger.info({ parts }, "ready again");
      last = told;
    }
    return { ready, parts };
  };
}

/** The store's own sentence is for the log and the operator's eyes: it may name a path. */
async function storeParts(
  store: Pick<Store, "check">,
): Promise<{ readonly store: string; readonly migrations: string }> {
  try {
    await store.check();
    return { store: "ok", migrations: "ok" };
  } catch (error) {
    return isOpenMcpError(error, "schema-too-new")
      ? { store: "ok", migrations: "the file is of a newer version" }
      : { store: "can't be read", migrations: "unknown" };
  }
}

function workerParts(workers: Pick<Workers, "failed">): { readonly workers: string } {
  const failed = workers.failed().map(({ name }) => name);
  return { workers: failed.length === 0 ? "ok" : `failed: ${failed.join(", ")}` };
}
