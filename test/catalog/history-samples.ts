/** A write of a listed relay, for tests of what lies beside the record. */
import type { RelayWrite } from "../../src/store/index.ts";

const at = "2026-06-01T10:00:00.000Z";

export const aWrite: Omit<RelayWrite, "revision"> = {
  record: {
    id: "a.example",
    source: "https://a.example/mcp",
    descriptor: { mcp: "https://a.example/mcp" },
    tools: [],
    server: null,
    verified: false,
    online: true,
    seenAt: at,
    firstSeenAt: at,
    failures: 0,
    lastError: null,
    via: null,
    probe: {
      state: "online",
      era: "2025-11-25",
      transport: "streamable-http",
      httpStatus: 200,
      latencyMs: 41,
      at,
      nextAt: null,
      attempts: 1,
      verifiedBy: null,
      toolsHash: null,
      toolsTruncated: false,
    },
    toolsFrom: "relay",
  },
  endpoint: "https://a.example/mcp",
  hints: null,
  events: [],
  now: Date.parse(at),
};
