/** Peers and candidates in SQLite; removals are remembered by whoever writes relays, with the functions below. */
import type { Peer } from "../../spec/index.ts";
import type { OfferOptions, PeerCandidate, PeerOffer, PeerPage, PeerStore } from "../peer-store.ts";
import type { Database } from "./database.ts";
import type { Writer } from "./write-turns.ts";

export function createPeerStore(database: Database, writer: Writer): PeerStore {
  return {
    async list() {
      return database
        .all<Peer>(
          `select url, added_at as addedAt, synced_at as syncedAt, last_error as lastError from peer
            order by position`,
        )
        .map((row) => ({ ...row }));
    },
    async add(url, now) {
      const sql = "insert into peer (url, added_at) values (?, ?) on conflict do nothing";
      return writer.write(() => database.run(sql, url, new Date(now).toISOString()) > 0);
    },
    async remove(url) {
      return writer.write(() => database.run("delete from peer where url = ?", url) > 0);
    },
    async synced(url, { error, now }) {
      const sql = `update peer set last_error = ?1, synced_at = case when ?1 is null then ?2 else synced_at end
        where url = ?3`;
      await writer.write(() => database.run(sql, error, new Date(now).toISOString(), url));
    },

    async page(peer, url) {
      const sql = "select url, etag, next from peer_page where peer = ? and url = ?";
      const row = database.get<PeerPage>(sql, peer, url);
      return row === undefined ? null : { ...row };
    },
    async keepPage(peer, { url, etag, next }, now) {
      const sql = `insert into peer_page (peer, url, etag, next, seen_at)
        select ?1, ?2, ?3, ?4, ?5 from peer where url = ?1
        on conflict do update set etag = ?3, next = ?4, seen_at = ?5`;
      await writer.write(() => database.run(sql, peer, url, etag, next, now));
    },
    async seePage(peer, url, now) {
      await writer.write(() => {
        database.run("update peer_page set seen_at = ? where peer = ? and url = ?", now, peer, url);
        database.run("update peer_candidate set seen_at = ? where peer = ? and page = ?", now, peer, url);
      });
    },
    async forgetUnseen(peer, before) {
      await writer.write(() => {
        database.run("delete from peer_page where peer = ? and seen_at < ?", peer, before);
        database.run("delete from peer_candidate where peer = ? and seen_at < ?", peer, before);
      });
    },

    async offer(peer, offers, options) {
      await writer.write(() => takeOffers(database, peer, offers, options));
    },
    async due(peer, now, limit) {
      return database
        .all<PeerCandidate>(
          `select endpoint, url, tries from peer_candidate where peer = ? and due_at <= ?
            order by tries, due_at, endpoint limit ?`,
          peer,
          now,
          limit,
        )
        .map((row) => ({ ...row }));
    },
    async settle(peer, endpoint) {
      const sql = "delete from peer_candidate where peer = ? and endpoint = ?";
      await writer.write(() => database.run(sql, peer, endpoint));
    },
    async postpone(peer, { endpoint, tries }, dueAt) {
      const sql = "update peer_candidate set tries = ?, due_at = ? where peer = ? and endpoint = ?";
      await writer.write(() => database.run(sql, tries, dueAt, peer, endpoint));
    },

    async removedSince(endpoint, after) {
      const sql = "select 1 as found from removed_endpoint where url = ? and at > ?";
      return database.get(sql, endpoint, after) !== undefined;
    },
    async forgetRemoved(before) {
      await writer.write(() => database.run("delete from removed_endpoint where at < ?", before));
    },
  };
}

function takeOffers(
  database: Database,
  peer: string,
  offers: readonly PeerOffer[],
  options: OfferOptions,
): void {
  const { page, now, keptOutMs, most } = options;
  if (database.get("select 1 as found from peer where url = ?", peer) === undefined) return;
  const waiting = "select count(*) as n from peer_candidate where peer = ?";
  let room = most - (database.get<{ n: number }>(waiting, peer)?.n ?? 0);
  for (const { endpoint, url } of offers) {
    if (database.get("select 1 as found from relay_endpoint where url = ?", endpoint) !== undefined) continue;
    const seen = database.run(
      "update peer_candidate set seen_at = ?, page = ? where peer = ? and endpoint = ?",
      now,
      page,
      peer,
      endpoint,
    );
    if (seen > 0 || room <= 0) continue;
    room -= 1;
    database.run(
      `insert into peer_candidate (peer, endpoint, url, page, seen_at, tries, due_at) values (?1, ?2, ?3, ?4, ?5, 0,
        max(?5, coalesce((select at from removed_endpoint where url = ?2), ?5 - ?6) + ?6))`,
      peer,
      endpoint,
      url,
      page,
      now,
      keptOutMs,
    );
  }
}

/** In a transaction: an admin removed the relay of these endpoints. Peers' pages are read anew, for it may come back one day. */
export function rememberRemoved(database: Database, urls: readonly string[], now: number): void {
  for (const url of urls) {
    database.run(
      "insert into removed_endpoint (url, at) values (?1, ?2) on conflict do update set at = ?2",
      url,
      now,
    );
  }
  database.run("delete from peer_page");
}

/** In a transaction: somebody registered a relay of these endpoints here. */
export function forgetRemoval(database: Database, urls: readonly string[]): void {
  for (const url of urls) database.run("delete from removed_endpoint where url = ?", url);
}
