/**
 * The catalog's numbers for Prometheus: spec's table of metrics on prom-client, with the process's own beside them.
 * prom-client is loaded after the start (63 ms); what is counted before waits in a list. Gauges are read when asked for.
 */
import type { Registry } from "prom-client";
import {
  type CounterName,
  type HistogramName,
  type Logger,
  type Meter,
  type MetricDefinition,
  type MetricName,
  metrics,
} from "../../spec/index.ts";
import { MAX_MEASURES_BEFORE_LOADED, SECONDS_BUCKETS } from "../limits.ts";
import type { Gauges } from "./gauges.ts";

export interface Exposition {
  /** Of the text format, with its version. */
  readonly contentType: string;
  readonly text: string;
}

export interface CatalogMeter extends Meter {
  /** All metrics as they are now. A gauge that can't be read is left out. */
  expose(): Promise<Exposition>;
  /** Loads prom-client. */
  warm(): Promise<void>;
  /** Idempotent. */
  close(): void;
}

export interface MeterOptions {
  readonly gauges: Gauges;
  readonly logger: Logger;
}

type Labels = Readonly<Record<string, string>>;

interface Sink {
  readonly registry: Registry;
  count(name: CounterName, labels: Labels, by: number): void;
  observe(name: HistogramName, labels: Labels, value: number): void;
  set(name: MetricName, readings: readonly { readonly labels: Labels; readonly value: number }[]): void;
}

export function createMeter({ gauges, logger }: MeterOptions): CatalogMeter {
  let loading: Promise<Sink> | null = null;
  let sink: Sink | null = null;
  let waiting: ((sink: Sink) => void)[] = [];

  function load(): Promise<Sink> {
    loading ??= import("prom-client").then(({ default: client }) => {
      sink = createSink(client);
      for (const measure of waiting) measure(sink);
      waiting = [];
      return sink;
    });
    return loading;
  }

  function take(measure: (sink: Sink) => void): void {
    if (sink !== null) measure(sink);
    else if (waiting.length < MAX_MEASURES_BEFORE_LOADED) waiting.push(measure);
  }

  return {
    count: (name, labels, by = 1) => take((to) => to.count(name, labels as Labels, by)),
    observe: (name, value, labels) => take((to) => to.observe(name, labels as Labels, value)),
    async expose() {
      const to = await load();
      for (const [name, read] of Object.entries(gauges) as [keyof Gauges, Gauges[keyof Gauges]][]) {
        try {
          to.set(name, await read());
        } catch (error) {
          to.set(name, []);
          logger.warn({ metric: name, err: error }, "a gauge could not be read");
        }
      }
      return { contentType: to.registry.contentType, text: await to.registry.metrics() };
    },
    async warm() {
      await load();
    },
    close() {
      sink?.registry.clear();
    },
  };
}

function createSink(client: typeof import("prom-client")): Sink {
  const registry = new client.Registry();
  client.collectDefaultMetrics({ register: registry });
  const of = <Made>(kind: MetricDefinition["kind"], make: (config: Config) => Made): Map<string, Made> =>
    new Map(
      Object.entries<MetricDefinition>(metrics)
        .filter(([, definition]) => definition.kind === kind)
        .map(([name, { help, labels }]) => [
          name,
          make({ name: `openmcp_${name}`, help, labelNames: Object.keys(labels), registers: [registry] }),
        ]),
    );
  const counters = of("counter", (config) => new client.Counter(config));
  const histograms = of(
    "histogram",
    (config) => new client.Histogram({ ...config, buckets: [...SECONDS_BUCKETS] }),
  );
  const gauges = of("gauge", (config) => new client.Gauge(config));
  return {
    registry,
    count: (name, labels, by) => counters.get(name)?.inc(labels, by),
    observe: (name, labels, value) => histograms.get(name)?.observe(labels, value),
    set(name, readings) {
      const gauge = gauges.get(name);
      gauge?.reset();
      // `reset` sets a gauge without labels to 0; absence is reported as absence.
      if (readings.length === 0) gauge?.remove();
      for (const { labels, value } of readings) gauge?.set(labels, value);
    },
  };
}

interface Config {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly registers: Registry[];
}
