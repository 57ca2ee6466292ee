/** Old changes are dropped by the clock, in steps, and by nothing else. */
import { describe, expect, it } from "vitest";
import { createChangePruner } from "../../src/catalog/index.ts";
import { CHANGES_KEPT_MS, PRUNE_EVERY_MS, PRUNE_STEP } from "../../src/catalog/limits.ts";
import { sampleRecord, sampleWrite } from "../../src/store/suite/samples.ts";
import { createManualClock } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { startTestCatalog } from "./fixture.ts";

const DAY = 24 * 60 * 60 * 1_000;

describe("changes", () => {
  it("are kept for 30 days, and dropped however many they are", verifies("changes.gone"), async () => {
    expect(CHANGES_KEPT_MS).toBe(30 * DAY);
    const clock = createManualClock();
    await using catalog = await startTestCatalog({ clock });
    const { store, context } = catalog;
    let revision: number | null = null;
    const append = async (count: number): Promise<void> => {
      const events = Array.from({ length: count }, () => ({
        id: crypto.randomUUID(),
        event: "relay.updated" as const,
      }));
      const outcome = await store.relays.save(
        sampleWrite(sampleRecord("a.example"), { revision, events, now: clock.now() }),
      );
      if (!outcome.ok) throw new Error(outcome.conflict);
      revision = outcome.revision;
    };
    const kept = async () => (await store.changes.latest()) - (await store.changes.oldest()) + 1;
    await append(3 * PRUNE_STEP + 1);
    await using pruner = createChangePruner(context);
    pruner.start();
    await clock.sleeping(1);
    await clock.advance(15 * DAY);
    await append(5);
    await clock.advance(15 * DAY);
    expect(await kept()).toBe(3 * PRUNE_STEP + 6);
    await clock.advance(PRUNE_EVERY_MS);
    await clock.sleeping(1);
    expect(await kept()).toBe(5);
    await clock.advance(16 * DAY);
    await clock.sleeping(1);
    expect(await kept()).toBe(0);
  });
});
