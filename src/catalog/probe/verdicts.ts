/** Small judgements on verdicts that decide what to look at next. Pure. */
import type { EndpointVerdict, ProbeState } from "../../spec/index.ts";
import type { Finding } from "./finding.ts";

/** From the best a look can find to the least telling. */
const ORDER: readonly ProbeState[] = [
  "online",
  "auth-required",
  "wrong-transport",
  "protocol-error",
  "timeout",
  "not-mcp",
  "unreachable",
  "blocked",
];

/** The finding that says more of a relay; the first of equals. */
export function nearestToOnline(one: Finding, other: Finding): Finding {
  return ORDER.indexOf(other.verdict.state) < ORDER.indexOf(one.verdict.state) ? other : one;
}

/** True when other paths of the same host would tell nothing more: one answers, or none can. */
export function noUseAskingOn(verdict: EndpointVerdict): boolean {
  return ["online", "timeout", "unreachable", "blocked"].includes(verdict.state);
}

/** True for a failure that may have passed by the next look. A refusal, a policy and a transport do not pass. */
export function mayPass(verdict: EndpointVerdict): boolean {
  return ["timeout", "unreachable", "protocol-error", "not-mcp"].includes(verdict.state);
}
