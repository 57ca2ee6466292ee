/** Sessions as rows. Each change is one statement, so that instances need no locks of ours. */
import type { JsonObject, JsonValue } from "../../spec/index.ts";
import { MAX_REMEMBERED } from "../limits.ts";
import type { SessionRecord, SessionStore } from "../sessions/session-store.ts";
import type { PostgresPool } from "./client.ts";

export function createPostgresSessionStore(
  pool: PostgresPool,
  { schema, close }: { readonly schema: string; readonly close: () => Promise<void> },
): SessionStore {
  const table = `${schema}.sessions`;
  const changed = async (text: string, values: unknown[]): Promise<number> =>
    (await pool.query(text, values)).rowCount ?? 0;

  return {
    async open({ id, user, initialize, openedAt, expiresAt, state, version }) {
      await pool.query(`INSERT INTO ${table} VALUES ($1, $2, $3, $4, $5, $6, $7)`, [
        id,
        user === null ? null : keptText(user),
        JSON.stringify(initialize),
        openedAt,
        expiresAt,
        JSON.stringify(state),
        version,
      ]);
    },
    async read(id, now) {
      const { rows } = await pool.query(`SELECT * FROM ${table} WHERE id = $1 AND expires_at > $2`, [
        id,
        now,
      ]);
      return rows[0] === undefined ? null : recordOf(rows[0]);
    },
    async touch(id, { now, expiresAt }) {
      const text = `UPDATE ${table} SET expires_at = greatest(expires_at, $3) WHERE id = $1 AND expires_at > $2`;
      return (await changed(text, [id, now, expiresAt])) > 0;
    },
    async write(id, { state, version }) {
      const text = `UPDATE ${table} SET state = $3, version = version + 1 WHERE id = $1 AND version = $2`;
      return (await changed(text, [id, version, JSON.stringify(state)])) > 0;
    },
    async remember(id, { key, value }) {
      const kept = keptText(key);
      if (value === null) {
        await pool.query(`DELETE FROM ${schema}.remembered WHERE session = $1 AND md5(key) = md5($2)`, [
          id,
          kept,
        ]);
      } else {
        await pool.query(
          `INSERT INTO ${schema}.remembered (session, key, value)
           SELECT id, $2, $3 FROM ${table} WHERE id = $1 AND (
             (SELECT count(*) FROM ${schema}.remembered WHERE session = $1) < $4
             OR EXISTS (SELECT 1 FROM ${schema}.remembered WHERE session = $1 AND md5(key) = md5($2)))
           ON CONFLICT (session, md5(key)) DO UPDATE SET value = excluded.value`,
          [id, kept, JSON.stringify(value), MAX_REMEMBERED],
        );
      }
      return (await pool.query(`SELECT 1 FROM ${table} WHERE id = $1`, [id])).rows.length > 0;
    },
    async recall(id) {
      const { rows } = await pool.query(`SELECT value FROM ${schema}.remembered WHERE session = $1`, [id]);
      return rows.map(({ value }) => JSON.parse(String(value)) as JsonObject);
    },
    end: async (id) => (await changed(`DELETE FROM ${table} WHERE id = $1`, [id])) > 0,
    prune: (now, limit) =>
      changed(
        `DELETE FROM ${table} WHERE id IN (
           SELECT id FROM ${table} WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
        [now, limit],
      ),
    async trim({ max, user }) {
      const of = user === undefined ? "" : "WHERE user_id = $2";
      const { rows } = await pool.query(
        `WITH excess AS (
           SELECT id, expires_at FROM ${table} ${of} ORDER BY expires_at DESC, id OFFSET $1),
         gone AS (DELETE FROM ${table} WHERE id IN (SELECT id FROM excess) RETURNING id)
         SELECT id FROM excess JOIN gone USING (id) ORDER BY expires_at`,
        user === undefined ? [max] : [max, keptText(user)],
      );
      return rows.map(({ id }) => String(id));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function recordOf(row: Readonly<Record<string, unknown>>): SessionRecord {
  return {
    id: String(row.id),
    user: row.user_id === null ? null : givenText(String(row.user_id)),
    initialize: JSON.parse(String(row.initialize)) as JsonObject,
    openedAt: Number(row.opened_at),
    expiresAt: Number(row.expires_at),
    state: JSON.parse(String(row.state)) as JsonValue,
    version: Number(row.version),
  };
}

/** As JSON: PostgreSQL's text has no NUL, and a stranger's may. */
function keptText(text: string): string {
  return JSON.stringify(text);
}

function givenText(kept: string): string {
  return JSON.parse(kept) as string;
}
