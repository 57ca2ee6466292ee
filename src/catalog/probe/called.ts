/** A finding with what its publisher calls the relay, which is told by a catalog and not by the relay's own look. Pure. */
import type { Finding } from "./finding.ts";

/** `identifier` null or absent: it was not told, and what the finding has stays. */
export function called(finding: Finding, identifier: string | null | undefined): Finding {
  return identifier == null ? finding : { ...finding, identifier };
}
