/** What names in a document may be like. */

/** Characters of an operationId: a tool's name as the protocol would have it. Generators cut or refuse longer ones. */
export const MAX_OPERATION_ID_CHARS = 128;
