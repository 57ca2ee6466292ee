/** `openmcp new`: a relay to begin with, in a folder of its own. It writes files and nothing else: what is installed is the person's. */
import { basename, relative, resolve } from "node:path";
import { OpenMcpError } from "../../spec/index.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { makeStarter } from "../new/make-starter.ts";
import type { StarterVersions } from "../new/starter.ts";
import { ownHome } from "../own-package.ts";
import { printableLine } from "../terminal/printable.ts";
import { ownPackage, version } from "../version.ts";

export const newRelay: CommandModule = {
  define(command, { run }) {
    command
      .argument("<name>", "the relay's name, and its folder's; a path ends in it")
      .addHelpText(
        "after",
        `
Writes a relay in TypeScript with one tool, a test that holds its tools in a snapshot, and pinned dependencies.
A folder that is not empty is refused. Where no registry gave this OpenMCP, a packed copy of it lies in the folder,
and is what npm installs.

Examples:
  openmcp new weather && cd weather && npm install && npm start
  openmcp new relays/weather`,
      )
      .action((place: string) =>
        run(async (shell) => {
          const folder = resolve(place);
          const name = checkedName(basename(folder));
          const own = { home: ownHome, version, pinned: pinnedVersions() };
          const files = await makeStarter({ folder, name, own }, shell);
          if (shell.json) {
            shell.printJson({ ok: true, name, folder, files: [...files.keys()] });
            return exitCodes.ok;
          }
          const { style } = shell;
          const where = relative(process.cwd(), folder);
          const enter =
            where === "" ? "" : `cd ${/^[\w./-]+$/.test(where) ? where : JSON.stringify(where)} && `;
          shell.print(`${style.good("✓")} ${style.strong(name)} is in ${printableLine(folder)}`);
          for (const file of files.keys()) shell.print(`  ${style.quiet(file)}`);
          shell.print(`\nRun it:  ${printableLine(`${enter}npm install && npm start`)}`);
          // A checkout brings a Node of its own, the new folder does not.
          const least = own.pinned.node.replace(/^>=/, "");
          shell.print(style.quiet(`It needs Node ${least} or newer: \`node --version\` tells yours.`));
          return exitCodes.ok;
        }),
      );
  },
};

/** npm refuses a package that depends on itself, and some names are its own. */
const TAKEN: ReadonlySet<string> = new Set(["openmcp", "zod", "typescript", "node_modules", "favicon.ico"]);

/** @throws OpenMcpError `invalid-input` for what is no package's name. */
function checkedName(name: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name) && !TAKEN.has(name)) return name;
  throw new OpenMcpError(
    "invalid-input",
    `"${name}" can't be a relay's name: lowercase letters, digits, dots, dashes and underscores, at most 100, and no package's that it needs.`,
    { data: { field: "name" } },
  );
}

/** What this package was tested with. */
function pinnedVersions(): Omit<StarterVersions, "openmcp"> {
  const { dependencies, devDependencies, engines } = ownPackage;
  return {
    server: dependencies["@modelcontextprotocol/server"] as string,
    zod: dependencies.zod as string,
    typescript: devDependencies.typescript as string,
    nodeTypes: devDependencies["@types/node"] as string,
    node: engines.node,
  };
}
