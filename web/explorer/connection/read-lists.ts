/** What a server lists, read tolerantly: an entry without a name is left out, everything else is what it says, or absent. Pure. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/spec/index.ts";
import type { Prompt, Resource, Tool } from "./link.ts";

export function toolOf(entry: JsonValue): Tool | null {
  if (!isJsonObject(entry) || typeof entry.name !== "string" || entry.name === "") return null;
  const annotations = isJsonObject(entry.annotations) ? entry.annotations : {};
  return {
    name: entry.name,
    title: text(entry.title) ?? text(annotations.title),
    description: text(entry.description),
    inputSchema: entry.inputSchema ?? {},
    outputSchema: isJsonObject(entry.outputSchema) ? entry.outputSchema : null,
    annotations,
    whole: entry,
  };
}

export function resourceOf(entry: JsonValue, template: boolean): Resource | null {
  if (!isJsonObject(entry)) return null;
  const uri = text(template ? entry.uriTemplate : entry.uri);
  if (uri === null) return null;
  return {
    uri,
    name: text(entry.name) ?? uri,
    title: text(entry.title),
    description: text(entry.description),
    mimeType: text(entry.mimeType),
    template,
  };
}

export function promptOf(entry: JsonValue): Prompt | null {
  if (!isJsonObject(entry) || typeof entry.name !== "string" || entry.name === "") return null;
  const given = Array.isArray(entry.arguments) ? (entry.arguments as readonly JsonValue[]) : [];
  return {
    name: entry.name,
    title: text(entry.title),
    description: text(entry.description),
    arguments: given.flatMap((argument) =>
      isJsonObject(argument) && typeof argument.name === "string"
        ? [
            {
              name: argument.name,
              description: text(argument.description),
              required: argument.required === true,
            },
          ]
        : [],
    ),
  };
}

export function entriesOf(page: JsonObject, key: string): readonly JsonValue[] {
  const entries = page[key];
  return Array.isArray(entries) ? (entries as readonly JsonValue[]) : [];
}

export function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
