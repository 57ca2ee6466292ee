/** The two eras of MCP as a catalog sorts relays by them (probe.md "Two eras"): by the revision that answered at the last look. */

/** The first revision of the modern era. */
const FIRST_MODERN = "2026-07-28";

/** `unknown`: nothing answered yet, or nothing at the last look. */
export const eraFilters = ["modern", "legacy", "unknown"] as const;

export type EraFilter = (typeof eraFilters)[number];

/** `revision` as `probe.era` has it: revisions are dates, and compare as texts. */
export function eraOf(revision: string | null): EraFilter {
  if (revision === null || !/^\d{4}-\d{2}-\d{2}/.test(revision)) return "unknown";
  return revision >= FIRST_MODERN ? "modern" : "legacy";
}
