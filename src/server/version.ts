/** The version of this package, from its own package.json: the same file beside `src/` and beside the built `dist/`. */
import { readFileSync } from "node:fs";

export const version: string = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }
).version;
