/**
 * `npm run prepare`, which npm runs after `npm ci` and `npm install`: the library entries, the command and what browsers are given, so
 * that in a fresh checkout `node examples/greet.ts` finds `openmcp/kit` under the package's own name, `npx openmcp` runs, `openmcp new`
 * has a whole package to pack, and a catalog has its pages. Packing built all of it a moment before (`prepack`), and is not made to wait
 * twice.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
if (!["pack", "publish"].includes(process.env.npm_command ?? "")) {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const { status } = spawnSync(process.execPath, [compiler, "-p", join(root, "tsconfig.build.json")], {
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
  const { buildCommand } = await import("./command.ts");
  await buildCommand(join(root, "dist", "cli"));
  await import("./web.ts");
}
