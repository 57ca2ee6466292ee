/** Who listens to a bus in this process, the same for every adapter. */

export interface BusListeners<Event> {
  /** As the bus's own. */
  subscribe(hear: (event: Event) => void): Promise<() => void>;
  tell(event: Event): void;
  /** Nobody hears afterwards. */
  clear(): void;
}

export function createBusListeners<Event>(): BusListeners<Event> {
  // An entry each: one function may listen twice.
  const listeners = new Set<{ readonly hear: (event: Event) => void }>();
  return {
    async subscribe(hear) {
      const entry = { hear };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    tell(event) {
      for (const { hear } of [...listeners]) {
        try {
          hear(event);
        } catch {
          // Its own affair: the others hear all the same.
        }
      }
    },
    clear: () => listeners.clear(),
  };
}
