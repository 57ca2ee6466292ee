/** `catalog.ts <database> <dist|src> [refresh] [uncounted]`: the catalog as the process that `openmcp serve` runs, on a port of its own; by default it looks at nothing. */
import { join } from "node:path";
import type { ServeProcess } from "../../src/server/index.ts";

const [db = ":memory:", from = "src", refresh = "off", counted = "counted"] = process.argv.slice(2);
const entry = from === "dist" ? "dist/server/index.js" : "src/server/index.ts";
const { parseServeOptions, serveCatalog } = (await import(
  join(import.meta.dirname, "..", "..", entry)
)) as typeof import("../../src/server/index.ts");

/** The summary is not for the screen here: its first URL is what the bench waits for. */
const runtime: ServeProcess = {
  stderr: process.stderr,
  stdout: {
    write(text: string) {
      process.send?.({ url: /http:\/\/\S+:\d+/.exec(text)?.[0] });
    },
  },
  on: (signal, listener) => process.on(signal, listener),
  removeListener: (signal, listener) => process.removeListener(signal, listener),
  exit: (code) => process.exit(code),
};
process.on("disconnect", () => process.exit(0));
process.exitCode = await serveCatalog(
  parseServeOptions({ port: 0, db, refresh, logLevel: "warn", limits: "off" }),
  { runtime, metrics: counted !== "uncounted" },
);
process.disconnect?.();
