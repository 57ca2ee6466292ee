/**
 * Notices between instances: each is a row, and `NOTIFY` says it is there. A short one travels in the `NOTIFY` itself, a long one is
 * read from its row. Rows are kept for minutes, so that an instance whose connection broke hears what it missed; it is told of a gap
 * besides, for it may have been away for longer.
 */
import type { Clock, Logger } from "../../spec/index.ts";
import { createBusListeners } from "../sessions/bus-listeners.ts";
import type { BusEvent, EventBus } from "../sessions/event-bus.ts";
import type { PostgresConnection, PostgresPool } from "./client.ts";
import {
  FIRST_RETRY_MS,
  KEEP_NOTICES_MS,
  LAST_RETRY_MS,
  MAX_HEARD,
  MAX_NOTICE_BYTES,
  OVERLAP_MS,
  PULSE_MS,
  PULSE_TIMEOUT_MS,
  SWEEP_NOTICES_MS,
} from "./limits.ts";

export interface PostgresBusOptions {
  readonly schema: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A bus that listens: it resolves when it does. */
export async function createPostgresEventBus(
  pool: PostgresPool,
  { schema, clock, logger }: PostgresBusOptions,
): Promise<EventBus> {
  const listeners = createBusListeners<BusEvent>();
  const stop = new AbortController();
  /** Those heard lately, in the order of hearing. */
  const heard = new Set<string>();
  /** When the database's clock said that all until then was heard. */
  let until: string | null = null;
  let leaveNow = (): void => {};
  /** One after another: a long notice must not come after the short one that followed it. */
  let telling: Promise<unknown> = Promise.resolve();

  function tell(id: string, body: string): void {
    if (heard.has(id)) return;
    heard.add(id);
    for (const old of heard) {
      if (heard.size <= MAX_HEARD) break;
      heard.delete(old);
    }
    listeners.tell(JSON.parse(body) as BusEvent);
  }

  const later = (work: () => unknown): void => {
    telling = telling
      .then(work)
      .catch((error: unknown) => logger.error({ err: error }, "a notice between instances was not read"));
  };

  function notified(payload: string): void {
    const colon = payload.indexOf(":");
    if (colon >= 0) {
      later(() => tell(payload.slice(0, colon), payload.slice(colon + 1)));
      return;
    }
    if (heard.has(payload)) return;
    // Read now, told in turn.
    const reading = pool.query(`SELECT body FROM ${schema}.notices WHERE id = $1`, [payload]);
    reading.catch(() => {});
    later(async () => {
      const body = (await reading).rows[0]?.body;
      if (typeof body === "string") tell(payload, body);
    });
  }

  /** What was said since `until`, and once more what may have become visible late. */
  async function catchUp(own: PostgresConnection): Promise<void> {
    if (until === null) return;
    const { rows } = await own.query(
      `SELECT id, body FROM ${schema}.notices WHERE said_at > $1::timestamptz - $2 * interval '1 ms' ORDER BY said_at`,
      [until, OVERLAP_MS],
    );
    for (const { id, body } of rows) later(() => tell(String(id), String(body)));
    later(() => listeners.tell({ kind: "bus_gap" }));
  }

  async function mark(own: PostgresConnection): Promise<void> {
    const { rows } = await own.query("SELECT clock_timestamp()::text AS now");
    until = String(rows[0]?.now);
  }

  /** Resolves when it listens; what it gives resolves when the connection is lost. */
  async function listen(): Promise<{ readonly lost: Promise<void> }> {
    const own = await pool.connect();
    const lost = Promise.withResolvers<void>();
    let gone = false;
    const leave = (): void => {
      if (gone) return;
      gone = true;
      own.release(true);
      lost.resolve();
    };
    own.on("error", leave);
    own.on("end", leave);
    own.on("notification", ({ payload }) => {
      if (!gone && payload !== undefined) notified(payload);
    });
    try {
      await own.query(`LISTEN "${channelOf(schema)}"`);
      await catchUp(own);
      await mark(own);
    } catch (error) {
      leave();
      throw error;
    }
    leaveNow = leave;
    void pulse(own, leave, () => gone);
    return { lost: lost.promise };
  }

  /** A connection whose other end vanished says nothing, ever. */
  async function pulse(own: PostgresConnection, leave: () => void, gone: () => boolean): Promise<void> {
    try {
      while (!gone()) {
        await clock.sleep(PULSE_MS, stop.signal);
        if (gone()) return;
        const timer = new AbortController();
        const late = clock.sleep(PULSE_TIMEOUT_MS, timer.signal).then(() => {
          throw new Error("the connection that listens does not answer");
        });
        await Promise.race([mark(own), late]).finally(() => timer.abort());
      }
    } catch (error) {
      if (stop.signal.aborted) return;
      logger.warn({ err: error }, "the connection that listens is given up");
      leave();
    }
  }

  async function stay(first: { readonly lost: Promise<void> }): Promise<void> {
    let listening = first;
    while (!stop.signal.aborted) {
      await listening.lost;
      let wait = FIRST_RETRY_MS;
      for (;;) {
        if (stop.signal.aborted) return;
        try {
          listening = await listen();
          break;
        } catch (error) {
          logger.warn({ err: error }, "other instances are not heard; trying again");
          await clock.sleep(wait, stop.signal);
          wait = Math.min(wait * 2, LAST_RETRY_MS);
        }
      }
    }
  }

  async function sweep(): Promise<void> {
    for (;;) {
      await clock.sleep(SWEEP_NOTICES_MS, stop.signal);
      await pool
        .query(`DELETE FROM ${schema}.notices WHERE said_at < clock_timestamp() - $1 * interval '1 ms'`, [
          KEEP_NOTICES_MS,
        ])
        .catch((error: unknown) => logger.warn({ err: error }, "old notices were not dropped"));
    }
  }

  void stay(await listen()).catch(() => {});
  void sweep().catch(() => {});

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      stop.abort();
      listeners.clear();
      leaveNow();
      await telling;
    })();
    return closing;
  };

  return {
    async publish(event) {
      await pool.query(
        `WITH said AS (INSERT INTO ${schema}.notices (body) VALUES ($1) RETURNING id)
         SELECT pg_notify($2, CASE WHEN octet_length($1) <= $3 THEN id || ':' || $1 ELSE id::text END) FROM said`,
        [JSON.stringify(event), channelOf(schema), MAX_NOTICE_BYTES],
      );
    },
    subscribe: listeners.subscribe,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** One channel a schema. */
function channelOf(schema: string): string {
  return `${schema}_notices`;
}
