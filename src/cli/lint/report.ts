/** What was found in a document, in the order of its lines: for machines as facts, for people with the cure beside each. */
import {
  type Diagnostic,
  type DocumentKind,
  diagnosticRules,
  type LintReading,
  locatePointers,
  mediaTypeEssence,
  type Severity,
} from "../../spec/index.ts";
import { count } from "../format/facts.ts";
import { MAX_TOLD_LINES } from "../limits.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import type { DocumentText } from "./document-text.ts";

export interface LintFinding extends Diagnostic {
  /** From 1; null where there is no text. */
  readonly line: number | null;
  readonly column: number | null;
  readonly cure: string;
}

export interface LintReport {
  /** As it was named. */
  readonly document: string;
  readonly kind: DocumentKind;
  readonly conformant: boolean;
  readonly usable: boolean;
  readonly errors: number;
  readonly warnings: number;
  readonly diagnostics: readonly LintFinding[];
}

export function lintReport(
  document: string,
  { reading, source }: { readonly reading: LintReading; readonly source: DocumentText },
): LintReport {
  const { kind, conformant, usable } = reading;
  const served = servedType(kind, source.contentType);
  const diagnostics = [...(served === null ? [] : [served]), ...reading.diagnostics];
  const places = locatePointers(
    kind === "html" || kind === "not-json" ? "" : (source.text ?? ""),
    diagnostics.map(({ pointer }) => pointer),
  );
  const findings = diagnostics.map((diagnostic): LintFinding => {
    const place = source.text === null ? undefined : places.get(diagnostic.pointer);
    return {
      ...diagnostic,
      line: place?.line ?? null,
      column: place?.column ?? null,
      cure: diagnosticRules[diagnostic.code].cure,
    };
  });
  return {
    document,
    kind,
    conformant,
    usable,
    errors: countOf(findings, "error"),
    warnings: countOf(findings, "warning"),
    diagnostics: findings.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
  };
}

export function reportText(report: LintReport, style: Style): string {
  const { document, kind, errors, warnings, conformant, usable } = report;
  const head = `${style.heading(printableLine(document))}  ${style.quiet(kindWords[kind])}`;
  const marks: Readonly<Record<Severity, string>> = {
    error: style.bad("✗"),
    warning: style.warn("!"),
    info: style.quiet("·"),
  };
  const findings = byKind(report.diagnostics).flatMap((kind) => {
    const { line, column, pointer, message, code, severity, cure } = kind.first;
    const place = line === null ? "" : `${line}:${column} `;
    const where = pointer === "" ? "" : `${printableLine(pointer)} `;
    return [
      `  ${marks[severity]} ${style.quiet(place)}${where}${style.quiet(`[${code}]`)}${moreWords(kind)}`,
      `      ${printableLine(message)}`,
      `      ${style.quiet(`→ ${cure}`)}`,
    ];
  });
  const verdict = `${conformant ? "conformant" : "not conformant"}, ${usable ? "usable" : "not usable"}`;
  const found = `${count(errors, "error")}, ${count(warnings, "warning")}`;
  return [head, ...findings, `  ${errors > 0 ? style.bad("✗") : style.good("✓")} ${verdict}; ${found}`].join(
    "\n",
  );
}

interface FindingsOfKind {
  readonly first: LintFinding;
  readonly others: readonly LintFinding[];
}

/**
 * A catalog of a thousand relays has a thousand findings of one kind, with one cure: the first stands for the rest. Of a kind is the same
 * member of another entry; of errors, which each want their cure, only what says the same.
 */
function byKind(findings: readonly LintFinding[]): readonly FindingsOfKind[] {
  const kinds = Map.groupBy(findings, ({ code, severity, pointer, message }) =>
    JSON.stringify([
      code,
      severity,
      pointer.replace(/\/\d+(?=\/|$)/g, "/*"),
      severity === "error" ? message : "",
    ]),
  );
  return [...kinds.values()].map(([first, ...others]) => ({ first: first as LintFinding, others }));
}

/** ` and 2 more of its kind, in lines 3, 4` */
function moreWords({ first, others }: FindingsOfKind): string {
  if (others.length === 0) return "";
  const lines = [
    ...new Set(others.flatMap(({ line }) => (line === null || line === first.line ? [] : [line]))),
  ];
  const shown = lines.slice(0, MAX_TOLD_LINES).join(", ");
  const where = lines.length === 0 ? "" : `, in line${lines.length === 1 ? "" : "s"} ${shown}`;
  const etc = lines.length > MAX_TOLD_LINES ? ", …" : "";
  return ` and ${others.length.toLocaleString("en-GB")} more of its kind${where}${etc}`;
}

const kindWords: Readonly<Record<DocumentKind, string>> = {
  descriptor: "OpenMCP descriptor",
  "mcp-catalog": "MCP Catalog",
  "ai-catalog": "AI Catalog",
  "server-card": "Server Card",
  "legacy-server-card": "Server Card of an older draft",
  "registry-server": "server.json of the registry",
  "registry-page": "list of the registry",
  html: "HTML page",
  unknown: "JSON, no document of discovery",
  "not-json": "no JSON",
};

/** What a kind should be served as, where it has a media type of its own. */
const ownTypes: Readonly<Partial<Record<DocumentKind, string>>> = {
  "server-card": "application/mcp-server-card+json",
  "ai-catalog": "application/ai-catalog+json",
  "mcp-catalog": "application/json",
  descriptor: "application/json",
};

/** Null where it is right, or nothing was served. */
function servedType(kind: DocumentKind, contentType: string | null | undefined): Diagnostic | null {
  const expected = ownTypes[kind];
  if (expected === undefined || contentType === undefined) return null;
  const essence = contentType === null ? null : mediaTypeEssence(contentType);
  if (essence === expected || (essence === "application/ai-catalog+json" && kind === "mcp-catalog"))
    return null;
  return {
    code: "served-type",
    severity: diagnosticRules["served-type"].severity,
    pointer: "",
    message: `served as ${essence ?? "nothing that is a media type"}, where ${expected} is expected`,
  };
}

function countOf(findings: readonly Diagnostic[], severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}
