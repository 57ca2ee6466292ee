/** The bounds of the pure rules. Those of fetching and storing live in the rooms that do it. */

/** Levels of arrays and objects in a document from outside. Real descriptors and schemas stay under 40; walking the value recurses. */
export const MAX_JSON_DEPTH = 128;

/** Characters of a relay id (wire.md "The relay id"). */
export const MAX_ID_LENGTH = 120;
