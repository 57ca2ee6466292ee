/** `openmcp install`: a server into client applications' configurations. */

import type { CommandModule } from "../command.ts";
import { headerOption, variableOption } from "../desktop/given-headers.ts";
import { misplacedOptions } from "../desktop/misplaced-options.ts";
import type { InstallOptions } from "../desktop/run-install.ts";
import { clientOption, dryRunOption, scopeOption } from "../desktop/which-clients.ts";

export const install: CommandModule = {
  define(command, { run }) {
    command
      .usage("[id | url | command...] --client <names> [options]")
      .argument("[target...]", "a relay's id, an endpoint's URL or a command; absent: the whole catalog")
      .addOption(clientOption("the applications; commas between").makeOptionMandatory())
      .option("--name <name>", "the server's name there (default: made of the target)")
      .option("--env <NAME=value>", "a variable for a command; may be repeated", variableOption)
      .option("--header <header>", 'sent to a URL, "Name: value"; may be repeated', headerOption)
      .option("--relay-token <token>", "your credential for a URL; written into the file")
      .addOption(scopeOption())
      .addOption(dryRunOption())
      .addHelpText(
        "after",
        `
One entry changes; all else in the file stays as it is, and a copy of it is kept beside
it. A file that does not parse is left alone. What you give with --env, --header and
--relay-token is written, and shown nowhere; VS Code asks for it instead.

Programs are written with their whole path, for applications have a thin PATH. Claude
Desktop takes no URL in its file: \`openmcp connect\` carries it.

Examples:
  openmcp install weather.example --client claude-desktop
  openmcp install https://weather.example/mcp --client vscode,cursor --header 'X-Key: 1a2b'
  openmcp install --client claude-code --scope project -- npx -y @acme/server@1.2.3
  openmcp install --client all --dry-run`,
      )
      .action((target: readonly string[], options: InstallOptions) =>
        run(async (shell) => {
          const misplaced = misplacedOptions(target);
          if (misplaced.length > 0) {
            shell.note(
              `${shell.noteStyle.warn("!")} ${misplaced.join(", ")} behind the command belongs to it, and is passed on. If it is meant for \`openmcp install\`, give it before the command.`,
            );
          }
          return (await import("../desktop/run-install.ts")).runInstall(shell, { ...options, target });
        }),
      );
  },
};
