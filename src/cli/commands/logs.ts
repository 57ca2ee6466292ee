/** `openmcp logs`: what Claude Desktop wrote about a server. */
import type { CommandModule } from "../command.ts";
import type { LogsOptions } from "../desktop/run-logs.ts";
import { countOption } from "../option-values.ts";

export const logs: CommandModule = {
  define(command, { run }) {
    command
      .usage("[name | id | url | command...] [options]")
      .argument(
        "[target...]",
        "the server's name, or what was installed; absent: what Claude Desktop says of all",
      )
      .option("-f, --follow", "go on with what is written from now on; Ctrl-C ends it")
      .option("-n, --lines <count>", "lines from the end", countOption(100_000), 40)
      .addHelpText(
        "after",
        `
A server's standard error is in its log, and the messages that went to and fro. The
other applications show their logs in their own windows.

Examples:
  openmcp logs weather -f
  openmcp logs weather.example
  openmcp logs -n 200`,
      )
      .action((target: readonly string[], options: LogsOptions) =>
        run(async (shell) => (await import("../desktop/run-logs.ts")).runLogs(shell, { ...options, target })),
      );
  },
};
