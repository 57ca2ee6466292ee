/**
 * One SQLite connection on `node:sqlite`, with its statements kept prepared and its errors in the catalog's words.
 * Every call is synchronous, so a transaction is never interleaved with another caller's statements.
 * It knows no table: the schema is migrations/, the queries are the stores'.
 */
import { randomUUID } from "node:crypto";
import { copyFileSync, existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { isOpenMcpError, OpenMcpError } from "../../spec/index.ts";
import { BUSY_TIMEOUT_MS, PAGE_CACHE_KIB } from "./limits.ts";

/** A row, its columns as SQLite gives them. `Row` is the caller's word for what its SQL selects. */
export interface Database {
  /** The file, or `:memory:`. */
  readonly path: string;
  /** Another one each time a file is opened or put in this one's place: what was read before was read from another database. */
  readonly generation: string;
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  /** Rows as they are stepped to; leave the loop early and the rest is not read. */
  iterate<Row>(sql: string, ...values: SQLInputValue[]): Iterable<Row>;
  /**
   * The number of rows changed. In a transaction only: a write by itself would wait for the index's thread inside SQLite, and
   * all that this thread serves with it (write-turns.ts).
   */
  run(sql: string, ...values: SQLInputValue[]): number;
  /** Several statements, none of them prepared. */
  exec(sql: string): void;
  /** All of `work` or nothing of it; `work` is synchronous. */
  transaction<T>(work: () => T): T;
  /** All that `work` reads is of one moment, and nobody is kept from writing; `work` is synchronous and writes nothing. */
  snapshot<T>(work: () => T): T;
  /** In a transaction: once it is committed, those who listen to `topic` are told, once. */
  announce(topic: string): void;
  /** `listener` runs soon after each commit that announced `topic`; the answer ends it. */
  listen(topic: string, listener: () => void): () => void;
  /**
   * Puts the database file `file` in this one's place and goes on with it; the old file is kept as `kept`. Synchronous, so that
   * no statement falls between. When it fails, all is as before.
   */
  replace(file: string, kept: string): void;
  /** Idempotent. */
  close(): void;
}

export interface DatabaseOptions {
  /** Default `PAGE_CACHE_KIB`. */
  readonly pageCacheKib?: number;
  /** Pages of the write-ahead log after which a commit takes it over into the file; default SQLite's 1,000. */
  readonly checkpointPages?: number;
}

/**
 * Opens or creates the file.
 * @throws OpenMcpError `unavailable` when it can't be opened or is no SQLite database.
 */
export function openDatabase(path: string, options: DatabaseOptions = {}): Database {
  let connection = connect(path, options);
  let generation = randomUUID();
  const statements = new Map<string, StatementSync>();
  const listeners = new Map<string, Set<() => void>>();
  const announced = new Set<string>();

  function prepare(sql: string): StatementSync {
    if (!connection.isOpen) throw new OpenMcpError("unavailable", "The store is closed.");
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = connection.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }

  /** As microtasks: a listener that throws can't make a committed write look failed. */
  function tellAnnounced(): void {
    const told = [...announced].flatMap((topic) => [...(listeners.get(topic) ?? [])]);
    announced.clear();
    for (const listener of told) queueMicrotask(listener);
  }

  return {
    path,
    get generation() {
      return generation;
    },
    get: <Row>(sql: string, ...values: SQLInputValue[]) =>
      inOurWords(path, () => prepare(sql).get(...values) as Row | undefined),
    all: <Row>(sql: string, ...values: SQLInputValue[]) =>
      inOurWords(path, () => prepare(sql).all(...values) as Row[]),
    iterate: <Row>(sql: string, ...values: SQLInputValue[]) =>
      inOurWords(path, () => prepare(sql).iterate(...values) as Iterable<Row>),
    run: (sql, ...values) =>
      inOurWords(path, () => {
        const statement = prepare(sql);
        if (!connection.isTransaction) throw new OpenMcpError("internal", `a write out of its turn: ${sql}`);
        return Number(statement.run(...values).changes);
      }),
    exec: (sql) => inOurWords(path, () => connection.exec(sql)),
    transaction(work) {
      return inOurWords(path, () => {
        prepare("begin immediate").run();
        announced.clear();
        try {
          const result = work();
          prepare("commit").run();
          tellAnnounced();
          return result;
        } catch (error) {
          // A failed commit or a full disk may have rolled back already.
          if (connection.isTransaction) prepare("rollback").run();
          throw error;
        }
      });
    },
    snapshot(work) {
      return inOurWords(path, () => {
        prepare("begin").run();
        try {
          return work();
        } finally {
          prepare("commit").run();
        }
      });
    },
    announce: (topic) => void announced.add(topic),
    listen(topic, listener) {
      // Its own function each time: one listener given twice is two, and each is ended by its own answer.
      const own = () => listener();
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(own));
      return () => void all.delete(own);
    },
    replace(file, kept) {
      statements.clear();
      // The last connection to close merges the write-ahead log into the file: it is whole by itself then.
      connection.close();
      try {
        swapFiles(path, { file, kept });
      } finally {
        connection = connect(path, options);
        generation = randomUUID();
      }
    },
    close() {
      listeners.clear();
      statements.clear();
      if (connection.isOpen) connection.close();
    },
  };
}

