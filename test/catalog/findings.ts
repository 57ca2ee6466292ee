/** Findings, verdicts and stored relays for the tables of the pure rules. */
import type { Finding } from "../../src/catalog/index.ts";
import { mergeFinding } from "../../src/catalog/probe/merge-finding.ts";
import {
  canonicalEndpoint,
  type Descriptor,
  type EndpointVerdict,
  type ToolDefinition,
} from "../../src/spec/index.ts";
import type { StoredRelay } from "../../src/store/index.ts";

export const ENDPOINT = "https://relay.example/mcp";
export const SOURCE = "https://relay.example/.well-known/openmcp.json";
export const NOON = Date.UTC(2026, 8, 12, 12);

export const tool = (name: string, more: object = {}): ToolDefinition => ({ name, ...more });

export function online(
  tools: readonly ToolDefinition[] = [tool("a")],
  more: Partial<EndpointVerdict> = {},
): EndpointVerdict {
  return {
    state: "online",
    era: "2026-07-28",
    transport: "streamable-http",
    httpStatus: 200,
    latencyMs: 12,
    server: { name: "srv", version: "1", protocolVersion: "2026-07-28" },
    tools,
    toolsTruncated: false,
    notes: [],
    error: null,
    challenge: null,
    hints: {
      era: "modern",
      protocolVersion: "2026-07-28",
      session: false,
      judgedAt: "2026-09-12T12:00:00.000Z",
    },
    steps: [],
    ...more,
  };
}

export function failed(
  state: EndpointVerdict["state"],
  more: Partial<EndpointVerdict> = {},
): EndpointVerdict {
  return {
    ...online([]),
    state,
    era: null,
    transport: null,
    httpStatus: state === "auth-required" ? 401 : null,
    latencyMs: null,
    server: null,
    tools: null,
    hints: null,
    error: `it is ${state}`,
    ...more,
  };
}

/** A finding without evidence from the origin, unless `more` brings some. */
export function finding(verdict: EndpointVerdict, more: Partial<Finding> = {}): Finding {
  const url = more.url ?? ENDPOINT;
  return {
    endpoint: canonicalEndpoint(url),
    url,
    descriptor: null,
    source: url,
    verifiedBy: null,
    descriptorEvidence: "absent",
    cardEvidence: "unknown",
    document: null,
    mayBeListed: true,
    verdict,
    ...more,
  };
}

export const vouched = (descriptor: Partial<Descriptor> = {}): Partial<Finding> => ({
  descriptor: { mcp: "/mcp", ...descriptor } as Descriptor,
  source: SOURCE,
  verifiedBy: "openmcp",
  descriptorEvidence: "served",
});

/** The relay that a first finding makes. */
export function listed(first: Finding, revision = 1): StoredRelay {
  const merged = mergeFinding(null, first, { now: NOON, id: "relay.example" });
  if (merged === null) throw new Error("this finding lists nothing");
  return { ...merged, revision };
}
