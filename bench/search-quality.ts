/**
 * Search quality: loads the corpus of OPENMCP_DATA (tools/search/corpus.jsonl) into a SQLite store in memory and answers
 * questions from it, as `find_tool` would. Its default export is what that data set's scorer takes:
 * `node <data>/tools/search/evalsearch.mjs --module bench/search-quality.ts --split dev`.
 */
import type { JsonObject, RelayRecord, ToolDefinition } from "../src/spec/index.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";

/** One line of the corpus: a tool and what its server says of itself. */
interface CorpusTool {
  readonly server: string;
  readonly serverName?: string;
  readonly serverDescription?: string;
  readonly tool: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonObject;
}

interface Hit {
  readonly relay: string;
  readonly name: string;
  readonly score: number;
}

export default async function openSearch(
  corpus: readonly CorpusTool[],
): Promise<(q: string, limit: number) => Promise<readonly Hit[]>> {
  const store = await openSqliteStore({ path: ":memory:" });
  const servers = [...Map.groupBy(corpus, (tool) => tool.server)];
  // As in the served corpus, a relay's id is an address and says nothing.
  const serverOf = new Map<string, string>();
  for (const [index, [server, tools]] of servers.entries()) {
    const record = recordOf(index, tools);
    serverOf.set(record.id, server);
    await store.relays.save({
      record,
      endpoint: record.source,
      hints: null,
      revision: null,
      events: [],
      now: 0,
    });
  }
  while ((await store.searchIndex.step()).pending > 0);
  return async (q, limit) => {
    const hits = await store.tools.find({ q, limit, online: true });
    return hits.map(({ relay, name, score }) => ({ relay: serverOf.get(relay) ?? relay, name, score }));
  };
}

function recordOf(index: number, tools: readonly CorpusTool[]): RelayRecord {
  const host = `127.10.${index >> 8}.${index & 255}`;
  const source = `http://${host}:7801/mcp`;
  const { serverName, serverDescription } = tools[0] ?? {};
  return {
    id: `${host}-7801`,
    source,
    descriptor: {
      mcp: source,
      ...(serverName === undefined ? {} : { name: serverName }),
      ...(serverDescription === undefined ? {} : { description: serverDescription }),
    },
    tools: tools.map(toolOf),
    server: null,
    verified: true,
    online: true,
    seenAt: null,
    firstSeenAt: "2026-01-01T00:00:00.000Z",
    failures: 0,
    lastError: null,
    via: null,
    probe: {
      state: "online",
      era: null,
      transport: null,
      httpStatus: 200,
      latencyMs: null,
      at: "2026-01-01T00:00:00.000Z",
      nextAt: null,
      attempts: 1,
      verifiedBy: null,
      toolsHash: null,
      toolsTruncated: false,
    },
    toolsFrom: "relay",
  };
}

function toolOf({ tool, title, description, inputSchema }: CorpusTool): ToolDefinition {
  return {
    name: tool,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(inputSchema === undefined ? {} : { inputSchema }),
  };
}
