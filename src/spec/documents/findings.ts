/** Collects diagnostics while a document is read: bounded in number and length, and never wrong about the verdict. */
import { MAX_DIAGNOSTICS, MAX_POINTER_LENGTH } from "../limits.ts";
import type { Diagnostic, DiagnosticCode } from "./diagnostic.ts";
import { diagnosticRules } from "./diagnostic-rules.ts";

export interface Findings {
  add(code: DiagnosticCode, pointer: string, message: string): void;
  /** What another reader found in the part at `pointer`. */
  adopt(diagnostics: readonly Diagnostic[], pointer: string): void;
  /** False once something was added that breaks conformance, also when it was one too many to be kept. */
  readonly conformant: boolean;
  /** Those that were kept, in the order in which they were added. */
  readonly list: readonly Diagnostic[];
}

export function createFindings(): Findings {
  const list: Diagnostic[] = [];
  let conformant = true;
  const keep = (diagnostic: Diagnostic): void => {
    if (diagnosticRules[diagnostic.code].breaks) conformant = false;
    if (list.length < MAX_DIAGNOSTICS) list.push(diagnostic);
  };
  return {
    add: (code, pointer, message) =>
      keep({ code, severity: diagnosticRules[code].severity, pointer: bounded(pointer), message }),
    adopt: (diagnostics, pointer) => {
      for (const diagnostic of diagnostics) {
        keep({ ...diagnostic, pointer: bounded(pointer + diagnostic.pointer) });
      }
    },
    get conformant() {
      return conformant;
    },
    list,
  };
}

/** A pointer with one more step (RFC 6901 section 3). */
export function under(pointer: string, step: string | number): string {
  if (typeof step === "number") return `${pointer}/${step}`;
  // A stranger's key may be a megabyte.
  const key = step.length > MAX_POINTER_LENGTH ? step.slice(0, MAX_POINTER_LENGTH) : step;
  return `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** A stranger's text inside a message: short, in quotes, control characters escaped. */
export function quoted(text: string): string {
  const short = text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;
  return JSON.stringify(short);
}

const MAX_QUOTED_CHARS = 80;

function bounded(pointer: string): string {
  return pointer.length > 2 * MAX_POINTER_LENGTH ? pointer.slice(0, 2 * MAX_POINTER_LENGTH) : pointer;
}
