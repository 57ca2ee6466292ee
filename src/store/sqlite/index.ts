/**
 * The store in one SQLite file, on Node's own `node:sqlite`.
 * One process writes; readers of other processes are welcome. Everything is synchronous underneath and kept short.
 */
import { type BackupReport, OpenMcpError } from "../../spec/index.ts";
import type { Store } from "../store.ts";
import { createBudgetStore } from "./budget-store.ts";
import { createChangeStore } from "./change-store.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { checkDatabase, copyDatabase } from "./copies.ts";
import { type Database, openDatabase } from "./database.ts";
import { createHistoryStore } from "./history-store.ts";
import { createImportStore } from "./import-store.ts";
import { createJobStore } from "./job-store.ts";
import { MAIN_CHECKPOINT_PAGES, RELAYS_PER_STEP, TOOLS_PER_STEP } from "./limits.ts";
import { checkVersion, migrate } from "./migrate.ts";
import { createPeerStore } from "./peer-store.ts";
import { createRelayStore } from "./relay-store.ts";
import { goOnFrom, numbersReached, type RunningNumbers } from "./running-numbers.ts";
import { createScheduleStore } from "./schedule-store.ts";
import { createSearchIndex } from "./search-index.ts";
import { createSearchThread } from "./search-thread.ts";
import { createTermIds } from "./term-ids.ts";
import { createToolStore } from "./tool-store.ts";
import { createWebhookStore } from "./webhook-store.ts";
import { createWriter, createWriteTurns } from "./write-turns.ts";

export { checkDatabase, copyDatabase, prepareDatabase } from "./copies.ts";
export { isInUse } from "./in-use.ts";
export { restoreFile } from "./restore-file.ts";

/** SQLite's name for a database without a file. */
const MEMORY = ":memory:";

export interface SqliteStoreOptions {
  /** A file, made when it isn't there; `:memory:` keeps nothing. */
  readonly path: string;
  /** Milliseconds without work after which the search index's thread ends, and its memory is free; default half a minute. */
  readonly indexIdleMs?: number;
}

/** A store whose file can be copied and replaced while it is in use. */
export interface SqliteStore extends Store {
  /** Copies the database to `file`, which must not be there; see `copyDatabase`. */
  backup(file: string): Promise<BackupReport>;
  /**
   * Puts the database in `file`, as `prepareDatabase` left it, in the place of this store's, and `file` is gone. Between two
   * questions: what was written until then is in the old file, which is kept as `kept`. Numbers that others hold on to
   * (changes, revisions) never go back. Nothing may work on the store that remembers what it read: close workers first.
   * @throws OpenMcpError `invalid-input` for a store in memory; `unavailable` when another process has its file open too.
   */
  replace(file: string, kept: string): Promise<void>;
}

/**
 * Opens the file and brings it to this version's schema.
 * Rejects with `OpenMcpError`: `schema-too-new` when a newer version wrote it; `unavailable` when it can't be opened,
 * is no SQLite database, or is another program's.
 * @example
 * await using store = await openSqliteStore({ path: ":memory:" });
 * const { relays } = await store.relays.counts();
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const database = openDatabase(options.path, { checkpointPages: MAIN_CHECKPOINT_PAGES });
  try {
    migrate(database);
  } catch (error) {
    database.close();
    throw error;
  }
  const termIds = createTermIds(database);
  const turns = options.path === MEMORY ? null : createWriteTurns();
  const written = createCheckpoints(async () => thread?.checkpoint());
  const writer = createWriter(database, turns, written);
  const thread = turns === null ? null : createSearchThread(database, { turns, idleMs: options.indexIdleMs });
  const close = async () => {
    await thread?.close();
    database.close();
  };
  return {
    relays: createRelayStore(database, writer),
    tools: createToolStore(database, termIds),
    changes: createChangeStore(database, writer),
    history: createHistoryStore(database),
    jobs: createJobStore(database, writer),
    imports: createImportStore(database, writer),
    schedule: createScheduleStore(database, writer),
    peers: createPeerStore(database, writer),
    webhooks: createWebhookStore(database, writer),
    budgets: createBudgetStore(database, writer),
    searchIndex:
      thread ??
      createSearchIndex(database, {
        termIds,
        write: (work) => database.transaction(work),
        relays: RELAYS_PER_STEP,
        tools: TOOLS_PER_STEP,
      }),
    async check() {
      checkVersion(database);
      database.get("select 1 from revision");
    },
    async backup(file) {
      if (!isInMemory(database)) return copyDatabase(database.path, file);
      database.exec(`vacuum into '${file.replaceAll("'", "''")}'`);
      return checkDatabase(file);
    },
    async replace(file, kept) {
      if (isInMemory(database)) {
        throw new OpenMcpError("invalid-input", "this catalog keeps nothing: start it with --db and a file");
      }
      // After all that is under way in this turn: an answer is made from one file or the other.
      await new Promise((resolve) => setImmediate(resolve));
      const swap = (): void => {
        const reached = reachedIn(database);
        database.replace(file, kept);
        termIds.forget();
        if (reached !== null) goOnFrom(database, reached);
      };
      // The index's thread holds the old file open.
      if (thread === null) swap();
      else await thread.whileEnded(swap);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Null when the file is too damaged to say: that may be why it is replaced. */
function reachedIn(database: Database): RunningNumbers | null {
  try {
    return numbersReached(database);
  } catch {
    return null;
  }
}

function isInMemory(database: Database): boolean {
  return database.path === MEMORY;
}
