/**
 * The store in one SQLite file, on Node's own `node:sqlite`.
 * One process writes; readers of other processes are welcome. Everything is synchronous underneath and kept short.
 */
import type { Store } from "../store.ts";
import { createChangeStore } from "./change-store.ts";
import { openDatabase } from "./database.ts";
import { createHistoryStore } from "./history-store.ts";
import { createJobStore } from "./job-store.ts";
import { checkVersion, migrate } from "./migrate.ts";
import { createPeerStore } from "./peer-store.ts";
import { createRelayStore } from "./relay-store.ts";
import { createScheduleStore } from "./schedule-store.ts";
import { createSearchIndex } from "./search-index.ts";
import { createTermIds } from "./term-ids.ts";
import { createToolStore } from "./tool-store.ts";
import { createWebhookStore } from "./webhook-store.ts";

export interface SqliteStoreOptions {
  /** A file, made when it isn't there; `:memory:` keeps nothing. */
  readonly path: string;
}

/**
 * Opens the file and brings it to this version's schema.
 * Rejects with `OpenMcpError`: `schema-too-new` when a newer version wrote it; `unavailable` when it can't be opened,
 * is no SQLite database, or is another program's.
 * @example
 * await using store = await openSqliteStore({ path: ":memory:" });
 * const { relays } = await store.relays.counts();
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const database = openDatabase(options.path);
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const termIds = createTermIds(database);
  const close = async () => database.close();
  return {
    relays: createRelayStore(database),
    tools: createToolStore(database, termIds),
    changes: createChangeStore(database),
    history: createHistoryStore(database),
    jobs: createJobStore(database),
    schedule: createScheduleStore(database),
    peers: createPeerStore(database),
    webhooks: createWebhookStore(database),
    searchIndex: createSearchIndex(database, termIds),
    async check() {
      checkVersion(database);
      database.get("select 1 from revision");
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
