/** One side of a comparison, whatever it was named by: a document, an endpoint, a command, a listed relay. */
import { stat } from "node:fs/promises";
import type { ToolDefinition } from "../../spec/index.ts";
import { openCatalog } from "../catalog.ts";
import { documentText } from "../lint/document-text.ts";
import { lookAtCommand, lookAtEndpoint } from "../server-tools.ts";
import type { Shell } from "../shell.ts";
import { commandWords } from "./command-words.ts";
import { readTools } from "./read-tools.ts";

export interface DiffSide {
  readonly kind: "document" | "endpoint" | "command" | "relay";
  readonly tools: readonly ToolDefinition[];
  readonly notes: readonly string[];
}

interface SideOptions {
  readonly shell: Shell;
  readonly relayToken?: string | undefined;
  readonly allowNetwork?: readonly string[] | undefined;
}

export async function readSide(place: string, options: SideOptions): Promise<DiffSide> {
  const { shell } = options;
  if (await isDocument(place)) {
    const { text } = await documentText(place, { shell, allowNetworks: options.allowNetwork ?? [] });
    return { kind: "document", tools: readTools(text ?? "", place), notes: [] };
  }
  if (isUrl(place)) {
    const { tools, notes } = await lookAtEndpoint([place], options);
    return { kind: "endpoint", tools, notes };
  }
  if (/[\s\\/]/.test(place)) {
    const { tools, notes } = await lookAtCommand(commandWords(place), options);
    return { kind: "command", tools, notes };
  }
  await using catalog = openCatalog(shell);
  const { tools } = await catalog.tools(place);
  return { kind: "relay", tools, notes: [] };
}

function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/** Standard input, a path or a URL of JSON, and a file that is there, unless it can be run. */
async function isDocument(place: string): Promise<boolean> {
  if (place === "-") return true;
  if (isUrl(place)) return /\.json$/i.test(URL.parse(place)?.pathname ?? "");
  if (/\.json$/i.test(place) && !/\s/.test(place)) return true;
  const found = await stat(place).catch(() => null);
  return found?.isFile() === true && (found.mode & 0o111) === 0;
}
