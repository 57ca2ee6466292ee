/** The version of this package: package.json lies two levels up, beside `src/` as beside the built `dist/`. */
import { readFileSync } from "node:fs";

export const version: string = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }
).version;
