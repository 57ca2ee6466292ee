/** What the Explorer keeps and draws at most: a server decides how much it sends, and this page stays quick whatever that is. */

/** Frames on the wire that are kept; the oldest go first. */
export const MAX_FRAMES = 500;

/** Characters of one frame that are kept for showing: a tool list may have megabytes. */
export const MAX_FRAME_CHARS = 400_000;

/** Characters of all kept frames together. */
export const MAX_FRAMES_CHARS = 8_000_000;

/** Bytes of one answer, and of one line of a stream: some times what a tool's images take. */
export const MAX_ANSWER_BYTES = 64_000_000;

/** Calls that the history keeps. */
export const MAX_HISTORY = 100;

/** Characters of all results that the history keeps, as JSON; the newest call is kept whatever it weighs. */
export const MAX_HISTORY_CHARS = 40_000_000;

/** Questions of a server that wait for a person; more of them are refused. */
export const MAX_WAITING = 20;

/** Secrets that are remembered to be masked, after others took their place. */
export const MAX_SECRETS = 50;

/** Notices (notifications of the server) that are kept. */
export const MAX_NOTICES = 300;

/** Pages of a list that are read: the SDK's own default. */
export const MAX_PAGES = 64;

/** Levels of a schema that become fields; what lies deeper is written as JSON. */
export const MAX_FORM_DEPTH = 10;

/** Fields of one object, and variants of one choice, that are drawn; the rest is written as JSON. */
export const MAX_FIELDS = 250;

/** Choices of one enum that are drawn. */
export const MAX_CHOICES = 1_000;

/** Schemas that are looked at for what a form starts with, or for which variant a value is of: more is no form that a person fills in. */
export const MAX_STEPS = 2_000;

/** Members of schema and value that are read to judge one by the other: a second at most. */
export const MAX_JUDGED = 3_000_000;

/** References that are followed from one place to a schema that is none. */
export const MAX_REFERENCES = 16;

/** Schemas of one `allOf` that are merged. */
export const MAX_MERGED = 64;

/** Bytes of a file that becomes an argument: base64 makes it a third larger, and servers take few megabytes. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Members of an object or an array that the tree shows at once. */
export const TREE_STEP = 100;

/** Rows and columns of a result's table. */
export const MAX_ROWS = 200;
export const MAX_COLUMNS = 24;

/** Characters of a description that are shown before "Show all". */
export const SHORT_TEXT = 400;

/** Characters of a text that are drawn: a browser takes a second for one line of as many. */
export const MAX_TEXT = 200_000;

/** Milliseconds for a request without an answer and without progress. */
export const REQUEST_MS = 5 * 60_000;

/** Milliseconds for the handshake. */
export const CONNECT_MS = 30_000;

/** Milliseconds before a stream of changes that broke off is opened again: not so often that a server which breaks each is troubled. */
export const RELISTEN_MS = 3_000;

/** Milliseconds after the last word of a changed list before it is read again. */
export const RELIST_MS = 150;
