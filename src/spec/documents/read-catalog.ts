/**
 * Reads an MCP Catalog or an AI Catalog; which one, its content says. Good entries are kept, bad ones dropped with a diagnostic. A
 * catalog is refused whole where it may mean something else than it seems to: a later major version, a key of its own that comes twice.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { MAX_CATALOG_ENTRIES, MAX_DUPLICATE_KEYS } from "../limits.ts";
import type { CatalogDocument, CatalogEntry, CatalogReading } from "./catalog-document.ts";
import { readCatalogEntry } from "./catalog-entry.ts";
import { type Findings, quoted } from "./findings.ts";
import { MCP_IDENTIFIER_PREFIX } from "./identifiers.ts";
import { closeCutText } from "./json-text.ts";
import { isLocal } from "./lint-url.ts";
import { openDocument } from "./open-document.ts";
import { readServerCard } from "./read-server-card.ts";
import { own } from "./shape.ts";
import { readSpecVersion } from "./spec-version.ts";

export interface ReadCatalogContext {
  /** The URL that answered, after redirects: relative URLs of entries resolve on it. Without it they are dropped. */
  readonly url?: string;
  /** The text is only the beginning of the document, which was too long: its whole entries are read. */
  readonly isCut?: boolean;
}

/** `document` is the text as it was received, or what was parsed from it; only text tells of duplicate keys and a byte order mark. */
export function readCatalog(document: string | JsonValue, context: ReadCatalogContext = {}): CatalogReading {
  const isCut = context.isCut === true && typeof document === "string";
  const whole = isCut ? (closeCutText(document, "entries") ?? document) : document;
  const { value, findings, duplicates } = openDocument(whole);
  if (isCut)
    findings.add(
      "entries-cut",
      "/entries",
      "the document is too long: the entries behind its cut are not read",
    );
  const catalog = value === undefined ? null : read(value, { findings, duplicates, context });
  return {
    conformant: findings.conformant,
    usable: catalog !== null,
    value: catalog,
    diagnostics: findings.list,
  };
}

interface Reader {
  readonly findings: Findings;
  readonly duplicates: readonly string[];
  readonly context: ReadCatalogContext;
}

function read(value: JsonValue, { findings, duplicates, context }: Reader): CatalogDocument | null {
  if (!isJsonObject(value)) {
    findings.add("wrong-type", "", "a catalog is an object");
    return null;
  }
  const given = own(value, "entries");
  if (!Array.isArray(given)) {
    if (given === undefined) findings.add("missing-member", "", '"entries" is missing');
    else findings.add(given === null ? "null-value" : "wrong-type", "/entries", "an array is expected here");
    return null;
  }
  const version = readSpecVersion(own(value, "specVersion"), {
    findings,
    looksLikeDraft: looksLikeDraft(value),
  });
  // Two readers may take two of them.
  const isAmbiguous =
    duplicates.length >= MAX_DUPLICATE_KEYS || duplicates.some((pointer) => pointer.lastIndexOf("/") === 0);
  if (version === null || isAmbiguous) return null;
  const ambiguous = new Set(duplicates.flatMap((pointer) => /^\/entries\/(\d+)/.exec(pointer)?.[1] ?? []));
  const entries: CatalogEntry[] = [];
  const names = new Set<string>();
  const local = isLocal(context.url);
  const taken = given.slice(0, MAX_CATALOG_ENTRIES) as readonly JsonValue[];
  for (const [index, item] of taken.entries()) {
    const pointer = `/entries/${index}`;
    const entry = readCatalogEntry(item, {
      ...version,
      findings,
      pointer,
      index,
      base: context.url,
      local,
    });
    if (entry === null || ambiguous.has(String(index))) {
      findings.add("entry-dropped", pointer, "the entry is left out");
      continue;
    }
    const name = JSON.stringify([entry.identifier, entry.version]);
    if (names.has(name)) {
      findings.add(
        "identifier-duplicate",
        `${pointer}/identifier`,
        `${quoted(entry.identifier)} is an earlier entry's`,
      );
    }
    names.add(name);
    judgeData(entry, { findings, pointer, url: context.url });
    entries.push(entry);
  }
  const cut = given.length - taken.length;
  if (cut > 0)
    findings.add(
      "entries-cut",
      "/entries",
      `${cut} entries are not read: the limit is ${MAX_CATALOG_ENTRIES}`,
    );
  return {
    ...version,
    host: readHost(value, findings),
    entries,
    total: given.length,
    dropped: taken.length - entries.length,
    cut,
  };
}

/** Whether an inline card is conformant; what exactly is wrong with it is for a reader of it. */
function judgeData(
  { kind, data }: CatalogEntry,
  {
    findings,
    pointer,
    url,
  }: { readonly findings: Findings; readonly pointer: string; readonly url: string | undefined },
): void {
  if (data === null || kind !== "server-card") return;
  const reading = readServerCard(data as JsonObject, url === undefined ? {} : { url });
  if (reading.conformant) return;
  const [first] = reading.diagnostics.filter(({ severity }) => severity === "error");
  findings.add(
    "data-not-conformant",
    `${pointer}/data${first?.pointer ?? ""}`,
    first?.message ?? "the card is not conformant",
  );
}

function readHost(catalog: JsonObject, findings: Findings): JsonObject | null {
  const host = own(catalog, "host");
  if (host === undefined) return null;
  if (!isJsonObject(host)) {
    findings.add(host === null ? "null-value" : "wrong-type", "/host", "an object is expected here");
    return null;
  }
  if (typeof own(host, "displayName") !== "string")
    findings.add("missing-member", "/host", '"displayName" is missing');
  return host;
}

/** For a catalog whose version does not tell: the draft's identifiers, or its name for the media type. */
function looksLikeDraft(catalog: JsonObject): boolean {
  const entries = own(catalog, "entries") as readonly JsonValue[];
  const [first] = entries;
  if (first === undefined) return false;
  const identifier = own(first, "identifier");
  return typeof identifier === "string" && identifier.startsWith(MCP_IDENTIFIER_PREFIX);
}
