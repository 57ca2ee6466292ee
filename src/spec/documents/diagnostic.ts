/**
 * What is found in a document: a closed code, a place, a sentence. A reading keeps two verdicts apart: `conformant`, whether the
 * document is what its specification says, and `usable`, whether something can be done with it all the same. Leniency changes the
 * second and never the first. Codes are explained in diagnostic-rules.ts and docs/diagnostics.md.
 */

/** `error`: wrong. `warning`: doubtful, or not what readers expect. `info`: worth knowing. */
export type Severity = "error" | "warning" | "info";

export const diagnosticCodes = [
  // The text
  "not-utf-8",
  "not-json",
  "html",
  "byte-order-mark",
  "duplicate-key",
  "too-deep",
  "too-large",
  "unknown-document",
  "served-type",
  // Any member
  "missing-member",
  "wrong-type",
  "null-value",
  "too-short",
  "too-long",
  "wrong-format",
  "unknown-value",
  // A Server Card
  "schema-url",
  "legacy-shape",
  "name-traversal",
  "version-range",
  "unsafe-url",
  "unreadable-url",
  "relative-url",
  "credential-in-url",
  "private-address",
  "unencrypted-url",
  "variable-name",
  "undeclared-variable",
  "unused-variable",
  "host-from-input",
  "secret-literal",
  "token-literal",
  "value-not-a-choice",
  "header-name",
  "duplicate-header",
  "no-remotes",
  "remote-dropped",
  "runtime-member",
  // A catalog
  "spec-version",
  "spec-version-unsupported",
  "media-type-member",
  "media-type-spelling",
  "media-type-unknown",
  "url-and-data",
  "url-or-data-missing",
  "identifier-form",
  "identifier-not-uri",
  "identifier-duplicate",
  "entries-cut",
  "entry-dropped",
  "data-not-conformant",
] as const;

export type DiagnosticCode = (typeof diagnosticCodes)[number];

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** JSON Pointer (RFC 6901) to what it is about; `""` is the whole document. */
  readonly pointer: string;
  /** A sentence for a person; no secret in it. */
  readonly message: string;
}

export interface Reading<T> {
  /** It is what its specification says, in schema and text. What is valid and wrong all the same does not change it. */
  readonly conformant: boolean;
  /** Something can be done with `value`. */
  readonly usable: boolean;
  /** What was read, normalised; null when nothing is usable. */
  readonly value: T | null;
  /** In the order of the document; a long list is cut at MAX_DIAGNOSTICS. */
  readonly diagnostics: readonly Diagnostic[];
}
