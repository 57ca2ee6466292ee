/** `openmcp import`: takes relays out of a registry, an AI Catalog or a file. Each action is loaded in its turn. */
import { type Command, InvalidArgumentError } from "commander";
import type { CommandModule } from "../command.ts";
import { MAX_IMPORTED } from "../limits.ts";
import { countOption, durationOption } from "../option-values.ts";
import type { ImportFlags } from "./import/start.ts";

interface Flags {
  readonly from?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly dryRun?: boolean;
  readonly wait: boolean;
}

export const importRelays: CommandModule = {
  define(command, host) {
    command.addHelpText(
      "after",
      `
The catalog reads the list as a job of its own, and looks at every URL before it lists it. Ctrl-C ends the
waiting, not the job. All of it is the admin's.

Examples:
  OPENMCP_TOKEN=… openmcp import registry --dry-run
  OPENMCP_TOKEN=… openmcp import registry --since 7d
  OPENMCP_TOKEN=… openmcp import ai-catalog example.com
  OPENMCP_TOKEN=… openmcp import file ~/.cursor/mcp.json
  OPENMCP_TOKEN=… openmcp import show <job> --results

Exits with 1 when the list was not read to its end, a line of it is no address, or nothing in it could be taken.`,
    );
    const registry = action(command, "registry", "Import the servers of an MCP registry")
      .option("--from <url>", "its base URL; default: the catalog's, which is the official one")
      .option("--since <time>", "only what was updated since: 2026-01-31, or 7d", sinceOption);
    shared(registry).action((flags: Flags) =>
      host.run(async (shell) => {
        const { start } = await import("./import/start.ts");
        const { from, since } = flags;
        return start(shell, {
          ...importFlags(flags),
          input: {
            from: "registry",
            ...(from === undefined ? {} : { url: from }),
            ...(since === undefined ? {} : { since }),
          },
        });
      }),
    );
    shared(
      action(command, "ai-catalog", "Import the servers of an AI Catalog or MCP Catalog").argument(
        "<url>",
        "the catalog, or the site that publishes one",
      ),
    ).action((url: string, flags: Flags) =>
      host.run(async (shell) =>
        (await import("./import/start.ts")).start(shell, {
          ...importFlags(flags),
          input: { from: "ai-catalog", url },
        }),
      ),
    );
    shared(
      action(
        command,
        "file",
        "Import the HTTP servers of a client's configuration, or a list of URLs",
      ).argument(
        "<path>",
        "claude_desktop_config.json, mcp.json, .vscode/mcp.json, …, or a URL a line; - reads standard input",
      ),
    ).action((path: string, flags: Flags) =>
      host.run(async (shell) =>
        (await import("./import/file.ts")).importFile(shell, { path, ...importFlags(flags) }),
      ),
    );
    action(command, "list", "List the imports of the last week").action(() =>
      host.run(async (shell) => (await import("./import/look.ts")).list(shell)),
    );
    byJob(command, "show", "Show how far an import has come")
      .option("--results", "also what became of each URL")
      .option("--wait", "wait until it has ended")
      .action((job: string, flags: { readonly results?: boolean; readonly wait?: boolean }) =>
        host.run(async (shell) => (await import("./import/look.ts")).show(shell, { job, ...flags })),
      );
    byJob(command, "cancel", "End an import where it is; what was listed stays").action((job: string) =>
      host.run(async (shell) => (await import("./import/look.ts")).cancel(shell, job)),
    );
  },
};

function action(parent: Command, name: string, summary: string): Command {
  const command = parent.command(name).summary(summary).description(`${summary}.`);
  return command.helpOption("-h, --help", "show help").exitOverride();
}

function byJob(parent: Command, name: string, summary: string): Command {
  return action(parent, name, summary).argument("<job>", "the import's id");
}

function shared(command: Command): Command {
  return command
    .option("--limit <count>", "take at most so many URLs", countOption(MAX_IMPORTED))
    .option("--dry-run", "read and count, and list nothing")
    .option("--no-wait", "do not wait for the job to end");
}

function importFlags({ limit, dryRun, wait }: Flags): ImportFlags {
  return { wait, ...(limit === undefined ? {} : { limit }), ...(dryRun === undefined ? {} : { dryRun }) };
}

/** A date or time as it is; a duration is counted back from now. */
function sinceOption(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}(?:$|T)/.test(text)) return text;
  const days = /^(\d{1,4})\s*d$/i.exec(text.trim());
  try {
    const ms = days === null ? durationOption(text) : Number(days[1]) * 86_400_000;
    return new Date(Date.now() - ms).toISOString();
  } catch {
    throw new InvalidArgumentError("Give a date such as 2026-01-31, or how long ago: 7d, 12h.");
  }
}
