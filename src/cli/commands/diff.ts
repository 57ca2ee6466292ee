/** `openmcp diff`: what changed between two lists of tools, and what of it breaks whoever calls them. Needs no catalog, but for ids. */
import { Option } from "commander";
import { compareTools } from "../../spec/index.ts";
import type { CommandModule } from "../command.ts";
import { reportText } from "../diff/report.ts";
import { readSide } from "../diff/side.ts";
import { exitCodes } from "../exit-code.ts";
import { count } from "../format/facts.ts";
import { collect } from "../option-values.ts";
import { printableLine } from "../terminal/printable.ts";

interface DiffOptions {
  readonly relayToken?: string;
  readonly allowNetwork?: readonly string[];
}

export const diff: CommandModule = {
  define(command, { run }) {
    command
      .argument("<before>", "the tools that callers know")
      .argument("<after>", "the tools that they would find")
      .addOption(
        new Option("--relay-token <token>", "your credential for endpoints that are given by URL").env(
          "OPENMCP_RELAY_TOKEN",
        ),
      )
      .option("--allow-network <cidr>", "private network that may be called; may be repeated", collect)
      .addHelpText(
        "after",
        `
Each side is one of: a snapshot (of toolSnapshot), an answer to tools/list, an OpenAPI document that openmcp
wrote, as a file, a URL that ends in .json, or - for standard input; an endpoint's URL; a command of a stdio
server, in quotes; a relay's id in the catalog.

Examples:
  openmcp diff test/__snapshots__/weather.tools.json https://weather.example/mcp
  openmcp diff weather.example http://127.0.0.1:8080/mcp
  openmcp diff "npx -y weather@1.4.0" "node dist/server.js"

Exits with 0 when callers go on, with 1 when a change breaks them.`,
      )
      .action((before: string, after: string, options: DiffOptions) =>
        run(async (shell) => {
          const progress = await shell.progress();
          progress.update(`Asking ${printableLine(before)} and ${printableLine(after)}`);
          const sides = await (async () => {
            const one = await readSide(before, { shell, ...options });
            return [one, await readSide(after, { shell, ...options })] as const;
          })().finally(() => progress.close());
          for (const [at, { notes }] of sides.entries()) {
            const place = printableLine([before, after][at] as string);
            for (const note of notes)
              shell.note(`${shell.noteStyle.warn("!")} ${place}: ${printableLine(note)}`);
          }
          const [from, to] = sides;
          const verdict = compareTools(from.tools, to.tools);
          if (shell.json) {
            const told = ({ kind, tools }: typeof from, place: string) => ({
              place,
              kind,
              tools: tools.length,
            });
            shell.printJson({
              ok: verdict.compatible,
              before: told(from, before),
              after: told(to, after),
              changes: verdict.changes,
            });
          } else {
            shell.print(reportText(verdict, shell.style));
            shell.note(
              shell.noteStyle.quiet(
                `Compared ${count(from.tools.length, "tool")} with ${to.tools.length.toLocaleString("en-GB")}.`,
              ),
            );
          }
          return verdict.compatible ? exitCodes.ok : exitCodes.no;
        }),
      );
  },
};
