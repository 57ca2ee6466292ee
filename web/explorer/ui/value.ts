/** A value that views follow: the little that is needed of a store. Knows no view. */

export interface Value<T> {
  get(): T;
  set(value: T | ((before: T) => T)): void;
  /** Gives the way to stop. */
  follow(listener: () => void): () => void;
}

export function createValue<T>(first: T): Value<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      const made = typeof next === "function" ? (next as (before: T) => T)(value) : next;
      if (Object.is(made, value)) return;
      value = made;
      for (const listener of [...listeners]) listener();
    },
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
