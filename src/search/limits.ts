/** Bounds of text analysis, each with its unit and reason. */

/** Characters of one text that are read: the longest real description has 10,467, and its end says little. */
export const MAX_TEXT_LENGTH = 4_000;

/** Characters of a term: longer ones are encoded data, not words. */
export const MAX_TERM_LENGTH = 40;

/** Parts of an identifier that is also indexed in one piece: longer ones are sentences. */
export const MAX_JOINED_PARTS = 8;

/** Stems remembered: about the words that recur in 150,000 tools; a few MB. */
export const MAX_STEMS_KEPT = 50_000;

/** Runs remembered with their terms, and the longest: V8 makes longer ones slices, which keep the whole text they are from. */
export const MAX_RUNS_KEPT = 20_000;
export const MAX_RUN_KEPT = 12;

/** Characters of a property's description that are read; its start says what it is. */
export const MAX_PROPERTY_TEXT = 200;

/** Properties of a schema that are read, all levels together, and levels: schemas come with thousands. */
export const MAX_PROPERTIES = 60;
export const MAX_SCHEMA_DEPTH = 3;

/** Distinct words of a question that are looked up; of more, the first ones. */
export const MAX_QUESTION_WORDS = 40;

/** Unknown words of a question whose spelling is looked for: each reads a part of the vocabulary. */
export const MAX_RESOLVED_WORDS = 4;

/** Terms that one unknown word may stand for. */
export const MAX_RESOLUTIONS = 3;
