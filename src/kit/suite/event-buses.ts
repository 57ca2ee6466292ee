/** Buses: who listens hears, here and elsewhere, until it stops. */
import assert from "node:assert/strict";
import type { BusEvent, EventBus } from "../sessions/event-bus.ts";
import type { EventBusCase } from "./kit-case.ts";

/** The events that a listener heard, and when it has heard so many. */
async function listen(bus: EventBus) {
  const heard: BusEvent[] = [];
  let waiting: (() => void)[] = [];
  const stop = await bus.subscribe((event) => {
    heard.push(event);
    for (const look of waiting) look();
  });
  return {
    heard,
    stop,
    count: (wanted: number): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (heard.length < wanted) return;
          waiting = waiting.filter((other) => other !== look);
          resolve();
        };
        waiting.push(look);
        look();
      }),
  };
}

export const eventBusCases: readonly EventBusCase[] = [
  {
    name: "tells every listener, the publisher's own process too",
    async run(one, other) {
      const [near, far] = [await listen(one), await listen(other)];
      await one.publish({ kind: "tools_list_changed" });
      await other.publish({ kind: "resource_updated", uri: "note://ä?x='1'\"\u{1F600}" });
      for (const end of [near, far]) {
        await end.count(2);
        assert.deepEqual(
          end.heard.toSorted((a, b) => a.kind.localeCompare(b.kind)),
          [{ kind: "resource_updated", uri: "note://ä?x='1'\"\u{1F600}" }, { kind: "tools_list_changed" }],
        );
        end.stop();
      }
    },
  },
  {
    name: "carries any JSON, a long text too",
    async run(one, other) {
      const far = await listen(other);
      const event = { kind: "own", deep: [null, { a: 1.5 }], long: "x".repeat(20_000) };
      await one.publish(event);
      await far.count(1);
      assert.deepEqual(far.heard, [event]);
      far.stop();
    },
  },
  {
    name: "tells nothing to who has stopped, and goes on past one that throws",
    async run(one, other) {
      const gone = await listen(other);
      gone.stop();
      gone.stop();
      const throwing = await other.subscribe(() => {
        throw new Error("a listener's own");
      });
      const far = await listen(other);
      await one.publish({ kind: "prompts_list_changed" });
      await far.count(1);
      assert.deepEqual([gone.heard.length, far.heard.length], [0, 1]);
      throwing();
      far.stop();
    },
  },
  {
    name: "loses none of many at once, small and large",
    async run(one, other) {
      const far = await listen(other);
      const events = Array.from({ length: 60 }, (_, index) => ({
        kind: "own",
        index,
        text: "\u{1F600}".repeat(index % 10 === 0 ? 9_000 : 1),
      }));
      await Promise.all(events.map((event) => one.publish(event)));
      await far.count(events.length);
      const heard = far.heard.toSorted(
        (a, b) => Number(Reflect.get(a, "index")) - Number(Reflect.get(b, "index")),
      );
      assert.deepEqual(heard, events);
      far.stop();
    },
  },
];
