/** Work that came in together is worked off in turns of the event loop, in its order, and others are served in between. */
import { expect, it } from "vitest";
import { createTurns } from "../../src/catalog/turns.ts";

it("gives so many a turn, in their order, and lets what waits in between", async () => {
  const turn = createTurns(2);
  const seen: string[] = [];
  const all = Array.from({ length: 5 }, async (_, index) => {
    await turn();
    seen.push(String(index));
  });
  // As a request that comes in: it waits for one turn of the event loop, however many are in line.
  for (let requests = 0; requests < 2; requests += 1) {
    await new Promise(setImmediate);
    seen.push("request");
  }
  await Promise.all(all);
  expect(seen).toEqual(["0", "1", "request", "2", "3", "request", "4"]);
  await turn();
});
