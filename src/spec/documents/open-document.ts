/** From what was received to a JSON value: the findings that only the text has, and the same refusals for every kind of document. */
import type { JsonValue } from "../json.ts";
import { nestsDeeper } from "../json-depth.ts";
import { MAX_DOCUMENT_BYTES, MAX_DUPLICATE_KEYS, MAX_JSON_DEPTH } from "../limits.ts";
import { createFindings, type Findings } from "./findings.ts";
import { duplicateKeys } from "./json-text.ts";

export interface OpenedDocument {
  /** Undefined when there is no JSON. */
  readonly value: JsonValue | undefined;
  readonly findings: Findings;
  /** Pointers of keys that came twice, at most MAX_DUPLICATE_KEYS; known of text only. */
  readonly duplicates: readonly string[];
}

export function openDocument(document: string | JsonValue): OpenedDocument {
  const findings = createFindings();
  if (typeof document !== "string") {
    const value = valueNestsDeeper(document, MAX_JSON_DEPTH) ? undefined : document;
    if (value === undefined) findings.add("too-deep", "", tooDeep);
    return { value, findings, duplicates: [] };
  }
  const marked = document.startsWith("\uFEFF");
  const text = marked ? document.slice(1) : document;
  if (marked) findings.add("byte-order-mark", "", "the text begins with a byte order mark");
  if (isOver(document, MAX_DOCUMENT_BYTES)) {
    findings.add("too-large", "", `the document is over ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB`);
  }
  if (nestsDeeper(text, MAX_JSON_DEPTH)) {
    findings.add("too-deep", "", tooDeep);
    return { value: undefined, findings, duplicates: [] };
  }
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    if (isHtml(text)) findings.add("html", "", "the answer is an HTML page");
    else findings.add("not-json", "", text.trim() === "" ? "the document is empty" : "the text is not JSON");
    return { value: undefined, findings, duplicates: [] };
  }
  const duplicates = duplicateKeys(text, MAX_DUPLICATE_KEYS);
  for (const pointer of duplicates)
    findings.add("duplicate-key", pointer, "the key comes twice in its object");
  return { value, findings, duplicates };
}

export function isHtml(text: string): boolean {
  return text.slice(0, HEAD_CHARS).trimStart().startsWith("<");
}

/** White space before a page's first tag; more is no page. */
const HEAD_CHARS = 4096;

const tooDeep = `arrays and objects are nested deeper than ${MAX_JSON_DEPTH} levels`;

/** Without encoding what is clearly under or over. */
function isOver(text: string, bytes: number): boolean {
  if (text.length > bytes) return true;
  return text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes;
}

function valueNestsDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((inner: JsonValue) => valueNestsDeeper(inner, levels - 1));
}
