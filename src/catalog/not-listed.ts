/** The refusal of a registration: what was found, and what to serve to become listed (wire.md "The record"). */
import { DESCRIPTOR_PATH, OpenMcpError, type ProbeEvidence } from "../spec/index.ts";
import type { Probe } from "./probe/finding.ts";

/** `not-listed`, with the evidence as `data.probe` and a descriptor to serve as `data.serve`. */
export function notListed(probe: Probe): OpenMcpError {
  const { finding } = probe;
  const { verdict, url } = finding;
  const evidence: ProbeEvidence = {
    url,
    state: verdict.state,
    error: verdict.error,
    httpStatus: verdict.httpStatus,
    steps: probe.steps,
  };
  const serve = {
    url: new URL(DESCRIPTOR_PATH, finding.endpoint).href,
    document: { openmcp: "0.1", mcp: url },
  };
  return new OpenMcpError("not-listed", `${url} is not listed: ${sentence(probe)}`, {
    data: { probe: evidence, serve },
  });
}

/** The refusal of a relay whose owner wants no listing (docs/how-relays-are-watched.md). */
export function optedOut(endpoint: string, { removed }: { readonly removed: boolean }): OpenMcpError {
  const document = new URL(DESCRIPTOR_PATH, endpoint).href;
  const done = removed ? "is listed no longer" : "is not listed";
  return new OpenMcpError(
    "not-listed",
    `${endpoint} ${done}: its owner asks catalogs not to list it, with "catalog": "no-index" in ${document}.`,
    { data: { reason: "no-index", removed } },
  );
}

function sentence({ finding }: Probe): string {
  const found = (finding.verdict.error ?? "it did not answer MCP").replace(/[.\s]+$/, "");
  const document = new URL(DESCRIPTOR_PATH, finding.endpoint).href;
  switch (finding.verdict.state) {
    case "blocked":
      return `${found}. This catalog does not call such addresses.`;
    case "auth-required":
      return `${found}, and its origin vouches for nothing. Serve a descriptor at ${document} that names this endpoint, and it is listed without being open.`;
    case "wrong-transport":
      return `${found}. Serve Streamable HTTP, or a descriptor at ${document}.`;
    default:
      return `${found}. Give the URL of an MCP endpoint that answers, or serve a descriptor at ${document}.`;
  }
}
