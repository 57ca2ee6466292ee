/** `openmcp tools`: a relay's tools in brief, or one of them in full. */
import { OpenMcpError, type ToolDefinition } from "../../spec/index.ts";
import { openCatalog } from "../catalog.ts";
import type { CommandModule } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { count, onlineWord, paintOnline } from "../format/facts.ts";
import { toolInFull, toolList } from "../format/tool-list.ts";

export const tools: CommandModule = {
  define(command, { run }) {
    command
      .argument("<id>", "the relay's id")
      .argument("[tool]", "one tool's name, to see its parameters")
      .addHelpText(
        "after",
        `
Examples:
  openmcp tools agenticjobs.work
  openmcp tools agenticjobs.work search_jobs
  openmcp tools agenticjobs.work search_jobs --json | jq .inputSchema`,
      )
      .action((id: string, name: string | undefined) =>
        run(async (shell) => {
          await using catalog = openCatalog(shell);
          const answer = await catalog.tools(id);
          const { style, width } = shell;
          if (name !== undefined) {
            const tool = findTool(answer.tools, { relay: id, name });
            if (shell.json) shell.printJson(tool);
            else shell.print(toolInFull(tool, { relay: id, style, width }));
            return exitCodes.ok;
          }
          if (shell.json) shell.printJson(answer);
          else {
            const online = paintOnline(onlineWord(answer.online), { online: answer.online, style });
            shell.print(`${style.strong(id)}  ${online} · ${count(answer.tools.length, "tool")}`);
            if (answer.tools.length > 0) shell.print(toolList(answer.tools, { style, width }));
          }
          return answer.tools.length === 0 ? exitCodes.no : exitCodes.ok;
        }),
      );
  },
};

/** @throws OpenMcpError `not-found` with the names that come near. */
export function findTool(
  tools: readonly ToolDefinition[],
  { relay, name }: { readonly relay: string; readonly name: string },
): ToolDefinition {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool !== undefined) return tool;
  const loose = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  const near = tools
    .map((candidate) => candidate.name)
    .filter((candidate) => loose(candidate).includes(loose(name)) || loose(name).includes(loose(candidate)))
    .slice(0, 3);
  const hint =
    near.length > 0
      ? `Did you mean ${near.join(", ")}?`
      : tools.length === 0
        ? "Its tools are not known."
        : `\`openmcp tools ${relay}\` lists the ${count(tools.length, "tool")} it has.`;
  throw new OpenMcpError("not-found", `"${relay}" has no tool "${name}". ${hint}`, {
    data: { tool: name, near },
  });
}
