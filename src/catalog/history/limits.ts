/** Limits of what is kept and told of a relay's past, each with its unit and reason. */

/** Ended spans of state kept for one relay, and for how long: one that comes and goes all day is cut at the first. */
export const SPANS_KEPT = 200;
export const SPANS_KEPT_MS = 31 * 24 * 60 * 60 * 1_000;

/** Milliseconds for which totals by hour and by day are kept: the longest window, and the one that is cut at its beginning. */
export const HOURS_KEPT_MS = 26 * 60 * 60 * 1_000;
export const DAYS_KEPT_MS = 32 * 24 * 60 * 60 * 1_000;

/** Milliseconds that a look counts beyond the time planned for the next: a busy catalog comes a little late. */
export const EVIDENCE_LATE_MS = 5 * 60 * 1_000;

/** Milliseconds that a look counts where none is planned after it. */
export const EVIDENCE_UNPLANNED_MS = 60 * 60 * 1_000;

/** Milliseconds that a look counts at most: the failing are looked at once a day at least, and one missed look is forgiven. */
export const EVIDENCE_MOST_MS = 50 * 60 * 60 * 1_000;

/** Changes of tools that a history tells: the newest. */
export const TOOL_CHANGES_TOLD = 100;
