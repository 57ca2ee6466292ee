/** An instance as its own process: its name, the kind of database, where that is and where in it. It writes its URL, and ends with its input. */
import { openPostgres } from "../../src/kit/postgres/index.ts";
import { openRedis } from "../../src/kit/redis/index.ts";
import { createInstance } from "./instance.ts";

const [name = "", kind = "", where = "", place = ""] = process.argv.slice(2);
const shared =
  kind === "redis"
    ? await openRedis({ client: where, prefix: place })
    : await openPostgres({ client: where, schema: place });
const kit = createInstance(name, shared);
const on = await kit.listen();
process.stdout.write(`${on.url}\n`);
process.stdin.resume().once("end", async () => {
  await on.close();
  await shared.close();
});
