/** `openmcp connect`: a server over stdio that is a bridge to one over HTTP; for applications that start commands only. */
import { Option } from "commander";
import type { CommandModule } from "../command.ts";
import { headerOption } from "../desktop/given-headers.ts";

interface ConnectOptions {
  readonly relayToken?: string;
  readonly header?: Readonly<Record<string, string>>;
  readonly through?: true;
}

export const connect: CommandModule = {
  define(command, { run }) {
    command
      .argument(
        "[target]",
        "a relay's id or an endpoint's URL; absent: the catalog, and so every relay in it",
      )
      .addOption(
        new Option(
          "--relay-token <token>",
          "your credential for the relay; the variable keeps it out of `ps`",
        ).env("OPENMCP_RELAY_TOKEN"),
      )
      .option(
        "--header <header>",
        `sent with every request, "Name: value"; \${NAME} in it is a variable; may be repeated`,
        headerOption,
      )
      .option(
        "--through",
        "speak to the relay through the catalog, for where it can't be reached from here; the token goes along, headers don't",
      )
      .addHelpText(
        "after",
        `
Standard input and output are the protocol's, in whichever version the application
and the relay speak; remarks go to standard error. It ends with its input.

Examples:
  openmcp connect https://weather.example/mcp
  openmcp connect weather.example --header 'X-Key: \${WEATHER_KEY}'
  openmcp connect weather.example --through
  openmcp connect --catalog https://catalog.example

\`openmcp install\` writes such a command into an application.`,
      )
      .action((target: string | undefined, options: ConnectOptions) =>
        run(async (shell) =>
          (await import("../desktop/run-bridge.ts")).runBridge(shell, { target, ...options }),
        ),
      );
  },
};
