/** `openmcp openapi print`: the document of a listed relay, of a running endpoint, or of a command that speaks MCP over stdio. */
import { type OpenApiDocument, type ToolsToOpenApiOptions, toolsToOpenApi } from "../../../openapi/index.ts";
import { isJsonObject, type JsonObject } from "../../../spec/index.ts";
import { openCatalog } from "../../catalog.ts";
import { exitCodes } from "../../exit-code.ts";
import { count } from "../../format/facts.ts";
import { type FoundServer, lookAtCommand, lookAtEndpoint } from "../../server-tools.ts";
import type { Shell } from "../../shell.ts";
import { printableJson, printableLine } from "../../terminal/printable.ts";

export interface PrintOptions {
  readonly pathStyle: "absolute" | "server-relative";
  readonly relayToken?: string;
  readonly allowNetwork?: readonly string[];
}

export async function print(
  shell: Shell,
  { target, ...options }: PrintOptions & { readonly target: readonly string[] },
): Promise<number> {
  const [first = ""] = target;
  const alone = target.length === 1;
  if (alone && !/^https?:\/\//i.test(first) && !/[\\/]/.test(first)) {
    await using catalog = openCatalog(shell);
    return printed(shell, await catalog.openapi(first));
  }
  const progress = await shell.progress();
  progress.update(`Asking ${printableLine(alone ? first : target.join(" "))}`);
  const look = /^https?:\/\//i.test(first) && alone ? lookAtEndpoint : lookAtCommand;
  const found = await look(target, { shell, ...options }).finally(() => progress.close());
  for (const note of found.notes) shell.note(`${shell.noteStyle.warn("!")} ${printableLine(note)}`);
  return printed(shell, documentOf(found, { pathStyle: options.pathStyle }));
}

function printed(shell: Shell, document: OpenApiDocument): number {
  const tools = isJsonObject(document.paths) ? Object.keys(document.paths).length : 0;
  shell.print(printableJson(document));
  shell.note(shell.noteStyle.quiet(`${count(tools, "tool")}, each one operation.`));
  return tools === 0 ? exitCodes.no : exitCodes.ok;
}

function documentOf(
  { server, tools, endpoint, protocolVersion }: FoundServer,
  options: Pick<ToolsToOpenApiOptions, "pathStyle">,
): OpenApiDocument {
  return toolsToOpenApi(infoOf(server), tools, {
    ...options,
    endpoint,
    protocolVersion,
    transport: endpoint === null ? "stdio" : "streamable-http",
  });
}

/** A stranger's word: only what is of its type is taken. */
function infoOf(server: JsonObject): JsonObject & { readonly title?: string; readonly version?: string } {
  return Object.fromEntries(
    ["name", "title", "version", "description"].flatMap((key) => {
      const value = server[key];
      return typeof value === "string" ? [[key, value]] : [];
    }),
  );
}
