/**
 * The narrow interfaces of what the composition root hands in: time, randomness, logs, numbers.
 * Pure code takes their values as arguments instead.
 */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Structured logging; fields never hold a credential, a body or an argument of a call. */
export interface Logger {
  debug(fields: Readonly<Record<string, unknown>>, message: string): void;
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Counters and timings by name; label values come from closed sets, never from a relay. */
export interface Meter {
  count(name: string, labels?: Readonly<Record<string, string>>, by?: number): void;
  observe(name: string, value: number, labels?: Readonly<Record<string, string>>): void;
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

export const silentMeter: Meter = { count() {}, observe() {} };
