/**
 * The texts of a tool that are searched, as terms: its own, its schema's, and its server's, which says what kind of tool it is.
 * A value of a wrong type is no text; what a relay sent is never trusted to have a shape.
 */
import { isJsonObject, type JsonObject } from "../spec/index.ts";
import { MAX_PROPERTIES, MAX_PROPERTY_TEXT, MAX_SCHEMA_DEPTH } from "./limits.ts";
import { readText, type TextTerms, termsOf } from "./tokens.ts";

export const fieldNames = [
  "name",
  "title",
  "server",
  "description",
  "properties",
  "propertyTexts",
  "serverDescription",
] as const;

export type FieldName = (typeof fieldNames)[number];

/** What is joined counts, but makes a text no longer. */
export type ToolFields = Readonly<Record<FieldName, TextTerms>>;

/** What a tool's server says of itself. */
export interface ServerText {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
}

export type ServerFields = Pick<ToolFields, "server" | "serverDescription">;

/** Once for all tools of a server. */
export function readServer({ id, name, description }: ServerText): ServerFields {
  return {
    server: joinable(`${name ?? ""} ${id}`),
    serverDescription: plain(description),
  };
}

export function readTool(tool: JsonObject, server: ServerFields): ToolFields {
  const annotations = isJsonObject(tool.annotations) ? tool.annotations : {};
  const { names, texts } = readSchema(tool.inputSchema);
  return {
    ...server,
    name: joinable(tool.name),
    title: joinable(tool.title ?? annotations.title),
    description: joinable(tool.description),
    properties: plain(names.join(" ")),
    propertyTexts: plain(texts.join(" ")),
  };
}

function plain(text: unknown): TextTerms {
  return { terms: typeof text === "string" ? termsOf(text) : [], joined: [] };
}

function joinable(text: unknown): TextTerms {
  return typeof text === "string" ? readText(text) : { terms: [], joined: [] };
}

function readSchema(schema: unknown): { readonly names: string[]; readonly texts: string[] } {
  const names: string[] = [];
  const texts: string[] = [];
  function read(node: unknown, depth: number): void {
    if (!isJsonObject(node) || depth > MAX_SCHEMA_DEPTH) return;
    if (isJsonObject(node.properties)) {
      for (const [name, property] of Object.entries(node.properties)) {
        if (names.length >= MAX_PROPERTIES) return;
        names.push(name);
        if (isJsonObject(property)) readProperty(property, depth);
      }
    }
    read(node.items, depth + 1);
  }
  function readProperty(property: JsonObject, depth: number): void {
    if (typeof property.description === "string")
      texts.push(property.description.slice(0, MAX_PROPERTY_TEXT));
    if (Array.isArray(property.enum)) {
      const values = property.enum.filter((value): value is string => typeof value === "string");
      texts.push(values.join(" ").slice(0, MAX_PROPERTY_TEXT));
    }
    read(property, depth + 1);
  }
  read(schema, 0);
  return { names, texts };
}
