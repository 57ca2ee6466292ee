/** What was streamed to a session, for a client that takes a stream up again by `Last-Event-ID`: the SDK's `EventStore`, as rows. */
import type { EventId, EventStore, JSONRPCMessage, StreamId } from "@modelcontextprotocol/server";
import type { PostgresPool } from "./client.ts";
import { DROP_STREAMED_EVERY, MAX_STREAMED_OF_SESSION } from "./limits.ts";

export function createPostgresEventStore(
  pool: PostgresPool,
  { schema, session }: { readonly schema: string; readonly session: string },
): EventStore {
  const table = `${schema}.streamed`;
  let kept = 0;

  /** The stream of an event of this very session. */
  async function streamOf(id: EventId): Promise<StreamId | undefined> {
    if (!/^\d{1,18}$/.test(id)) return undefined;
    const { rows } = await pool.query(`SELECT stream FROM ${table} WHERE id = $1 AND session = $2`, [
      id,
      session,
    ]);
    return rows[0] === undefined ? undefined : String(rows[0].stream);
  }

  return {
    async storeEvent(stream, message) {
      const { rows } = await pool.query(
        `INSERT INTO ${table} (session, stream, message) SELECT id, $2, $3 FROM ${schema}.sessions WHERE id = $1 RETURNING id`,
        [session, stream, JSON.stringify(message)],
      );
      kept += 1;
      if (kept % DROP_STREAMED_EVERY === 0) {
        await pool.query(
          `DELETE FROM ${table} WHERE session = $1 AND id <= (
             SELECT id FROM ${table} WHERE session = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
          [session, MAX_STREAMED_OF_SESSION],
        );
      }
      return String(rows[0]?.id ?? "0");
    },
    getStreamIdForEventId: streamOf,
    async replayEventsAfter(last, { send }) {
      const stream = await streamOf(last);
      if (stream === undefined) throw new Error("there is no such event in this session");
      const { rows } = await pool.query(
        `SELECT id, message FROM ${table} WHERE session = $1 AND stream = $2 AND id > $3 ORDER BY id`,
        [session, stream, last],
      );
      for (const { id, message } of rows) {
        const told = JSON.parse(String(message)) as JSONRPCMessage;
        // The first event of a stream says nothing but its id.
        if ("jsonrpc" in told) await send(String(id), told);
      }
      return stream;
    },
  };
}
