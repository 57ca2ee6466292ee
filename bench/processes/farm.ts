/**
 * `farm.ts <first> <count> <toolsEven> <toolsOdd> <callDelayMs> <freshSeconds>`: fake relays on loopback addresses of their
 * own. A message `{delayMs}` changes the pause before every answer; it is answered with the requests answered so far.
 */
import { startFakeFarm } from "../../src/testing/index.ts";
import { openToolSupply, wordOf } from "../lib/tools.ts";

const [first = 0, count = 0, toolsEven = 10, toolsOdd = 10, callDelayMs = 0, freshSeconds = 0] = process.argv
  .slice(2)
  .map(Number);
const supply = openToolSupply();
const farm = await startFakeFarm(count, {
  first,
  callDelayMs,
  descriptorHeaders: { etag: '"one"', "cache-control": `max-age=${freshSeconds}` },
  tools: (index) => supply.toolsOf(index, index % 2 === 0 ? toolsEven : toolsOdd),
  // A word that no tool has: by it the bench sees when this relay can be found.
  descriptor: (index) => ({
    openmcp: "0.1",
    mcp: "/mcp",
    name: `Relay ${wordOf(index)}`,
    auth: { kind: "none" },
  }),
});
process.on("message", (changes: { delayMs: number }) => {
  farm.update(changes);
  process.send?.({ answered: farm.answered });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ urls: farm.urls, source: supply.source });
