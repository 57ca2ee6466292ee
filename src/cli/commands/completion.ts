/** `openmcp completion`: a script for the shell, made from the commands themselves so that it never falls behind. */
import { Argument, Option } from "commander";
import { OpenMcpError } from "../../spec/index.ts";
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { describeProgram } from "../completion/model.ts";
import { type CompletionShell, completionScript, completionShells } from "../completion/scripts.ts";
import { exitCodes } from "../exit-code.ts";
import { COMPLETION_TIMEOUT_MS } from "../limits.ts";

export const completion: CommandModule = {
  define(command, { run, wholeProgram }) {
    command
      .addArgument(new Argument("[shell]", "the shell to complete in").choices(completionShells))
      // Asked by the scripts themselves when a relay's id is wanted.
      .addOption(new Option("--ids").hideHelp())
      .addHelpText(
        "after",
        `
Relay ids are completed too, from the catalog that is named.

Set up:
  bash   echo 'source <(openmcp completion bash)' >> ~/.bashrc
  zsh    openmcp completion zsh > "\${fpath[1]}/_openmcp"
  fish   openmcp completion fish > ~/.config/fish/completions/openmcp.fish`,
      )
      .action((shell: CompletionShell | undefined, options: { readonly ids?: true }) =>
        run(async (terminal) => {
          if (options.ids) {
            for (const id of await relayIds(terminal)) terminal.print(id);
            return exitCodes.ok;
          }
          if (shell === undefined) {
            throw new OpenMcpError("invalid-input", "Name a shell: bash, zsh or fish.", {
              data: { field: "shell" },
            });
          }
          terminal.print(completionScript(shell, describeProgram(await wholeProgram())));
          return exitCodes.ok;
        }),
      );
  },
};

/** None when no catalog answers: a person pressing Tab wants no error. */
async function relayIds(shell: Parameters<typeof openCatalog>[0]): Promise<readonly string[]> {
  try {
    await using catalog = openCatalog({
      ...shell,
      options: { ...shell.options, timeout: COMPLETION_TIMEOUT_MS },
    });
    const page = await catalog.list({ limit: 500 });
    // An id of another form could run as code in some shell's completion.
    return page.relays.map((relay) => relay.id).filter((id) => /^[a-z0-9.-]+$/.test(id));
  } catch {
    return [];
  }
}
