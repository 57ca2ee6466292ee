/**
 * The walk over what is published: from the first places to catalogs, from catalogs to cards and further catalogs, level by level.
 * Each URL is asked once, whoever names it; each way that leads to a document is kept. Which places are first is discover's choice.
 */
import type { CatalogEntry, JsonValue } from "../spec/index.ts";
import { linkedCatalogs } from "./catalog-links.ts";
import type { DocumentReader, ReceivedDocument } from "./document-reader.ts";
import { eachOf } from "./each-of.ts";
import { judgeDocument } from "./judge-document.ts";
import { AT_ONCE, MAX_CATALOG_LEVELS } from "./limits.ts";
import type { DanglingEntry, DiscoveredDocument, DocumentRoute, OtherEntry } from "./types.ts";

/** A place to look at. */
export interface Place {
  readonly url: string;
  readonly route: DocumentRoute;
  /** How the log names what is looked for. */
  readonly step: string;
  /** Where it would be as a catalog: 1 for the first ones. */
  readonly level: number;
}

export interface Publications {
  /** Looks at these places, and at all that their catalogs lead to. */
  walk(places: readonly Place[]): Promise<void>;
  readonly documents: readonly DiscoveredDocument[];
  readonly others: readonly OtherEntry[];
  /** Entries that were followed, and led to no document. */
  readonly dangling: readonly DanglingEntry[];
}

const LEVELS = `Catalogs within catalogs are read ${MAX_CATALOG_LEVELS} levels deep, and no deeper.`;

/** The catalogs that a page names: of a site's front page, or of the page that was given. */
export function linkedFrom(
  { url: page, text, answeredBy, headers }: ReceivedDocument,
  by: "linked" | "given",
): readonly Place[] {
  const links = linkedCatalogs({ linkHeader: headers.link, page: text }, answeredBy);
  return links.map((url) => ({
    url,
    route: { by, through: [], entry: null, ...(by === "linked" ? { page } : {}) },
    step: "linked catalog",
    level: 1,
  }));
}

/** A document, its routes still growing. */
type Growing = DiscoveredDocument & { routes: DocumentRoute[] };

