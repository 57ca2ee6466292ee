/**
 * What is made here may be published: what a lint would name is refused before it is a document. The error names the member and the
 * cure and never repeats the value, which may be the secret that was left in it.
 */
import { OpenMcpError } from "../error.ts";
import type { Diagnostic, DiagnosticCode } from "./diagnostic.ts";
import { diagnosticRules } from "./diagnostic-rules.ts";

export interface PublishOptions {
  /**
   * The URL under which the document will be served. On a loopback or private address it is for that network only, and so may be the
   * addresses in it; else they are refused.
   */
  readonly url?: string;
}

/** Doubtful in what one finds; wrong in what one writes. */
const refusedToo: ReadonlySet<DiagnosticCode> = new Set([
  "unencrypted-url",
  "undeclared-variable",
  "value-not-a-choice",
  "duplicate-header",
  "runtime-member",
]);

/** @throws OpenMcpError `invalid-input` for the first that is refused; `data.field`, `data.code` and, of all, `data.diagnostics`. */
export function refuseFaults(diagnostics: readonly Diagnostic[], what: string): void {
  const refused = diagnostics.filter(({ code, severity }) => severity === "error" || refusedToo.has(code));
  const [first] = refused;
  if (first === undefined) return;
  const { meaning, cure } = diagnosticRules[first.code];
  const field =
    first.pointer === "" ? (/^"([^"]+)" is missing/.exec(first.message)?.[1] ?? "") : first.pointer;
  throw new OpenMcpError(
    "invalid-input",
    `${what} can't be made: ${field === "" ? "" : `${field}: `}${lowerFirst(meaning)}. ${cure}.`,
    {
      data: {
        field,
        code: first.code,
        diagnostics: refused.map(({ code, pointer }) => ({ code, pointer })),
      },
    },
  );
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}
