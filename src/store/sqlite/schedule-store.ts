/**
 * The schedule in SQLite: leasing is one short transaction that reads due relays in their order and stops at the limit.
 * Leases are few (those being looked at), so they lie apart from the schedule, whose rows change once a look.
 */
import type { LeaseAsk, Leased, LeasedRelay, RelayPlace, ScheduleStore } from "../schedule-store.ts";
import type { Database } from "./database.ts";
import { FULL_ROWS_SKIPPED } from "./limits.ts";
import type { Writer } from "./write-turns.ts";

export function createScheduleStore(database: Database, writer: Writer): ScheduleStore {
  return {
    lease: async (ask) => writer.write(() => lease(database, ask)),
    async renew(owner, until) {
      const sql = "update schedule_lease set until = ? where owner = ?";
      await writer.write(() => database.run(sql, until, owner));
    },
    async handBack(owner, one) {
      if (one === undefined) {
        await writer.write(() => database.run("delete from schedule_lease where owner = ?", owner));
        return;
      }
      await writer.write(() => {
        const relay = database.get<{ relay: number }>(
          `delete from schedule_lease where owner = ? and relay = (select seq from relay where id = ?) returning relay`,
          owner,
          one.relay,
        )?.relay;
        if (relay !== undefined) {
          database.run("update schedule set due = ? where relay = ?", one.dueAt, relay);
        }
      });
    },
    async recall({ now, online, any }) {
      const sql = `update schedule set due = ?1 where due > ?2
        or (due > ?3 and exists (select 1 from relay where seq = schedule.relay and online = 1))`;
      return writer.write(() => database.run(sql, now, any, online));
    },
    async nextDue() {
      const row = database.get<{ due: number }>(
        `select due from schedule where not exists (select 1 from schedule_lease l where l.relay = schedule.relay)
          order by due limit 1`,
      );
      return row?.due ?? null;
    },
    async counts(now) {
      const row = database.get<{ due: number; leased: number }>(
        `select (select count(*) from schedule where due <= ?) as due,
          (select count(*) from schedule_lease) as leased`,
        now,
      );
      return { due: row?.due ?? 0, leased: row?.leased ?? 0 };
    },
  };
}

/** In a transaction, the relay's own. A null `nextAt` is due at once: nobody planned it. */
export function writeDue(
  database: Database,
  relay: number,
  plan: { readonly nextAt: string | null; readonly place: RelayPlace },
): void {
  const due = plan.nextAt === null ? 0 : Date.parse(plan.nextAt);
  database.run(
    `insert into schedule (relay, due, host, domain) values (?1, ?2, ?3, ?4)
      on conflict do update set due = ?2, host = ?3, domain = ?4`,
    relay,
    due,
    plan.place.host,
    plan.place.domain,
  );
}

/** In a transaction. False when `owner` has no lease of the relay, or no longer. */
export function endLease(database: Database, relay: number, owner: string): boolean {
  return database.run("delete from schedule_lease where relay = ? and owner = ?", relay, owner) > 0;
}

const dueSql = `select s.relay, s.host, s.domain from schedule s where s.due <= ?1
  and not exists (select 1 from schedule_lease l where l.relay = s.relay)
  and s.host not in (select value from json_each(?2)) and s.domain not in (select value from json_each(?3))
  order by s.due, s.host, s.domain`;

interface DueRow extends RelayPlace {
  readonly relay: number;
}

/** In a transaction. */
function lease(database: Database, ask: LeaseAsk): Leased {
  database.run(
    "delete from schedule_lease where owner <> ?1 and (until <= ?2 or until > ?2 + 2 * ?3)",
    ask.owner,
    ask.now,
    ask.leaseMs,
  );
  const hosts = createRoom(ask.perHost, ask.mostPerHost);
  const domains = createRoom(ask.perDomain, ask.mostPerDomain);
  const held = database.all<RelayPlace & { since: number }>(
    "select s.host, s.domain, l.since from schedule_lease l join schedule s on s.relay = l.relay",
  );
  for (const { host, domain, since } of held) {
    const slow = ask.now - since > ask.slowMs;
    hosts.take(host, slow);
    domains.take(domain, slow);
  }
  const picked = pick(database, ask, { hosts, domains });
  const relays: LeasedRelay[] = [];
  for (const { relay, host, domain } of picked) {
    const { id } = database.get<{ id: string }>("select id from relay where seq = ?", relay) as {
      id: string;
    };
    database.run(
      "insert into schedule_lease (relay, owner, since, until) values (?, ?, ?, ?)",
      relay,
      ask.owner,
      ask.now,
      ask.now + ask.leaseMs,
    );
    relays.push({ id, host, domain });
  }
  const full = hosts.full().length > 0 || domains.full().length > 0;
  return { relays, more: picked.length === ask.limit || full };
}

/** Relays at places that are full are passed over here, and by SQLite itself once there are many. */
function pick(
  database: Database,
  { now, limit }: LeaseAsk,
  { hosts, domains }: { readonly hosts: Room; readonly domains: Room },
): readonly DueRow[] {
  const picked = new Map<number, DueRow>();
  let again = limit > 0;
  while (again) {
    again = false;
    let skipped = 0;
    const full = [hosts, domains].map((room) => JSON.stringify(room.full()));
    for (const row of database.iterate<DueRow>(dueSql, now, full[0] ?? "[]", full[1] ?? "[]")) {
      if (picked.has(row.relay)) continue;
      if (hosts.has(row.host) && domains.has(row.domain)) {
        hosts.take(row.host, false);
        domains.take(row.domain, false);
        picked.set(row.relay, { ...row });
        if (picked.size === limit) return [...picked.values()];
      } else {
        skipped += 1;
        again = skipped >= FULL_ROWS_SKIPPED;
        if (again) break;
      }
    }
  }
  return [...picked.values()];
}

interface Room {
  has(place: string): boolean;
  take(place: string, slow: boolean): void;
  /** Places without room. */
  full(): readonly string[];
}

/** `quick`: leases at once at a place, the slow ones not counted; `most`: counted. */
function createRoom(quick: number, most: number): Room {
  const taken = new Map<string, { quick: number; all: number }>();
  const full = new Set<string>();
  return {
    has: (place) => !full.has(place),
    take(place, slow) {
      const count = taken.get(place) ?? { quick: 0, all: 0 };
      taken.set(place, count);
      count.all += 1;
      if (!slow) count.quick += 1;
      if (count.quick >= quick || count.all >= most) full.add(place);
    },
    full: () => [...full],
  };
}
