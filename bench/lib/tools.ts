/**
 * Tools for the fake relays: the real ones of OPENMCP_DATA (tools/toucan-servers.jsonl) where they are at hand, dealt out
 * in turn; otherwise made up from a fixed vocabulary, the same in every run.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, ToolDefinition } from "../../src/spec/index.ts";

export interface ToolSupply {
  readonly source: string;
  /** `count` tools of relay `index`, each name once. */
  toolsOf(index: number, count: number): readonly ToolDefinition[];
  /** Two words of a tool that some relay has. */
  question(index: number): string;
}

export function openToolSupply(): ToolSupply {
  const data = process.env.OPENMCP_DATA ?? join(import.meta.dirname, "..", "..", "..", "shared", "data");
  const file = join(data, "tools", "toucan-servers.jsonl");
  const real = existsSync(file);
  const all = real ? readRealTools(file) : madeUpTools(16_000);
  return {
    source: real ? `${all.length} real tools` : `${all.length} made-up tools (no OPENMCP_DATA)`,
    toolsOf(index, count) {
      const tools = new Map<string, ToolDefinition>();
      for (let step = 0; tools.size < count && step < count * 4; step += 1) {
        const tool = all[(index * count + step) % all.length] as ToolDefinition;
        if (!tools.has(tool.name)) tools.set(tool.name, tool);
      }
      return [...tools.values()];
    },
    question(index) {
      const tool = all[(index * 7919) % all.length] as ToolDefinition;
      const words = `${tool.name} ${String(tool.description ?? "")}`
        .split(/[^A-Za-z]+/)
        .filter((word) => word.length > 3);
      return `${words[0] ?? "search"} ${words[words.length >> 1] ?? "files"}`;
    },
  };
}

/** A word that no tool has, of letters alone: search takes digits for words of their own. */
export function wordOf(index: number): string {
  return `zq${[...String(index)].map((digit) => "bcdfghjklm"[Number(digit)]).join("")}zq`;
}

function readRealTools(file: string): readonly ToolDefinition[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => (JSON.parse(line) as { tools: Record<string, unknown>[] }).tools)
    .filter((tool) => typeof tool.name === "string" && tool.name !== "")
    .map(
      (tool): ToolDefinition => ({
        name: tool.name as string,
        ...(typeof tool.description === "string" ? { description: tool.description } : {}),
        inputSchema: (tool.input_schema ?? { type: "object" }) as JsonObject,
      }),
    );
}

function madeUpTools(count: number): readonly ToolDefinition[] {
  const verbs = [
    "search",
    "get",
    "list",
    "create",
    "update",
    "delete",
    "send",
    "read",
    "convert",
    "summarise",
  ];
  const things = [
    "issue",
    "file",
    "message",
    "invoice",
    "page",
    "image",
    "ticket",
    "user",
    "weather",
    "flight",
  ];
  const where = ["repository", "calendar", "workspace", "database", "bucket", "channel", "wiki", "ledger"];
  return Array.from({ length: count }, (_, index): ToolDefinition => {
    const verb = verbs[index % 10] as string;
    const thing = things[Math.floor(index / 10) % 10] as string;
    const place = where[Math.floor(index / 100) % 8] as string;
    return {
      name: `${verb}_${thing}_${place}_${index}`,
      description: `${verb} a ${thing} in the ${place}, with filters for owner, date and state. `
        .repeat(3)
        .trim(),
      inputSchema: {
        type: "object",
        properties: {
          id: { type: "string", description: `The ${thing}.` },
          limit: { type: "number", description: "At most so many." },
        },
        required: ["id"],
      },
    };
  });
}
