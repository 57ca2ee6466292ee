/**
 * Notifications to any number of readers, each with a buffer of its own: one that reads slowly or not at all holds up nobody and
 * costs a bounded amount. Its oldest fall out, and the next that it reads says how many.
 */
import { NOTIFICATION_BUFFER } from "../limits.ts";

export interface McpNotification {
  readonly method: string;
  readonly params: unknown;
  /** How many were lost before this one, because they were not read in time. */
  readonly missed: number;
}

export interface NotificationFeed extends AsyncIterable<McpNotification> {
  publish(message: { readonly method: string; readonly params?: unknown }): void;
  /** Readers get what is in their buffers, and end. */
  end(): void;
}

interface Reader {
  push(message: { readonly method: string; readonly params?: unknown }): void;
  end(): void;
}

export function createNotificationFeed(buffer: number = NOTIFICATION_BUFFER): NotificationFeed {
  const readers = new Set<Reader>();
  let ended = false;
  return {
    publish(message) {
      for (const reader of readers) reader.push(message);
    },
    end() {
      ended = true;
      for (const reader of readers) reader.end();
      readers.clear();
    },
    [Symbol.asyncIterator](): AsyncIterator<McpNotification, undefined> {
      const waiting: McpNotification[] = [];
      let missed = 0;
      let over = ended;
      let wake: (() => void) | null = null;
      const stir = (): void => {
        wake?.();
        wake = null;
      };
      const reader: Reader = {
        push({ method, params }) {
          if (waiting.length >= buffer) {
            const lost = waiting.shift();
            missed += 1 + (lost?.missed ?? 0);
            const next = waiting[0];
            if (next !== undefined) {
              waiting[0] = { ...next, missed: next.missed + missed };
              missed = 0;
            }
          }
          waiting.push({ method, params, missed });
          missed = 0;
          stir();
        },
        end() {
          over = true;
          stir();
        },
      };
      // From here on, not from the first `next()`: what comes between is kept.
      if (!ended) readers.add(reader);
      return {
        async next() {
          for (;;) {
            const value = waiting.shift();
            if (value !== undefined) return { value, done: false };
            if (over) return { value: undefined, done: true };
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        },
        async return() {
          readers.delete(reader);
          reader.end();
          waiting.length = 0;
          return { value: undefined, done: true };
        },
      };
    },
  };
}
