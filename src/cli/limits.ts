/** What the command line allows itself; each with its reason. */

/** Bytes read from standard input or a list file: a thousand URLs and a large tool argument are far below it. */
export const MAX_INPUT_BYTES = 16 * 1024 * 1024;

/** URLs a bulk job: the most that the wire allows (wire.md, `POST /v1/relays/bulk`). */
export const BULK_SIZE = 1_000;

/** Milliseconds between two looks at a job: soon at first, so that short jobs end at once, then calmer. */
export const POLL_FIRST_MS = 100;
export const POLL_MOST_MS = 1_000;

/** Registrations under way at once where a catalog takes no jobs. */
export const ONE_BY_ONE = 4;

/** Relays a page of `openmcp relays`: the catalog's own default. */
export const PAGE_SIZE = 100;

/** Milliseconds that pressing Tab may wait for a catalog. */
export const COMPLETION_TIMEOUT_MS = 1_500;

/** Columns under which a table becomes a list of cards. */
export const NARROW_COLUMNS = 70;

/** Columns that running text uses at most; longer lines read badly. */
export const TEXT_COLUMNS = 100;

/** Milliseconds for all that `openmcp probe` and `openmcp descriptor` do. */
export const PROBE_TIMEOUT_MS = 120_000;

/** Pages of a tool list that are read of a server that is asked directly; a catalog's look has its own bound, which is the same. */
export const MAX_TOOL_PAGES = 500;

/** Bytes of one answer of such a server. */
export const MAX_TOOL_PAGE_BYTES = 8 * 1024 * 1024;

/** Milliseconds that `openmcp webhook test` waits for the first attempt: as long as the catalog gives it, and a little. And between looks. */
export const DELIVERY_WAIT_MS = 12_000;
export const DELIVERY_POLL_MS = 100;

/** Seconds that a long list waits for the catalog's budget at a time: as long as a thousand URLs take by default, and a little. */
export const MAX_BUDGET_WAIT_SECONDS = 15 * 60;

/** Objects inside objects in which a configuration's servers are looked for: a project of one of Claude Code's is the deepest. */
export const MAX_CONFIG_DEPTH = 4;

/** Milliseconds that whoever waits for an import lets the catalog be away: a restart takes seconds. */
export const IMPORT_AWAY_MS = 2 * 60_000;

/** URLs that an import takes at most (the catalog's own limit). */
export const MAX_IMPORTED = 100_000;

/** Milliseconds to fetch a document that `openmcp lint` is given by its URL. */
export const LINT_TIMEOUT_MS = 30_000;

/** Lines that a finding names beside its own, where there are more of its kind. */
export const MAX_TOLD_LINES = 8;

/** Characters of a log's line that are kept while it has not ended: messages of ten megabytes are in such logs. */
export const MAX_LOG_LINE_CHARS = 16 * 1024 * 1024;

/** Milliseconds after which a discovery asks nothing new: a domain of hundreds of servers is read, an endless one is left. */
export const DISCOVER_TIMEOUT_MS = 120_000;

/** Branches of one node of a tree that are drawn; what is more is for `--json`. */
export const MAX_TREE_BRANCHES = 100;

/** Findings of one document or server that a tree tells. */
export const MAX_TREE_FINDINGS = 12;

/** Characters of npm's record of a folder of packages: that of a large project has some megabytes. */
export const MAX_LOCKFILE_CHARS = 64 * 1024 * 1024;

/** Milliseconds that npm may take to pack this package: it takes two seconds, on a slow disk more. */
export const PACK_TIMEOUT_MS = 120_000;
