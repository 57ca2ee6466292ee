/** How much of what relays say a page shows, each with its unit and reason: a page is read, the JSON beside it is complete. */

/** Relays, and tools found, on a page of the directory: a page under 60 kB. */
export const RELAYS_ON_A_PAGE = 20;
export const TOOLS_FOUND = 12;

/** Largest `limit` of a directory's URL. */
export const MAX_RELAYS_ON_A_PAGE = 100;

/** Characters of a question in a directory's URL, as its field has it, and of a tag, as the list has it: each link repeats them. */
export const MAX_QUESTION = 500;
export const MAX_TAG = 200;

/**
 * Bytes of the directory that are kept: rows, some 1,000 and up to twice as many, with what stands around them; and whole pages, one
 * to two dozen full ones. What is asked for most is among them; a catalog is to stay under 300 MB in all.
 */
export const MAX_KEPT_PIECES_BYTES = 4 * 1024 * 1024;
export const MAX_KEPT_PAGES_BYTES = 3 * 1024 * 1024;

/** Tools on a relay's page; the next are a link away. */
export const TOOLS_ON_A_PAGE = 20;

/** Characters of a description shown whole: some 20 lines. */
export const MAX_DESCRIPTION = 2_000;

/** Characters of a tool's raw JSON in the page. */
export const MAX_RAW_JSON = 10_000;

/** Properties of one object, and objects in objects, that a schema is shown with; the raw JSON has all. */
export const MAX_FIELDS = 40;
export const MAX_SCHEMA_DEPTH = 4;

/** Fields of one schema in all: nested objects multiply. */
export const MAX_FIELDS_IN_ALL = 150;

/** Schemas that are looked at to say the type of one field, in the few characters that it has. */
export const MAX_TYPE_STEPS = 100;

/** Values of an enum, and characters of a value, that are listed. */
export const MAX_ENUM_VALUES = 16;
export const MAX_VALUE = 80;

/** Changes on a relay's page, and on the status page. */
export const CHANGES_ON_A_PAGE = 12;

/** Spans of state drawn in a strip; a relay that flaps has more, which nobody could tell apart in 30 days' width. */
export const MAX_SPANS = 300;

/** Names of tools that a change is told with. */
export const MAX_CHANGED_TOOLS = 12;

/** Claims on a relay's page. */
export const MAX_CLAIMS = 10;

/** Milliseconds within which a look that fails at once is answered as an error, with its status; later it is part of the page. */
export const PROBLEM_HEAD_START_MS = 150;

/** Bytes of a form that is sent here: one URL. */
export const MAX_FORM_BYTES = 16 * 1024;

/** Steps of one look that are written; a catalog with many servers has more. */
export const MAX_STEPS = 200;

/** Entries of a feed. */
export const FEED_ENTRIES = 50;
