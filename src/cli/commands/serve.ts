/** `openmcp serve`: runs a catalog until it is stopped. Flags and variables are read by server/. */
import { Option } from "commander";
import type { CommandModule } from "../command.ts";
import { collect } from "../option-values.ts";

export const serve: CommandModule = {
  define(command, run) {
    command
      .option("--host <address>", "address to listen on [OPENMCP_HOST] (default: 127.0.0.1)")
      .option("--port <port>", "port to listen on, 0 for any [OPENMCP_PORT] (default: 8790)")
      .option("--db <path>", "database file, or :memory: [OPENMCP_DB] (default: openmcp.db)")
      .option("--url <url>", "public URL, needed off loopback [OPENMCP_URL]")
      .option("--name <name>", "the catalog's name [OPENMCP_NAME]")
      .option("--operator <url>", "who answers for it, an OpenProfile.md URL [OPENMCP_OPERATOR]")
      .option(
        "--admin-token <token>",
        "turns removing on; the variable keeps it out of `ps` [OPENMCP_ADMIN_TOKEN]",
      )
      .addOption(
        new Option(
          "--allow-network <cidr>",
          "private network that the catalog may call; may be repeated [OPENMCP_ALLOW_NETWORK]",
        ).argParser(collect),
      )
      .option(
        "--refresh <duration>",
        "time between two probes of a relay, or off [OPENMCP_REFRESH] (default: 10m)",
      )
      .option("--log-level <level>", "debug, info, warn, error or silent [OPENMCP_LOG_LEVEL] (default: info)")
      .addHelpText(
        "after",
        `
Examples:
  openmcp serve
  openmcp serve --port 8080 --db /var/lib/openmcp/catalog.db
  openmcp serve --host 0.0.0.0 --url https://catalog.example --operator https://you.example/.well-known/openprofile.md

Ctrl-C or SIGTERM stops it in order, with exit code 0.`,
      )
      .action((options: Record<string, string | readonly string[] | undefined>) =>
        run(async (shell) => {
          const { parseServeOptions, serveCatalog } = await import("../../server/index.ts");
          return serveCatalog(parseServeOptions(options, shell.env));
        }),
      );
  },
};
