/**
 * Watches the relays of the store that it is given, until it is killed or closed by its channel: `<database> <skewMs>`.
 * Its clock is ahead by `skewMs`: leases of a process that is gone have run out then.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createScheduler } from "../../src/catalog/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { startTestCatalog } from "./fixture.ts";

const [path = "", skew = "0"] = process.argv.slice(2);
const periodMs = 3_600_000;
const store = await openSqliteStore({ path });
const catalog = await startTestCatalog({
  store,
  clock: {
    now: () => Date.now() + Number(skew),
    sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }),
  },
  watch: { periodMs, confirmOffline: 2, random: () => 0.5 },
});
const context = { ...catalog.context, newId: () => crypto.randomUUID() };
const scheduler = createScheduler(context, periodMs);
process.on("disconnect", () => process.exit(0));
process.on("message", async () => {
  await scheduler.close();
  await catalog.close();
  await store.close();
  process.exit(0);
});
scheduler.start();
process.send?.("watching");
