/**
 * Brings the schema to the newest version, each migration in one transaction. Several instances may start at once: one does it, the
 * others wait. A schema of a newer version is refused untouched.
 */
import { OpenMcpError } from "../../spec/index.ts";
import type { PostgresPool } from "./client.ts";
import { sessions } from "./migrations/001-sessions.ts";

/** In order; the position, from 1, is the version. Released ones are never edited. */
const migrations: readonly ((schema: string) => string)[] = [sessions];

/** Any number that only we lock: "OMCP". */
const LOCK = 0x4f4d4350;

/** @throws OpenMcpError `schema-too-new` when a newer version wrote it. */
export async function migrate(pool: PostgresPool, schema: string): Promise<void> {
  const connection = await pool.connect();
  let failed = true;
  try {
    await connection.query("BEGIN");
    await connection.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    const known = await connection.query(
      "SELECT to_regnamespace($1) IS NOT NULL AS place, to_regclass($1 || '.migrations') IS NOT NULL AS made",
      [schema],
    );
    // Only what is missing: the role need not be allowed to create more.
    if (known.rows[0]?.place !== true) await connection.query(`CREATE SCHEMA ${schema}`);
    if (known.rows[0]?.made !== true) {
      await connection.query(`CREATE TABLE ${schema}.migrations (version integer PRIMARY KEY)`);
    }
    const { rows } = await connection.query(`SELECT max(version) AS version FROM ${schema}.migrations`);
    const version = Number(rows[0]?.version ?? 0);
    if (version > migrations.length) {
      throw new OpenMcpError(
        "schema-too-new",
        `the schema ${schema} is of a newer OpenMCP: it has version ${version}, this one knows ${migrations.length}`,
      );
    }
    for (const [index, migration] of migrations.slice(version).entries()) {
      await connection.query(migration(schema));
      await connection.query(`INSERT INTO ${schema}.migrations VALUES ($1)`, [version + index + 1]);
    }
    await connection.query("COMMIT");
    failed = false;
  } finally {
    if (failed) await connection.query("ROLLBACK").catch(() => {});
    connection.release(failed);
  }
}
