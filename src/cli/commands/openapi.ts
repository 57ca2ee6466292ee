/** `openmcp openapi`: what has to do with OpenAPI documents. Each action is loaded in its turn. */
import { Option } from "commander";
import type { CommandModule } from "../command.ts";
import { collect } from "../option-values.ts";
import type { PrintOptions } from "./openapi/print.ts";

export const openapi: CommandModule = {
  define(command, { run }) {
    command.addHelpText(
      "after",
      `
Examples:
  openmcp openapi print weather.example > weather.json
  openmcp openapi print https://weather.example/mcp
  openmcp openapi print node server.js`,
    );
    command
      .command("print")
      .summary("Write a server's tools as an OpenAPI 3.1 document")
      .description("Write a server's tools as an OpenAPI 3.1 document.")
      .helpOption("-h, --help", "show help")
      .exitOverride()
      .usage("<id | url | command...> [options]")
      .argument("<target...>", "a relay's id, an MCP endpoint's URL, or the command of a stdio server")
      .addOption(
        new Option("--path-style <style>", "paths from the server's root, or from its endpoint")
          .choices(["absolute", "server-relative"])
          .default("absolute"),
      )
      .addOption(
        new Option("--relay-token <token>", "your credential for the endpoint of a URL").env(
          "OPENMCP_RELAY_TOKEN",
        ),
      )
      .option("--allow-network <cidr>", "private network that may be called; may be repeated", collect)
      .addHelpText(
        "after",
        `
By a relay's id the document is the catalog's, and each operation calls a tool through
it. By a URL or a command the server is asked for all its tools now, and the operations
describe them: calls go to its MCP endpoint.

A command of one word is one with a path in it (./server). Put -- before a command that
has options of its own.

The document goes to standard output, remarks on it to standard error.

Examples:
  openmcp openapi print weather.example > weather.json
  openmcp openapi print https://weather.example/mcp
  openmcp openapi print -- npx -y @modelcontextprotocol/server-everything stdio

Exits with 1 when no tool was found.`,
      )
      .action((target: readonly string[], options: PrintOptions) =>
        run(async (shell) => (await import("./openapi/print.ts")).print(shell, { ...options, target })),
      );
  },
};
