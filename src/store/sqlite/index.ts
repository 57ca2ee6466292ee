/**
 * The store in one SQLite file, on Node's own `node:sqlite`.
 * One process writes; readers of other processes are welcome. Everything is synchronous underneath and kept short.
 */
import type { Store } from "../store.ts";
import { createChangeStore } from "./change-store.ts";
import { openDatabase } from "./database.ts";
import { createJobStore } from "./job-store.ts";
import { RELAYS_PER_STEP, TOOLS_PER_STEP } from "./limits.ts";
import { migrate } from "./migrate.ts";
import { createRelayStore } from "./relay-store.ts";
import { createSearchIndex } from "./search-index.ts";
import { createSearchThread } from "./search-thread.ts";
import { createTermIds } from "./term-ids.ts";
import { createToolStore } from "./tool-store.ts";
import { createWriter, createWriteTurns } from "./write-turns.ts";

/** SQLite's name for a database without a file. */
const MEMORY = ":memory:";

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
  const turns = options.path === MEMORY ? null : createWriteTurns();
  const writer = createWriter(database, turns);
  const thread = turns === null ? null : createSearchThread(database, turns);
  const close = async () => {
    await thread?.close();
    database.close();
  };
  return {
    relays: createRelayStore(database, writer),
    tools: createToolStore(database, termIds),
    changes: createChangeStore(database),
    jobs: createJobStore(database, writer),
    searchIndex:
      thread ??
      createSearchIndex(database, {
        termIds,
        write: (work) => database.transaction(work),
        relays: RELAYS_PER_STEP,
        tools: TOOLS_PER_STEP,
      }),
    async check() {
      database.get("select 1 from revision");
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
