/**
 * Brings a file to the newest schema: each migration in its own transaction, counted in `user_version`.
 * A file of a newer OpenMCP and a database of another program are refused untouched.
 */
import { OpenMcpError } from "../../spec/index.ts";
import type { Database } from "./database.ts";
import { relays } from "./migrations/001-relays.ts";
import { search } from "./migrations/002-search.ts";
import { schedule } from "./migrations/003-schedule.ts";
import { changes } from "./migrations/004-changes.ts";
import { history } from "./migrations/005-history.ts";
import { webhooks } from "./migrations/006-webhooks.ts";
import { peers } from "./migrations/007-peers.ts";
import { budgets } from "./migrations/008-budgets.ts";
import { toolTexts } from "./migrations/009-tool-texts.ts";
import { imports } from "./migrations/010-imports.ts";
import { eras } from "./migrations/011-eras.ts";
import { tagCounts } from "./migrations/012-tag-counts.ts";
import { identifiers } from "./migrations/013-identifiers.ts";

/** In order; the position, from 1, is the schema's version. Released ones are never edited. */
export const migrations: readonly string[] = [
  relays,
  search,
  schedule,
  changes,
  history,
  webhooks,
  peers,
  budgets,
  toolTexts,
  imports,
  eras,
  tagCounts,
  identifiers,
];

/** "OMCP" in the file's header (https://sqlite.org/pragma.html#pragma_application_id). */
export const APPLICATION_ID = 0x4f4d4350;

/**
 * @throws OpenMcpError `schema-too-new` when a newer version wrote the file; `unavailable` when another program did.
 */
export function migrate(database: Database): void {
  const tables = database.get<{ n: number }>("select count(*) as n from sqlite_schema")?.n ?? 0;
  if (!isOurs(database) && tables > 0) {
    throw new OpenMcpError(
      "unavailable",
      `"${database.path}" is a database of another program; name another file for the catalog.`,
    );
  }
  const version = checkVersion(database);
  migrations.slice(version).forEach((sql, index) => {
    database.transaction(() => {
      database.exec(sql);
      database.exec(
        `pragma application_id = ${APPLICATION_ID}; pragma user_version = ${version + index + 1};`,
      );
    });
  });
}

/** True for a catalog's database; an empty file is nobody's yet. */
export function isOurs(database: Database): boolean {
  return pragma(database, "application_id") === APPLICATION_ID;
}

/**
 * The file's schema version; another process may have brought it further since it was opened.
 * @throws OpenMcpError `schema-too-new`.
 */
export function checkVersion(database: Database): number {
  const version = pragma(database, "user_version");
  if (version <= migrations.length) return version;
  throw new OpenMcpError(
    "schema-too-new",
    `The database "${database.path}" has schema version ${version}; this OpenMCP knows up to ${migrations.length}. ` +
      "Run the newer OpenMCP that wrote it, or name another file.",
    { data: { found: version, known: migrations.length } },
  );
}

function pragma(database: Database, name: "user_version" | "application_id"): number {
  return database.get<Record<string, number>>(`pragma ${name}`)?.[name] ?? 0;
}
