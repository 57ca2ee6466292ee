/** How much of one kind is under way in this process, by key: enough to say no, nothing to wait in. */

export interface Crowd {
  /** How many are in under `key`. */
  size(key: string): number;
  /** Runs `work` as one of those under each of the keys. */
  run<T>(keys: readonly string[], work: () => Promise<T>): Promise<T>;
}

export function createCrowd(): Crowd {
  const sizes = new Map<string, number>();
  const size = (key: string): number => sizes.get(key) ?? 0;

  function leave(key: string): void {
    const left = size(key) - 1;
    if (left > 0) sizes.set(key, left);
    else sizes.delete(key);
  }

  return {
    size,
    async run(keys, work) {
      for (const key of keys) sizes.set(key, size(key) + 1);
      try {
        return await work();
      } finally {
        for (const key of keys) leave(key);
      }
    },
  };
}
