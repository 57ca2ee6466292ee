/** What the documents at well-known places may be behind by. */

/** Milliseconds for which another process's writes, and a new peer, may be missing: caches may keep a descriptor 300 s. */
export const FACTS_KEPT_MS = 100;
