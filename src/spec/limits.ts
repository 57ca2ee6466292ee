/** The bounds of the pure rules. Those of fetching and storing live in the rooms that do it. */

/** Levels of arrays and objects in a document from outside. Real descriptors and schemas stay under 40; walking the value recurses. */
export const MAX_JSON_DEPTH = 128;

/** Characters of a relay id (wire.md "The relay id"). */
export const MAX_ID_LENGTH = 120;

/** Pointers that a change of one tool or descriptor is told by: more is a rewrite, and told as one. */
export const MAX_CHANGED_PATHS = 20;

/** Characters of one pointer; keys of real schemas are far shorter. */
export const MAX_POINTER_LENGTH = 300;

/** Characters of all pointers of one change: 5,000 tools that all changed do not fill the log of changes. */
export const MAX_DETAIL_CHARS = 64 * 1024;

/** Pairs of tools that are compared for a near rename: a hundred that went and a hundred that came, some milliseconds. */
export const MAX_RENAME_PAIRS = 10_000;

/** Characters of a description that are compared for it. */
export const MAX_COMPARED_CHARS = 4_000;

/** How alike descriptions and parameters of a renamed tool have to be, 0 to 1: a reworded sentence is, a sibling tool is not. */
export const NEAR_ENOUGH = 0.75;

/** Schemas that one comparison of two tools looks at: real ones have some hundreds, unions in unions multiply. */
export const MAX_COMPARED_SCHEMAS = 20_000;

/** Schemas in schemas that it follows, as deep as MAX_JSON_DEPTH and the references between: it recurses. */
export const MAX_COMPARED_DEPTH = 256;

/** Diagnostics of one document that are told: who has more mends these first. */
export const MAX_DIAGNOSTICS = 200;

/** Bytes of a discovery document up to which readers read (discovery.md "Catalogs"); what is larger is told of. */
export const MAX_DOCUMENT_BYTES = 1024 * 1024;

/** Entries of a catalog that are read (discovery.md "Catalogs"): the largest that is published has some hundreds. */
export const MAX_CATALOG_ENTRIES = 10_000;

/** Entries of a registry's page that are read; registries answer at most 100 at a time, seed files hold some thousands. */
export const MAX_REGISTRY_ENTRIES = 100_000;

/** Code points that a Server Card's description and title may have. */
export const MAX_CARD_TEXT = 100;

/** Keys that come twice in one document and are told apart: a document with more is refused, not mended. */
export const MAX_DUPLICATE_KEYS = 1_000;

/** Characters of a remote's URL template, and of a header's: longer is no URL that servers take, nor a header. */
export const MAX_TEMPLATE_CHARS = 8_192;
