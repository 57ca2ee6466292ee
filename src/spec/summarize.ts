/** The one-paragraph view of a record that lists carry (wire.md, `list_relays`). */
import { describe } from "./descriptor.ts";
import type { RelayRecord, RelaySummary } from "./record.ts";

/** The absolute MCP endpoint of a record. */
export function recordEndpoint(record: Pick<RelayRecord, "descriptor" | "source">): string {
  return new URL(record.descriptor.mcp, record.source).href;
}

export function summarize(record: RelayRecord): RelaySummary {
  const facts = describe(record.descriptor, record.source);
  return {
    id: record.id,
    name: facts.name ?? record.server?.name ?? null,
    description: facts.description,
    mcp: recordEndpoint(record),
    auth: facts.auth,
    tags: facts.tags,
    tools: record.tools.map((tool) => tool.name),
    online: record.online,
    verified: record.verified,
    ...(typeof record.via === "string" ? { via: record.via } : {}),
  };
}
