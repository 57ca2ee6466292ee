/** `openmcp probe`: looks at a URL with the same eyes as a catalog, and says what it would list. Needs no catalog. */
import type { Finding, Probe } from "../../catalog/index.ts";
import { describe } from "../../spec/index.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import {
  authWord,
  count,
  NOT_STATED,
  onlineWord,
  paintOnline,
  paintVerified,
  verifiedWord,
} from "../format/facts.ts";
import { probeStep } from "../format/probe-steps.ts";
import { toolList } from "../format/tool-list.ts";
import { TEXT_COLUMNS } from "../limits.ts";
import { lookAround } from "../look-around.ts";
import { collect } from "../option-values.ts";
import type { Shell } from "../shell.ts";
import { printableLine } from "../terminal/printable.ts";
import { definitionList } from "../terminal/table.ts";
import { wrapProse } from "../terminal/text-width.ts";

export const probe: CommandModule = {
  define(command, { run }) {
    command
      .argument("<url>", "a relay's site, its MCP endpoint or its descriptor")
      .option("--allow-network <cidr>", "private network that may be called; may be repeated", collect)
      .addHelpText(
        "after",
        `
Examples:
  openmcp probe https://example.com
  openmcp probe http://127.0.0.1:3000/mcp
  openmcp probe https://example.com/mcp --json | jq .state

Exits with 0 when a catalog would list it, with 1 when not.`,
      )
      .action((url: string, options: { readonly allowNetwork?: readonly string[] }) =>
        run(async (shell) => {
          const progress = await shell.progress();
          progress.update(`Asking ${printableLine(url)}`);
          const found = await lookAround(url, {
            signal: shell.signal,
            allowNetworks: options.allowNetwork ?? [],
            timeoutMs: shell.options.timeout,
            onStep: (step) => progress.settle(probeStep(step, shell.noteStyle)),
          }).finally(() => progress.close());
          const listable = [found.finding, ...found.others].some(wouldBeListed);
          if (shell.json) shell.printJson(forMachines(found, listable));
          else shell.print(verdict(found, shell));
          return listable ? exitCodes.ok : exitCodes.no;
        }),
      );
  },
};

/** OpenMCP 0.1 "The probe": listed when at least one of the two questions was answered yes. */
function wouldBeListed(finding: Finding): boolean {
  return finding.verifiedBy !== null || finding.verdict.state === "online";
}

function verdict(found: Probe, shell: Shell): string {
  const { style } = shell;
  const { finding, others } = found;
  const listed = wouldBeListed(finding);
  const parts = [
    listed
      ? `${style.good("✓")} ${style.strong("A catalog would list it.")}`
      : `${style.bad("✗")} ${style.strong("A catalog would not list it.")}`,
    summary(finding, shell),
  ];
  if (finding.verdict.notes.length > 0) {
    parts.push(
      [
        style.heading("Odd but bearable"),
        ...finding.verdict.notes.map((note) => `  ${printableLine(note)}`),
      ].join("\n"),
    );
  }
  const tools = finding.verdict.tools ?? [];
  if (tools.length > 0) {
    parts.push(`${style.heading(count(tools.length, "tool"))}\n${toolList(tools, shell)}`);
  }
  if (others.length > 0) {
    const lines = others.map((other) => `  ${printableLine(other.endpoint)}  ${other.verdict.state}`);
    parts.push([style.heading("Also found"), ...lines].join("\n"));
  }
  return parts.join("\n\n");
}

function summary(finding: Finding, { style, width }: Shell): string {
  const room = Math.max(20, Math.min(width, TEXT_COLUMNS) - 14);
  const lines = (text: string): readonly string[] => wrapProse(printableLine(text), room);
  const { verdict: seen, descriptor, verifiedBy } = finding;
  const facts = descriptor === null ? null : describe(descriptor, finding.source);
  const online = seen.state === "online";
  const verified = verifiedBy !== null;
  const rows: (readonly [string, readonly string[]])[] = [
    ["Online", [paintOnline(onlineWord(online), { online, style }) + (online ? "" : ` (${seen.state})`)]],
    [
      "Verified",
      [
        paintVerified(verifiedWord(verified), { verified, style }) +
          (verified ? ` by ${printableLine(finding.source)}` : `: ${unverifiedReason(finding)}`),
      ],
    ],
    ["Endpoint", [printableLine(finding.endpoint)]],
    ["Speaks", [seen.era === null ? "no MCP that was understood" : `MCP ${printableLine(seen.era)}`]],
    ["Server", [serverLine(finding)]],
    ["Auth", [authWord(facts?.auth ?? "unknown")]],
    ["Operator", [facts?.operator === null || facts === null ? NOT_STATED : printableLine(facts.operator)]],
  ];
  if (seen.error !== null) rows.push(["Why", lines(seen.error)]);
  if (seen.challenge?.resourceMetadata) rows.push(["Way in", lines(seen.challenge.resourceMetadata)]);
  return definitionList(rows, { paintLabel: style.quiet, indent: "  " });
}

function unverifiedReason(finding: Finding): string {
  switch (finding.descriptorEvidence) {
    case "served":
      return "its origin's descriptor names another endpoint, and no card names this one";
    case "unknown":
      return "its origin gave no evidence either way";
    case "absent":
      return "its origin serves no descriptor, and no card that names it";
  }
}

function serverLine(finding: Finding): string {
  const server = finding.verdict.server;
  if (server === null) return NOT_STATED;
  return printableLine(`${server.name ?? "name not stated"} ${server.version ?? ""}`);
}

function forMachines(found: Probe, listed: boolean): object {
  const { finding, others, url, steps } = found;
  return {
    url,
    listed,
    state: finding.verdict.state,
    online: finding.verdict.state === "online",
    verified: finding.verifiedBy !== null,
    finding,
    others,
    steps,
  };
}
