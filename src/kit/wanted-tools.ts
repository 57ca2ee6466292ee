/** Which tools a posted body asks of, so that predicates run for these and no others. */
import { isJsonObject, type JsonValue } from "../spec/index.ts";
import type { WantedTools } from "./visibility.ts";

const NONE: WantedTools = new Set();

export function wantedTools(body: JsonValue | undefined): WantedTools {
  if (!Array.isArray(body)) return ofMessage(body);
  const all = body.map(ofMessage);
  if (all.includes("all")) return "all";
  return new Set(all.flatMap((names) => (names === "all" ? [] : [...names])));
}

function ofMessage(message: JsonValue | undefined): WantedTools {
  if (!isJsonObject(message)) return NONE;
  if (message.method === "tools/list") return "all";
  if (message.method !== "tools/call") return NONE;
  const name = isJsonObject(message.params) ? message.params.name : undefined;
  return typeof name === "string" ? new Set([name]) : NONE;
}
