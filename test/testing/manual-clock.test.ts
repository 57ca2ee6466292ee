import { expect, it } from "vitest";
import { createManualClock } from "../../src/testing/index.ts";

it("wakes sleepers in the order of their time, and those they start in turn", async () => {
  const clock = createManualClock(0);
  const woken: [string, number][] = [];
  const note = (name: string) => () => void woken.push([name, clock.now()]);
  void clock.sleep(30).then(note("late"));
  void clock
    .sleep(10)
    .then(note("early"))
    .then(() => clock.sleep(10))
    .then(note("again"));
  await clock.sleeping(2);
  await clock.advance(25);
  expect(woken).toEqual([
    ["early", 10],
    ["again", 20],
  ]);
  await clock.advance(5);
  expect(woken.at(-1)).toEqual(["late", 30]);
  expect(clock.sleepers).toBe(0);
});

it("rejects with the signal's reason, and forgets the sleeper", async () => {
  const clock = createManualClock();
  const controller = new AbortController();
  const sleep = clock.sleep(10, controller.signal);
  controller.abort(new Error("enough"));
  await expect(sleep).rejects.toThrow("enough");
  await expect(clock.sleep(10, controller.signal)).rejects.toThrow("enough");
  expect(clock.sleepers).toBe(0);
});
