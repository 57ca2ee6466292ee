/** `catalog.ts <database> <dist|src> [refresh] [uncounted]`: the catalog, as `openmcp serve` runs it, on a port of its own; by default it looks at nothing. */
import { join } from "node:path";

const [db = ":memory:", from = "src", refresh = "off", counted = "counted"] = process.argv.slice(2);
const entry = from === "dist" ? "dist/server/index.js" : "src/server/index.ts";
const { parseServeOptions, startCatalog } = (await import(
  join(import.meta.dirname, "..", "..", entry)
)) as typeof import("../../src/server/index.ts");
const catalog = await startCatalog(
  parseServeOptions({ port: 0, db, refresh, logLevel: "warn", limits: "off" }),
  {
    metrics: counted !== "uncounted",
  },
);
process.on("disconnect", () => process.exit(0));
process.on("SIGTERM", () => {
  void catalog.close().then(() => process.exit(0));
});
process.send?.({ url: catalog.url });
