/** What this room allows itself; each with its reason. */

/** Bytes of a configuration file: Claude Code keeps its history beside its servers and reaches a few MiB. */
export const MAX_CONFIG_BYTES = 64 * 1024 * 1024;

/** Lines round a change that a diff shows. */
export const DIFF_CONTEXT_LINES = 2;

/** Characters of an entry's name: applications put it before each tool's name, and those may have 64 in all. */
export const MAX_NAME_CHARS = 40;

/** Servers of one name that are told apart by a number: nobody has as many. */
export const MAX_NAMESAKES = 20;

/** Characters of a secret below which it is not looked for in other texts: "1" is everywhere. */
export const MIN_SECRET_CHARS = 4;

/** Characters up to which a variable's value is told in a server's words, unless its name says that it is a secret: "production". */
export const SHORT_VALUE_CHARS = 12;

/** Objects and arrays within each other: far beyond any configuration, and what a parser that calls itself can bear. */
export const MAX_NESTING = 500;

/** Characters of a line that a difference shows: a file without line feeds is one line. */
export const MAX_SHOWN_LINE_CHARS = 400;

/** Milliseconds after which a file of a write that was never finished is nobody's. */
export const ABANDONED_MS = 60_000;

/** Milliseconds after which a lock is nobody's: a write takes a few, and whoever was killed in one is not to be waited for. */
export const LOCK_MS = 10_000;

/** Symbolic links that are followed to a configuration. */
export const MAX_LINKS = 32;

/** Lines before times lines after, up to which a diff looks for what is common between two changes. */
export const MAX_DIFF_CELLS = 1_000_000;

/** Bytes from the end of a log in which its last lines are looked for. */
export const LOG_TAIL_BYTES = 1024 * 1024;

/** Bytes of a followed log that are read at once. */
export const LOG_CHUNK_BYTES = 256 * 1024;

/** Milliseconds between two looks at a followed log: events of file systems are lost on network drives and over rotations. */
export const FOLLOW_POLL_MS = 250;

/** Milliseconds that a doctor gives a server to start and shake hands: applications give up after about as long. */
export const DOCTOR_TIMEOUT_MS = 60_000;

/** Milliseconds of a handshake that are worth a word: a person waits at each start of the application. */
export const SLOW_HANDSHAKE_MS = 5_000;

/** Bytes of a server's standard output that are looked at for what is no message. */
export const MAX_LOOKED_BYTES = 4 * 1024 * 1024;

/** Bytes of a page that a doctor reads. */
export const MAX_PAGE_BYTES = 64 * 1024;

/** Characters of a stray line that are shown. */
export const EXCERPT_CHARS = 120;
