/** One registration of many: what became of a URL as a result that a job keeps. Bulk jobs and imports use it. */
import { type BulkResult, OpenMcpError, type ProbeEvidence } from "../spec/index.ts";
import type { CatalogContext } from "./context.ts";
import { type RegisterUrlOptions, registerUrl } from "./register-url.ts";

export interface RegisterOutcome {
  readonly result: BulkResult;
  /** Its owner asks catalogs not to list it. */
  readonly optedOut: boolean;
}

/** Null when it was broken off: then there is no result to keep. Never rejects. */
export async function registerOutcome(
  context: CatalogContext,
  url: string,
  options: Pick<RegisterUrlOptions, "signal" | "identifier">,
): Promise<RegisterOutcome | null> {
  try {
    const { relay, created } = await registerUrl(context, url, options);
    const outcome = created ? "listed" : "known";
    return {
      result: { url, outcome, relay: relay.id, state: relay.probe.state, error: null },
      optedOut: false,
    };
  } catch (error) {
    if (options.signal.aborted) return null;
    if (error instanceof OpenMcpError && error.code === "not-listed") {
      const { state } = error.data.probe as ProbeEvidence;
      return {
        result: { url, outcome: "refused", relay: null, state, error: error.message },
        optedOut: error.data.reason === "no-index",
      };
    }
    if (!(error instanceof OpenMcpError)) {
      context.logger.error({ error: String(error) }, "a registration of a job failed");
    }
    // What an unexpected error says is for the log.
    const message = error instanceof OpenMcpError ? error.message : "the catalog could not try it";
    return { result: { url, outcome: "failed", relay: null, state: null, error: message }, optedOut: false };
  }
}
