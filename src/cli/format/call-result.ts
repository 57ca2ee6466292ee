/** What a tool gave back, for people: texts as texts, structured content as JSON, the rest by what it is. */
import { isJsonObject, type JsonObject, type JsonValue, trimEndOf } from "../../spec/index.ts";
import { printable, printableJson, printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { count } from "./facts.ts";

export function callResult(result: JsonObject, style: Style): string {
  const blocks = Array.isArray(result.content)
    ? result.content.map((block) => contentBlock(block, style))
    : [];
  const structured = result.structuredContent;
  // Servers repeat structured content as text for old clients: once is enough.
  if (structured !== undefined && structured !== null && !repeats(result, structured)) {
    blocks.push(printableJson(structured));
  }
  if (blocks.length === 0) return style.quiet("The tool gave no content.");
  return blocks.join("\n");
}

function contentBlock(block: JsonValue, style: Style): string {
  if (!isJsonObject(block)) return printableJson(block);
  switch (block.type) {
    case "text":
      return trimEndOf(printable(String(block.text ?? "")), "\n");
    case "image":
    case "audio":
      return style.quiet(`[${block.type}: ${mime(block)}, ${size(block.data)}; --json has it]`);
    case "resource_link":
      return `[resource: ${printableLine(String(block.uri ?? ""))}]${nameOf(block)}`;
    case "resource": {
      const resource = isJsonObject(block.resource) ? block.resource : {};
      const uri = printableLine(String(resource.uri ?? ""));
      return typeof resource.text === "string"
        ? `${style.quiet(`[resource: ${uri}]`)}\n${printable(resource.text)}`
        : style.quiet(`[resource: ${uri}, ${mime(resource)}, ${size(resource.blob)}; --json has it]`);
    }
    default:
      return printableJson(block);
  }
}

function repeats(result: JsonObject, structured: JsonValue): boolean {
  const blocks = Array.isArray(result.content) ? result.content : [];
  return blocks.some((block) => {
    if (!isJsonObject(block) || typeof block.text !== "string") return false;
    try {
      return JSON.stringify(JSON.parse(block.text)) === JSON.stringify(structured);
    } catch {
      return false;
    }
  });
}

function mime(block: JsonObject): string {
  return typeof block.mimeType === "string" ? printableLine(block.mimeType) : "type not stated";
}

/** From base64. */
function size(data: JsonValue | undefined): string {
  return typeof data === "string" ? count(Math.floor((data.length * 3) / 4), "byte") : "no data";
}

function nameOf(block: JsonObject): string {
  return typeof block.name === "string" ? ` ${printableLine(block.name)}` : "";
}
