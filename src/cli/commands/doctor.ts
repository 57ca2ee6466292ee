/** `openmcp doctor`: what keeps a server from working in an application, with its cure. */
import type { CommandModule } from "../command.ts";
import type { DoctorOptions } from "../desktop/run-doctor.ts";
import { clientOption } from "../desktop/which-clients.ts";

export const doctor: CommandModule = {
  define(command, { run }) {
    command
      .usage("[name | id | url | command...] [options]")
      .argument(
        "[target...]",
        "a server's name in an application, a relay's id, a URL or a command; absent: all that is installed",
      )
      .addOption(clientOption("only these applications; commas between"))
      .addHelpText(
        "after",
        `
Each server is started as the application would: from another folder, with a bare
environment, its standard output looked at byte by byte. A URL is asked as the
application would ask it.

Examples:
  openmcp doctor
  openmcp doctor weather --client claude-desktop
  openmcp doctor weather.example
  openmcp doctor https://weather.example/mcp
  openmcp doctor -- node /srv/server.js

Exits with 1 when something is wrong.`,
      )
      .action((target: readonly string[], options: DoctorOptions) =>
        run(async (shell) =>
          (await import("../desktop/run-doctor.ts")).runDoctor(shell, { ...options, target }),
        ),
      );
  },
};
