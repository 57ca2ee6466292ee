/** `openmcp lint`: what is wrong with a discovery document, where it stands in it, and the cure. Needs no catalog. */
import { lintDocument, lintNoText } from "../../spec/index.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { documentText } from "../lint/document-text.ts";
import { type LintReport, lintReport, reportText } from "../lint/report.ts";
import { collect } from "../option-values.ts";
import type { Shell } from "../shell.ts";

interface LintOptions {
  readonly strict?: boolean;
  readonly at?: string;
  readonly allowNetwork?: readonly string[];
}

export const lint: CommandModule = {
  define(command, { run }) {
    command
      .argument("<documents...>", "files, URLs, or - for standard input")
      .option("--strict", "warnings fail too")
      .option("--at <url>", "where a file will be served: what is relative in it resolves on it")
      .option("--allow-network <cidr>", "private network that may be called; may be repeated", collect)
      .addHelpText(
        "after",
        `
Knows openmcp.json, Server Cards, MCP Catalogs, AI Catalogs and the registry's server.json by their content.

Examples:
  openmcp lint public/.well-known/*.json
  openmcp lint https://example.com/.well-known/ai-catalog.json
  openmcp lint server.json --strict --json | jq '.documents[].diagnostics'

Exits with 1 when a document has an error; with --strict, when it has a warning too.`,
      )
      .action((documents: readonly string[], options: LintOptions) =>
        run(async (shell) => {
          const reports: LintReport[] = [];
          for (const document of documents) reports.push(await lintOne(document, { shell, options }));
          const ok = reports.every(({ errors, warnings }) => errors + (options.strict ? warnings : 0) === 0);
          if (shell.json) shell.printJson({ ok, documents: reports });
          else shell.print(reports.map((report) => reportText(report, shell.style)).join("\n\n"));
          return ok ? exitCodes.ok : exitCodes.no;
        }),
      );
  },
};

async function lintOne(
  document: string,
  { shell, options }: { readonly shell: Shell; readonly options: LintOptions },
): Promise<LintReport> {
  const source = await documentText(document, { shell, allowNetworks: options.allowNetwork ?? [] });
  const url = source.url ?? options.at;
  const reading =
    source.text === null ? lintNoText() : lintDocument(source.text, url === undefined ? {} : { url });
  return lintReport(document, { reading, source });
}
