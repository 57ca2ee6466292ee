/** Sessions in memory: for one process. They end with it, and a client that is told 404 opens another. */
import type { SessionRecord, SessionStore } from "./session-store.ts";

export function createMemorySessionStore(): SessionStore {
  const records = new Map<string, SessionRecord>();

  function alive(id: string, now: number): SessionRecord | null {
    const record = records.get(id);
    return record === undefined || record.expiresAt <= now ? null : record;
  }

  const close = async (): Promise<void> => records.clear();
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
      records.set(id, { ...record, expiresAt });
      return true;
    },
    async write(id, { state, version }) {
      const record = records.get(id);
      if (record === undefined || record.version !== version) return false;
      records.set(id, { ...record, state: structuredClone(state), version: version + 1 });
      return true;
    },
    end: async (id) => records.delete(id),
    async prune(now, limit) {
      let pruned = 0;
      for (const { id, expiresAt } of records.values()) {
        if (pruned >= limit) break;
        if (expiresAt > now) continue;
        records.delete(id);
        pruned += 1;
      }
      return pruned;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
