/**
 * `npm run build:web`: what browsers are given, into `dist/web`. It runs after `npm ci` too (`prepare.ts`), so that a catalog started
 * from a checkout has its docs and its Explorer without a step of its own.
 */
import { join } from "node:path";
import { buildDirectory } from "./directory.ts";
import { buildDocs } from "./docs.ts";
import { buildExplorer } from "./explorer.ts";

const folder = join(import.meta.dirname, "..", "dist", "web");

await buildDirectory(join(folder, "assets"));
await buildExplorer(join(folder, "explorer"), { module: join(folder, "explorer-files.js") });
await buildDocs(join(folder, "docs"));
