/**
 * How help reads: for `openmcp` itself, what to try first, then the commands, the options last; for a command, commander's
 * own order. Only the order is ours; the words come from the commands.
 */
import { type Command, Help, type HelpConfiguration } from "commander";
import type { Style } from "./terminal/style.ts";

const TRIES = [
  ["openmcp serve", "run a catalog on this machine"],
  ["openmcp add https://example.com/mcp", "register an MCP server by its URL"],
  ["openmcp find search the web", "find a tool in plain words"],
] as const;

export function helpConfiguration(style: Style): HelpConfiguration {
  return {
    showGlobalOptions: true,
    styleTitle: (text) => style.heading(text),
    styleCommandText: (text) => style.accent(text),
    styleSubcommandTerm: (text) => style.accent(text),
    styleOptionTerm: (text) => style.accent(text),
    styleArgumentTerm: (text) => style.accent(text),
    // What is asked for first, its options last, as in the lines that commands write themselves.
    commandUsage(command) {
      const [path = "", ...words] = new Help().commandUsage(command).split(" [options]");
      return `${path}${words.join("")} [options]`;
    },
    formatHelp(command: Command, helper: Help): string {
      const text = Help.prototype.formatHelp.call(helper, command, helper);
      if (command.parent !== null) return text;
      const [usage = "", description = "", ...sections] = text.trimEnd().split("\n\n");
      const isOptions = (section: string): boolean => section.startsWith(style.heading("Options:"));
      return [
        usage,
        description,
        tries(style),
        ...sections.filter((section) => !isOptions(section)),
        ...sections.filter(isOptions),
        "openmcp <command> --help explains a command.\n",
      ].join("\n\n");
    },
  };
}

function tries(style: Style): string {
  const lines = TRIES.map(([line, what]) => `  ${style.accent(line.padEnd(36))}  ${what}`);
  return [style.heading("Three things to try:"), ...lines].join("\n");
}
