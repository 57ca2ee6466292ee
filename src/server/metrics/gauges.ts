/** What is counted in the store when someone asks for the metrics: relays, and the work that waits. */
import type { Clock, GaugeName, MetricLabels } from "../../spec/index.ts";
import type { Store } from "../../store/index.ts";

export interface Reading<Name extends GaugeName> {
  readonly labels: MetricLabels<Name>;
  readonly value: number;
}

export type Gauges = { readonly [Name in GaugeName]: () => Promise<readonly Reading<Name>[]> };

type Queue = MetricLabels<"queue_depth">["queue"];

export function createGauges({
  store,
  clock,
  version,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly version: string;
}): Gauges {
  const queues: Readonly<Record<Queue, () => Promise<number>>> = {
    "search-index": () => store.searchIndex.pending(),
    bulk: () => store.jobs.waiting(),
    imports: () => store.imports.waiting(),
    "due-relays": async () => (await store.schedule.counts(clock.now())).due,
    webhooks: () => store.webhooks.waiting(),
  };
  return {
    queue_depth: () =>
      Promise.all(
        (Object.keys(queues) as Queue[]).map(async (queue) => ({
          labels: { queue },
          value: await queues[queue](),
        })),
      ),
    relays: async () => [{ labels: {}, value: (await store.relays.counts()).relays }],
    relays_online: async () => [{ labels: {}, value: (await store.relays.counts()).online }],
    build_info: async () => [{ labels: { version }, value: 1 }],
  };
}
