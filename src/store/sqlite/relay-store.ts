/** The relay side of the SQLite store: each call one statement, or one transaction. */
import type { FacetCount, TagCount } from "../../spec/index.ts";
import type { RelayStore } from "../store.ts";
import { createCallRoutes } from "./call-route.ts";
import type { Database } from "./database.ts";
import { listEndpoints } from "./endpoint-list.ts";
import {
  findRelayByEndpoint,
  getRelay,
  getRelayJson,
  listRecords,
  listRelaySummaries,
  relayBlocks,
} from "./relay-read.ts";
import { removeRelay, saveRelay } from "./relay-write.ts";
import type { Writer } from "./write-turns.ts";

type FacetRow = Omit<FacetCount, "online" | "verified"> & {
  readonly online: number;
  readonly verified: number;
};

export function createRelayStore(database: Database, writer: Writer): RelayStore {
  const routeOf = createCallRoutes(database);
  return {
    get: async (id) => getRelay(database, id),
    getJson: async (id) => getRelayJson(database, id),
    route: async (id, tool) => routeOf(id, tool),
    findByEndpoint: async (endpoint) => findRelayByEndpoint(database, endpoint),
    list: async (filter, page) => listRecords(database, filter, page),
    listSummaries: async (filter, page) => listRelaySummaries(database, filter, page),
    listEndpoints: async (filter, page) => listEndpoints(database, filter, page),
    blocks: async (size) => relayBlocks(database, size),
    async counts() {
      const row = database.get<{ relays: number; online: number }>(
        "select coalesce(sum(relays), 0) as relays, coalesce(sum(relays * online), 0) as online from relay_count",
      );
      return { relays: row?.relays ?? 0, online: row?.online ?? 0 };
    },
    async facets() {
      const rows = database.all<FacetRow>(
        "select online, verified, auth, era, relays from relay_count where relays > 0",
      );
      return rows.map((row) => ({ ...row, online: row.online === 1, verified: row.verified === 1 }));
    },
    async tags(limit) {
      // One text of all: thirty rows would cost more than finding them.
      const sql = `select json_group_array(json_object('tag', tag, 'relays', relays)) as tags
        from (select tag, relays from tag_count order by relays desc, tag limit ?)`;
      return JSON.parse(database.get<{ tags: string }>(sql, limit)?.tags ?? "[]") as readonly TagCount[];
    },
    save: async (write) => writer.write(() => saveRelay(database, write)),
    remove: async (id, event, now) => writer.write(() => removeRelay(database, id, { event: event.id, now })),
    async ids(after, limit) {
      const rows = database.all<{ id: string }>(
        "select id from relay where id > ? order by id limit ?",
        after,
        limit,
      );
      return rows.map((row) => row.id);
    },
  };
}
