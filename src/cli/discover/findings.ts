/** What a discovery comes to for who has to decide: what is wrong, and whether that fails a build. Pure. */
import type { DiscoveredDocument, DiscoveredServer, Discovery } from "../../discovery/index.ts";
import { exitCodes } from "../exit-code.ts";

export interface DiscoveryFindings {
  /** Servers by what they are found to be. */
  readonly running: number;
  readonly gated: number;
  readonly down: number;
  /** Not asked: no look was wanted, inputs are missing, or a limit was reached. */
  readonly notAsked: number;
  readonly errors: number;
  readonly warnings: number;
  readonly contradictions: number;
  /** Entries of catalogs that lead to no document. */
  readonly dangling: number;
}

export function findingsOf({ documents, servers, dangling }: Discovery): DiscoveryFindings {
  const state = (wanted: (server: DiscoveredServer) => boolean): number => servers.filter(wanted).length;
  return {
    running: state(({ live }) => live?.state === "online"),
    gated: state(({ live }) => live?.state === "auth-required"),
    down: state(({ live }) => live !== null && live.state !== "online" && live.state !== "auth-required"),
    notAsked: state(({ live }) => live === null),
    errors: diagnostics(documents, "error"),
    warnings: diagnostics(documents, "warning"),
    contradictions: servers.reduce((sum, server) => sum + server.contradictions.length, 0),
    dangling: dangling.length,
  };
}

/** docs/cli.md "discover". */
export function exitCodeOfDiscovery(found: Discovery, strict: boolean): number {
  if (found.verdict === "unknown") return exitCodes.relay;
  if (found.verdict === "nothing") return exitCodes.no;
  const { down, errors, warnings, contradictions, dangling } = findingsOf(found);
  const wrong = down + errors + contradictions + dangling + (strict ? warnings : 0);
  return wrong > 0 || found.documents.some(({ conformant }) => !conformant) ? exitCodes.no : exitCodes.ok;
}

function diagnostics(documents: readonly DiscoveredDocument[], severity: "error" | "warning"): number {
  return documents.reduce(
    (sum, document) => sum + document.diagnostics.filter((one) => one.severity === severity).length,
    0,
  );
}
