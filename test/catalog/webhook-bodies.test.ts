import { expect, it } from "vitest";
import { createBodies } from "../../src/catalog/webhooks/bodies.ts";
import { RawJson } from "../../src/spec/index.ts";
import type { DueDelivery } from "../../src/store/index.ts";

const MIB = 1024 * 1024;

it("counts what was pushed out while it was read once: what it holds stays what is there", async () => {
  const reads: number[] = [];
  const waiting = new Map<number, (() => void)[]>();
  const bodies = createBodies(
    {
      async body(change) {
        reads.push(change);
        if (change === 1) {
          await new Promise<void>((resolve) => waiting.set(1, [...(waiting.get(1) ?? []), resolve]));
        }
        return new RawJson(`"${"x".repeat(change === 1 ? 33 * MIB : change < 4 ? 20 * MIB : 10)}"`);
      },
    },
    "https://catalog.example",
  );
  const ask = (change: number) => {
    const delivery = { key: 1, id: "d", event: "relay.updated", at: "", relay: "r", change, attempts: 0 };
    return bodies.signed(delivery as DueDelivery, "secret");
  };
  const first = ask(1);
  await ask(2);
  await ask(3);
  const second = ask(1);
  for (const go of waiting.get(1) ?? []) go();
  await Promise.all([first, second]);
  await ask(4);
  await ask(5);
  await ask(4);
  expect(reads).toEqual([1, 2, 3, 1, 4, 5]);
});