function swapFiles(path: string, { file, kept }: { readonly file: string; readonly kept: string }): void {
  if (existsSync(`${path}-shm`)) {
    // Its log would be taken for the new file's.
    throw new OpenMcpError(
      "unavailable",
      "another process has the database open too: let it end, then try again",
    );
  }
  // A second name first, so that at no moment, not even of a crash, there is no database at `path`.
  rmSync(kept, { force: true });
  try {
    linkSync(path, kept);
  } catch {
    // Some file systems know one name a file.
    copyFileSync(path, kept);
  }
  renameSync(file, path);
}

function connect(
  path: string,
  { pageCacheKib = PAGE_CACHE_KIB, checkpointPages = 1_000 }: DatabaseOptions,
): DatabaseSync {
  return inOurWords(path, () => {
    const connection = new DatabaseSync(path, {
      enableForeignKeyConstraints: true,
      enableDoubleQuotedStringLiterals: false,
      timeout: BUSY_TIMEOUT_MS,
    });
    try {
      // The first read finds out whether the file is a database at all.
      connection.prepare("select count(*) from sqlite_schema").get();
      // WAL with NORMAL: a killed process loses nothing that was committed; a power cut may lose the last commits, never the file.
      connection.exec(`
        pragma journal_mode = wal;
        pragma synchronous = normal;
        pragma cache_size = -${pageCacheKib};
        pragma wal_autocheckpoint = ${checkpointPages};
        pragma temp_store = memory;
        pragma journal_size_limit = 67108864;
      `);
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

/** SQLite's result codes (https://sqlite.org/rescode.html) that a person can do something about. */
const cures: Readonly<Record<number, (path: string) => string>> = {
  5: (path) => `The database "${path}" is locked by another process; stop it, or wait for it.`,
  8: (path) => `The database "${path}" is read-only; make the file and its folder writable.`,
  10: (path) => `The disk under "${path}" failed; look at the system's log.`,
  11: (path) =>
    `The database "${path}" is damaged; restore it from a backup, or move it away to start empty.`,
  13: (path) => `The disk under "${path}" is full; make room.`,
  14: (path) => `The database "${path}" can't be opened; create its folder and make it writable.`,
  26: (path) => `"${path}" is not a SQLite database; name another file, or move this one away.`,
};

function inOurWords<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isOpenMcpError(error)) throw error;
    const code = (error as { errcode?: unknown }).errcode;
    const cure = typeof code === "number" ? cures[code & 0xff] : undefined;
    if (cure === undefined) throw error;
    // The sentence names the file: it is for the operator, and `part` tells the doors so.
    throw new OpenMcpError("unavailable", cure(path), { data: { part: "store" }, cause: error });
  }
}
