/** A catalog process whose outbound exchanges end after three seconds: hanging relays are judged while a test waits. */
import { parseServeOptions, startCatalog } from "../../src/server/index.ts";

const catalog = await startCatalog(parseServeOptions({ port: 0, db: ":memory:", refresh: "off" }), {
  exchangeTimeoutMs: 3_000,
});
process.stdout.write(`${catalog.url} answers\n`);
