/** `openmcp serve`: runs a catalog until it is stopped. Flags and variables are read by server/. */
import { Option } from "commander";
import type { CommandModule } from "../command.ts";
import { collect } from "../option-values.ts";

export const serve: CommandModule = {
  define(command, { run }) {
    command
      .option("--host <address>", "address to listen on (default: 127.0.0.1, env: OPENMCP_HOST)")
      .option("--port <port>", "port to listen on, 0 for any (default: 8790, env: OPENMCP_PORT)")
      .option("--db <path>", "database file, or :memory: (default: openmcp.db, env: OPENMCP_DB)")
      .option("--url <url>", "public URL, needed off loopback (env: OPENMCP_URL)")
      .option("--name <name>", "the catalog's name (env: OPENMCP_NAME)")
      .option("--operator <url>", "who answers for it, an OpenProfile.md URL (env: OPENMCP_OPERATOR)")
      .option(
        "--admin-token <token>",
        "turns removing on; the variable keeps it out of `ps` (env: OPENMCP_ADMIN_TOKEN)",
      )
      .addOption(
        new Option(
          "--allow-network <cidr>",
          "private network that the catalog may call; may be repeated (env: OPENMCP_ALLOW_NETWORK)",
        ).argParser(collect),
      )
      .option(
        "--refresh <duration>",
        "time between two probes of a relay, or off (default: 10m, env: OPENMCP_REFRESH)",
      )
      .option(
        "--confirm-offline <looks>",
        "looks that must fail in a row before a relay is called offline (default: 2, env: OPENMCP_CONFIRM_OFFLINE)",
      )
      .addOption(
        new Option(
          "--peer <url>",
          "catalog to learn relays from; may be repeated (env: OPENMCP_PEERS, commas between)",
        ).argParser(collect),
      )
      .option(
        "--peer-sync <duration>",
        "time between two syncs with a peer, or off (default: 15m, env: OPENMCP_PEER_SYNC)",
      )
      .option(
        "--registry <url>",
        "base URL of the MCP registry that imports read (default: the official one, env: OPENMCP_REGISTRY)",
      )
      .option(
        "--secrets-key <key>",
        "seals webhook secrets: 32 bytes in hex or base64, older keys after commas (env: OPENMCP_SECRETS_KEY)",
      )
      .option(
        "--limits <file>",
        "budgets of each client as JSON, or default, or off (default: default, env: OPENMCP_LIMITS)",
      )
      .option(
        "--trust-proxy <proxies>",
        "proxies before the catalog: how many, or their addresses (env: OPENMCP_TRUST_PROXY)",
      )
      .option(
        "--log-level <level>",
        "debug, info, warn, error or silent (default: info, env: OPENMCP_LOG_LEVEL)",
      )
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
