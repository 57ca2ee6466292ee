/**
 * Backup and restore of a running catalog: the files beside its database, the order of steps, one at a time. A restore changes
 * nothing until the whole file is here and was read through; then the workers pause, the files change places, and they go on.
 */
import { createWriteStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Vault } from "../doors/admin/index.ts";
import { type Logger, OpenMcpError, type RestoreReport } from "../spec/index.ts";
import { prepareDatabase, type SqliteStore } from "../store/sqlite/index.ts";
import { MAX_RESTORE_BYTES, UPLOAD_IDLE_MS } from "./limits.ts";
import type { Listener } from "./listener.ts";
import type { Workers } from "./workers.ts";

const MEMORY = ":memory:";
const COPYING = ".copying";
const RESTORING = ".restoring";

export interface VaultParts {
  /** Path of the database, or `:memory:`. */
  readonly db: string;
  readonly store: SqliteStore;
  readonly workers: Workers;
  readonly listener: Pick<Listener, "withLongBodies">;
  readonly logger: Logger;
}

export function createVault({ db, store, workers, listener, logger }: VaultParts): Vault {
  const inTurn = createTurns();

  async function backup() {
    // A catalog in memory has no folder of its own: one that nobody else can look into, or put a link in.
    const folder = db === MEMORY ? await mkdtemp(join(tmpdir(), "openmcp-")) : null;
    // One name: what a crash left is overwritten by the next.
    const path = folder === null ? `${db}${COPYING}` : join(folder, "catalog.db");
    try {
      await rm(path, { force: true });
      // SQLite would make a file that others may read.
      await (await open(path, "wx", 0o600)).close();
      const report = await store.backup(path);
      const handle = await open(path, "r");
      logger.info({ ...report }, "a backup was made");
      return { handle, report };
    } finally {
      // Open, it can be read; without a name, nobody has to clear up.
      await rm(folder ?? path, { force: true, recursive: true });
    }
  }

  async function streamed() {
    const { handle, report } = await backup();
    const file = Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array<ArrayBuffer>>;
    return { file, bytes: report.bytes };
  }

  async function restore(file: ReadableStream<Uint8Array>): Promise<RestoreReport> {
    if (db === MEMORY) {
      throw new OpenMcpError("invalid-input", "this catalog keeps nothing: start it with --db and a file");
    }
    const path = `${db}${RESTORING}`;
    const kept = `${db}.bak`;
    try {
      await listener.withLongBodies(() => receive(file, path));
      const report = await prepareDatabase(path);
      await workers.paused(() => store.replace(path, kept));
      logger.warn({ ...report, kept: basename(kept) }, "the database was replaced by a backup");
      return { ...report, kept };
    } finally {
      await removeDatabase(path);
    }
  }

  return {
    backup: () => inTurn(streamed),
    restore: (file) => inTurn(() => restore(file)),
  };
}

/** Files that a crash in the middle of a backup or a restore left beside the database: they may be as large as it is. */
export async function clearLeftovers(db: string): Promise<void> {
  if (db === MEMORY) return;
  for (const end of [COPYING, RESTORING]) await removeDatabase(`${db}${end}`);
}

async function removeDatabase(path: string): Promise<void> {
  for (const end of ["", "-wal", "-shm", "-journal"]) await rm(`${path}${end}`, { force: true });
}

/** Writes the body to `path`, down to the disk. */
async function receive(body: ReadableStream<Uint8Array>, path: string): Promise<void> {
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(), UPLOAD_IDLE_MS);
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      timer.refresh();
      bytes += chunk.byteLength;
      if (bytes <= MAX_RESTORE_BYTES) done(null, chunk);
      else done(new OpenMcpError("too-large", `the file is larger than ${MAX_RESTORE_BYTES} bytes`));
    },
  });
  try {
    const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(source, counted, createWriteStream(path, { mode: 0o600, flush: true }), {
      signal: idle.signal,
    });
  } catch (error) {
    if (error instanceof OpenMcpError) throw error;
    if (idle.signal.aborted)
      throw new OpenMcpError("invalid-input", "the file stopped coming in", { cause: error });
    throw new OpenMcpError("invalid-input", "the file broke off before its end", { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/** One after the other, in the order of asking. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => {});
    return mine;
  };
}
