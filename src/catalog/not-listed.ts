/** The refusal of a registration: what was found, and what to serve to become listed (wire.md "The record"). */
import {
  DESCRIPTOR_PATH,
  OpenMcpError,
  type ProbeEvidence,
  type ProbeStep,
  trimEndOf,
} from "../spec/index.ts";
import type { Finding, Probe } from "./probe/finding.ts";

/** `not-listed`, with the evidence as `data.probe` and a descriptor to serve as `data.serve`. */
export function notListed(probe: Probe): OpenMcpError {
  const { finding } = probe;
  const { url } = finding;
  const evidence = evidenceOf(finding, probe.steps);
  const serve = {
    url: new URL(DESCRIPTOR_PATH, finding.endpoint).href,
    document: { openmcp: "0.1", mcp: url },
  };
  return new OpenMcpError("not-listed", `${url} is not listed: ${sentence(probe)}`, {
    data: { probe: evidence, serve },
  });
}

/** The refusal of a relay whose owner wants no listing (docs/how-relays-are-watched.md). */
export function optedOut(
  finding: Finding,
  { removed, steps }: { readonly removed: boolean; readonly steps: readonly ProbeStep[] },
): OpenMcpError {
  const { endpoint } = finding;
  const document = new URL(DESCRIPTOR_PATH, endpoint).href;
  const done = removed ? "is listed no longer" : "is not listed";
  return new OpenMcpError(
    "not-listed",
    `${endpoint} ${done}: its owner asks catalogs not to list it, with "catalog": "no-index" in ${document}.`,
    { data: { reason: "no-index", removed, probe: evidenceOf(finding, steps) } },
  );
}

function evidenceOf({ url, verdict }: Finding, steps: readonly ProbeStep[]): ProbeEvidence {
  const { state, error, httpStatus } = verdict;
  return { url, state, error, httpStatus, steps };
}

function sentence({ finding }: Probe): string {
  const found = trimEndOf(finding.verdict.error ?? "it did not answer MCP", ". \n");
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
