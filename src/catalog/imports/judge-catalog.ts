/**
 * A catalog's entries: cards inside it judged at once, cards and catalogs elsewhere noted to be read. Nested catalogs are followed
 * four levels down; each URL is read once, whatever points at it (discovery.md "Catalogs").
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type CatalogEntry, type JsonValue, readCatalog, sniffDocument } from "../../spec/index.ts";
import type { DocumentReading, ImportEntry, NewDocument } from "../../store/index.ts";
import { ENTRIES_A_TURN, MAX_CATALOG_DEPTH } from "../limits.ts";
import { judgeCardDocument } from "./judge-card-document.ts";
import { skipped } from "./judge-entry.ts";
import { type Trail, writeTrail } from "./trail.ts";

type TrailOf<Kind> = Extract<Trail, { readonly kind: Kind }>;

export interface CatalogContextOf {
  /** That answered: relative URLs resolve on it. */
  readonly url: string;
  /** The document is the beginning of a larger one. */
  readonly cut?: boolean;
  readonly trail: TrailOf<"catalog">;
  /** This catalog's own endpoint, canonical. */
  readonly own: string;
}

/** Null when it is no catalog. */
export async function judgeCatalog(
  document: string | JsonValue,
  context: CatalogContextOf,
): Promise<DocumentReading | null> {
  const { url, trail, cut = false } = context;
  const { value: catalog, diagnostics } = readCatalog(document, { url, isCut: cut });
  if (catalog === null) {
    const kind = sniffDocument(document);
    // What says that it is a catalog, and is refused, says why.
    if (kind !== "ai-catalog" && kind !== "mcp-catalog") return null;
    const why = diagnostics.find(({ severity }) => severity === "error")?.message ?? "it can't be read";
    return { entries: [], documents: [], source: null, problems: [`${url}: ${why}`], incomplete: true };
  }
  const entries: ImportEntry[] = [];
  const documents: NewDocument[] = [];
  const problems: string[] = [];
  for (let at = 0; at < catalog.dropped; at += 1) entries.push(skipped(`${url} dropped ${at}`, "unreadable"));
  if (catalog.cut > 0) {
    problems.push(`${url} has ${catalog.total} entries: the last ${catalog.cut} were not read.`);
  }
  if (cut) problems.push(`${url} is larger than 1 MiB: what stands behind that was not read.`);
  let incomplete = cut || catalog.cut > 0;
  const through = [...(trail.through ?? []), trail.source];
  for (const [at, entry] of catalog.entries.entries()) {
    if (at % ENTRIES_A_TURN === 0) await nextTurn();
    const key = `${url} ${entry.index} ${entry.identifier}`;
    if (entry.kind === "other") entries.push(skipped(key, "not-mcp"));
    else if (entry.kind !== "catalog") {
      const listing = { identifier: entry.identifier, through, page: trail.page };
      if (entry.data !== null) {
        const { own } = context;
        const inside = { ...listing, card: trail.source };
        entries.push(await judgeCardDocument(entry.data, { url, own, key, listing: inside }));
      } else documents.push(card(entry, { key, source: trail.source, listing }));
    } else if (trail.depth >= MAX_CATALOG_DEPTH) {
      problems.push(
        `${url} has catalogs in it that lie deeper than ${MAX_CATALOG_DEPTH} levels: they were not read.`,
      );
      incomplete = true;
    } else if (entry.url !== null) {
      documents.push({ url: entry.url, trail: writeTrail({ ...deeper(trail), through, source: entry.url }) });
    } else {
      const inside = await judgeCatalog(entry.data as JsonValue, {
        ...context,
        cut: false,
        trail: deeper(trail),
      });
      entries.push(
        ...(inside?.entries ?? [skipped(key, "unreadable")]).map((each) => ({
          ...each,
          key: `${key} ${each.key}`,
        })),
      );
      documents.push(...(inside?.documents ?? []));
      problems.push(...(inside?.problems ?? []));
      incomplete ||= inside?.incomplete === true;
    }
  }
  return {
    entries,
    documents,
    source: trail.source,
    problems: [...new Set(problems)],
    ...(incomplete ? { incomplete } : {}),
  };
}

function card({ url }: CatalogEntry, { key, source, listing }: Omit<TrailOf<"card">, "kind">): NewDocument {
  return { url: url as string, trail: writeTrail({ kind: "card", key, source, listing }) };
}

/** A catalog within one: by itself it is nowhere, so its way is that of the one it is in. */
function deeper({ depth, source, through, page }: TrailOf<"catalog">): TrailOf<"catalog"> {
  return { kind: "catalog", depth: depth + 1, source, through, page };
}