export function createPublications(
  reader: DocumentReader,
  limits: { readonly entries: number; readonly signal: AbortSignal | undefined },
): Publications {
  const documents: Growing[] = [];
  const others = new Map<string, OtherEntry>();
  const empty: DanglingEntry[] = [];
  /** By every URL that was asked or answered; `ways`: all that led there while no document had come. */
  const known = new Map<string, { document: Growing | null; readonly ways: DocumentRoute[] }>();
  let entriesLeft = limits.entries;

  async function walk(places: readonly Place[]): Promise<void> {
    let wave = places;
    while (wave.length > 0) {
      const news = wave.filter((place) => isNew(place));
      const received = await eachOf(news, AT_ONCE, async (place) => {
        limits.signal?.throwIfAborted();
        return { place, document: await reader.read(place.url, place.step) };
      });
      wave = received.flatMap(({ place, document }) => (document === null ? [] : judge(place, document)));
    }
  }

  /** False for a place that was looked at: the way to it is kept. */
  function isNew({ url, route }: Place): boolean {
    const before = known.get(url);
    if (before === undefined) {
      known.set(url, { document: null, ways: [route] });
      return true;
    }
    // A catalog that a catalog leads back to is no further way to it.
    if (before.document === null) before.ways.push(route);
    else if (before.document.kind !== "catalog") before.document.routes.push(route);
    return false;
  }

  function judge(place: Place, received: ReceivedDocument): readonly Place[] {
    const { url, answeredBy, text, cut, utf8, stale, memory } = received;
    const same = known.get(url)?.document ?? known.get(answeredBy)?.document ?? null;
    if (same !== null) {
      received.log("found", `the same document as ${same.url}`);
      if (same.kind !== "catalog") same.routes.push(place.route);
      return [];
    }
    const judged = judgeDocument({ text, cut, utf8, url: answeredBy });
    if (judged.kind === "nothing") {
      received.log("nothing", judged.outcome);
      return place.route.by === "given" ? linkedFrom(received, "given") : [];
    }
    received.log(cut && judged.kind === "unusable" ? "too-large" : "found", judged.outcome);
    const { outcome: _outcome, ...found } = judged;
    return keep({ ...found, url, answeredBy, stale, memory, routes: [place.route] }, place.level);
  }

  function keep(document: Growing, level: number): readonly Place[] {
    for (const url of new Set([document.url, document.answeredBy])) {
      const ways = known.get(url)?.ways.filter((way) => !document.routes.includes(way)) ?? [];
      if (document.kind !== "catalog") document.routes.push(...ways);
      known.set(url, { document, ways: [] });
    }
    documents.push(document);
    return document.kind === "catalog" ? follow(document, level) : [];
  }

  /** What a catalog leads to; artifacts that are in it are taken at once. */
  function follow(file: Growing & { kind: "catalog" }, level: number): readonly Place[] {
    if (level > MAX_CATALOG_LEVELS) {
      reader.cut("levels", LEVELS);
      return [];
    }
    const through = [...(file.routes[0]?.through ?? []), file.url];
    const { entries, cut } = file.catalog;
    if (cut > 0)
      reader.cut(
        "bytes",
        `${file.url} lists ${file.catalog.total} entries: ${cut} of them were not looked at.`,
      );
    if (file.diagnostics.some(({ code }) => code === "too-large")) {
      reader.cut("bytes", `${file.url} is larger than 1 MiB: what stands behind that was not read.`);
    }
    const taken = entries.slice(0, entriesLeft);
    entriesLeft -= taken.length;
    if (taken.length < entries.length) {
      reader.cut("entries", `Only ${limits.entries} entries of all catalogs together were taken.`);
    }
    return taken.flatMap((entry) => {
      const route: DocumentRoute = { by: "listed", through, entry };
      if (entry.kind === "other") {
        noteOther(entry, file.url);
        return [];
      }
      if (entry.kind === "catalog" && level >= MAX_CATALOG_LEVELS) {
        reader.cut("levels", LEVELS);
        return [];
      }
      if (entry.data !== null) return inline(entry, { route, file, level });
      if (entry.url === null) return [];
      const step = entry.kind === "catalog" ? "nested catalog" : "card";
      return [{ url: entry.url, route, step, level: level + 1 }];
    });
  }

  function inline(
    entry: CatalogEntry,
    { route, file, level }: { readonly route: DocumentRoute; readonly file: Growing; readonly level: number },
  ): readonly Place[] {
    const url = `${file.url}#/entries/${entry.index}/data`;
    const judged = judgeDocument({ text: entry.data as JsonValue, url: file.answeredBy });
    if (judged.kind === "nothing") {
      const { identifier } = entry;
      empty.push({ identifier, url, listedBy: file.url, result: "nothing", outcome: judged.outcome });
      return [];
    }
    const { outcome: _outcome, ...found } = judged;
    const { answeredBy, stale, memory } = file;
    documents.push({ ...found, url, answeredBy, stale, memory, routes: [route] });
    const last = documents.at(-1) as Growing;
    return last.kind === "catalog" ? follow(last, level + 1) : [];
  }

  function noteOther({ identifier, type, url }: CatalogEntry, listedBy: string): void {
    const key = `${identifier} ${url}`;
    if (!others.has(key)) others.set(key, { identifier, type, url, listedBy });
  }

  /** What was never asked is cut off, and told as such. */
  function* unanswered(): Generator<DanglingEntry> {
    for (const { url, result, outcome } of reader.requests) {
      const place = known.get(url);
      if (place?.document !== null) continue;
      for (const { entry, through } of place.ways) {
        const listedBy = through.at(-1);
        if (entry === null || listedBy === undefined) continue;
        yield { identifier: entry.identifier, url, listedBy, result, outcome };
      }
    }
  }

  return {
    walk,
    documents,
    get others() {
      return [...others.values()];
    },
    get dangling() {
      return [...empty, ...unanswered()];
    },
  };
}
