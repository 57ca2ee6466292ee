/** Takes one token at a time from a budget of the file it is given, as often as it is told, and says how often it got one. */
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { NOW } from "../../src/store/suite/samples.ts";

const [path = "", times = "0"] = process.argv.slice(2);
await using store = await openSqliteStore({ path });
let given = 0;
for (let round = 0; round < Number(times); round += 1) {
  const rule = { perMinute: 60, burst: 1_000 };
  const { ok } = await store.budgets.take({ client: "192.0.2.1", budget: "call", rule, cost: 1, now: NOW });
  if (ok) given += 1;
}
process.stdout.write(`${given}\n`);
