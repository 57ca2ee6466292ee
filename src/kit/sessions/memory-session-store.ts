/** Sessions in memory: for one process. They end with it, and a client that is told 404 opens another. */
import type { JsonObject } from "../../spec/index.ts";
import { MAX_REMEMBERED } from "../limits.ts";
import type { SessionRecord, SessionStore } from "./session-store.ts";

export function createMemorySessionStore(): SessionStore {
  const records = new Map<string, SessionRecord>();
  const remembered = new Map<string, Map<string, JsonObject>>();

  function remove(id: string): boolean {
    remembered.delete(id);
    return records.delete(id);
  }

  function alive(id: string, now: number): SessionRecord | null {
    const record = records.get(id);
    return record === undefined || record.expiresAt <= now ? null : record;
  }

  const close = async (): Promise<void> => {
    records.clear();
    remembered.clear();
  };
  return {
    async open(record) {
      if (records.has(record.id)) throw new Error("there is a session with this id");
      records.set(record.id, structuredClone(record));
    },
    async read(id, now) {
      const record = alive(id, now);
      return record === null ? null : structuredClone(record);
    },
    async touch(id, { now, expiresAt }) {
      const record = alive(id, now);
      if (record === null) return false;
      records.set(id, { ...record, expiresAt: Math.max(record.expiresAt, expiresAt) });
      return true;
    },
    async write(id, { state, version }) {
      const record = records.get(id);
      if (record === undefined || record.version !== version) return false;
      records.set(id, { ...record, state: structuredClone(state), version: version + 1 });
      return true;
    },
    async remember(id, { key, value }) {
      if (!records.has(id)) return false;
      const kept = remembered.get(id) ?? new Map<string, JsonObject>();
      remembered.set(id, kept);
      if (value === null) kept.delete(key);
      else if (kept.has(key) || kept.size < MAX_REMEMBERED) kept.set(key, structuredClone(value));
      return true;
    },
    recall: async (id) => [...(remembered.get(id)?.values() ?? [])].map((value) => structuredClone(value)),
    end: async (id) => remove(id),
    async prune(now, limit) {
      let pruned = 0;
      for (const { id, expiresAt } of records.values()) {
        if (pruned >= limit) break;
        if (expiresAt > now) continue;
        remove(id);
        pruned += 1;
      }
      return pruned;
    },
    async trim({ max, user }) {
      const all = [...records.values()]
        .filter((record) => user === undefined || record.user === user)
        .sort((a, b) => a.expiresAt - b.expiresAt)
        .map(({ id }) => id);
      const ended = all.slice(0, Math.max(0, all.length - max));
      for (const id of ended) remove(id);
      return ended;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
