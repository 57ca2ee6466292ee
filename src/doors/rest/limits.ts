/** What the REST door keeps for itself. */

/** Characters of documents, and of the records that they were made of, that are kept: the largest of 5,000 tools, and hundreds of common ones. */
export const MAX_KEPT_DOCUMENT_CHARS = 16 * 1024 * 1024;
