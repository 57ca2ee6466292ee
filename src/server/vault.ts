/**
 * Backup and restore of a running catalog: the files beside its database, the order of steps, one at a time. A restore changes
 * nothing until the whole file is here and was read through; then the workers pause, the files change places, and they go on.
 */
import { createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
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

export interface VaultParts {
  /** Path of the database, or `:memory:`. */
  readonly db: string;
  readonly store: SqliteStore;
  readonly workers: Workers;
  readonly listener: Pick<Listener, "withLongBodies">;
  readonly logger: Logger;
}

export function createVault({ db, store, workers, listener, logger }: VaultParts): Vault {
  const beside = db === ":memory:" ? join(tmpdir(), `openmcp-${process.pid}`) : db;
  const inTurn = createTurns();

  async function backup() {
    // Hidden behind one name: what a crash left is overwritten by the next.
    const path = `${beside}.copying`;
    await rm(path, { force: true });
    const report = await store.backup(path);
    const handle = await open(path, "r");
    // Open, it can be read; without a name, nobody has to clear up.
    await rm(path, { force: true });
    logger.info({ ...report }, "a backup was made");
    const file = Readable.toWeb(handle.createReadStream()) as ReadableStream<Uint8Array<ArrayBuffer>>;
    return { file, bytes: report.bytes };
  }

  async function restore(file: ReadableStream<Uint8Array>): Promise<RestoreReport> {
    if (db === ":memory:") {
      throw new OpenMcpError("invalid-input", "this catalog keeps nothing: start it with --db and a file");
    }
    const path = `${beside}.restoring`;
    const kept = `${beside}.bak`;
    try {
      await listener.withLongBodies(() => receive(file, path));
      const report = await prepareDatabase(path);
      await workers.paused(() => store.replace(path, kept));
      logger.warn({ ...report, kept: basename(kept) }, "the database was replaced by a backup");
      return { ...report, kept };
    } finally {
      for (const left of [path, `${path}-wal`, `${path}-shm`]) await rm(left, { force: true });
    }
  }

  return {
    backup: () => inTurn(backup),
    restore: (file) => inTurn(() => restore(file)),
  };
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
