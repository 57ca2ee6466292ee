/**
 * The narrow interfaces of what the composition root hands in: time, randomness, logs, numbers, traces.
 * Pure code takes their values as arguments instead.
 */
import type { CounterName, HistogramName, MetricLabels } from "./metrics.ts";
import type { TraceContext } from "./trace-context.ts";

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
  /** Inside a request: every later line of it carries these fields too. Elsewhere nothing happens. */
  note?(fields: RequestNotes): void;
  /** The id of the request under way; null outside of one. */
  requestId?(): string | null;
}

/** What doors and operations find out about a request. */
export interface RequestNotes {
  /** The pattern, such as `/v1/relays/:id`: a path may hold what only its caller should know. */
  readonly route?: string;
  /** The id of a relay that it is about. */
  readonly relay?: string;
}

/** Counters and timings by name; the names, and the closed sets of label values, are metrics.ts's. */
export interface Meter {
  count<Name extends CounterName>(name: Name, labels: MetricLabels<Name>, by?: number): void;
  /** Times in seconds. */
  observe<Name extends HistogramName>(name: Name, value: number, labels: MetricLabels<Name>): void;
}

/** Facts about a piece of work; never an argument of a call, a credential, or a URL as a stranger gave it. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** `client`: waits for another server; default `internal`. */
  readonly kind?: "internal" | "client";
  readonly attributes?: SpanAttributes;
  /** What the caller said it belongs to; default: the work under way. */
  readonly parent?: TraceContext | undefined;
}

export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks it as failed; `kind` is a word from a closed set, such as an error code. */
  fail(kind: string): void;
}

/** Traces: which work is part of which, and how long each took. */
export interface Tracer {
  /** Runs `work` as a span; work that it starts belongs to it. A rejection marks it as failed and passes through. */
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** What to pass on, so that another server's work belongs to the work under way; null outside of any, and when off. */
  context(): TraceContext | null;
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

export const silentMeter: Meter = { count() {}, observe() {} };

const noSpan: Span = { set() {}, fail() {} };

export const silentTracer: Tracer = { span: (_name, _options, work) => work(noSpan), context: () => null };
