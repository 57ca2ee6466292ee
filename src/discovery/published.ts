/**
 * What a domain, or a URL, publishes about MCP servers: which places are asked, and in which order. A card's place is guessed
 * only where no catalog gave it, and nothing is asked that was not named or reserved. No endpoint is called here.
 */
import {
  AI_CATALOG_PATH,
  DESCRIPTOR_PATH,
  type Exchange,
  legacyCardPaths,
  MCP_CATALOG_PATH,
  OpenMcpError,
  serverCardUrl,
} from "../spec/index.ts";
import { createDocumentReader, type DocumentReader } from "./document-reader.ts";
import { exchangeOf } from "./fetch-exchange.ts";
import { DISCOVERY_MS, MAX_DOCUMENTS, MAX_ENTRIES, MAX_LOOKS } from "./limits.ts";
import { createPublications, linkedFrom, type Place, type Publications } from "./publications.ts";
import type { DiscoverOptions, DiscoveryLimits, DocumentSource } from "./types.ts";
import { cardNamesEndpoint } from "./vouching.ts";

export interface Published {
  readonly reader: DocumentReader;
  readonly publications: Publications;
  /** The given URL, where it may be an endpoint. */
  readonly givenEndpoint: string | null;
}

export interface PublishedOptions {
  /** False: the descriptor was read by someone else. */
  readonly descriptor?: boolean;
  /** False: the given URL is an endpoint, and was asked as one; only its origin's files are read. */
  readonly given?: boolean;
  /** False: the cards at the reserved places were read by someone else too. */
  readonly reserved?: boolean;
}

export const defaultLimits: DiscoveryLimits = {
  entries: MAX_ENTRIES,
  documents: MAX_DOCUMENTS,
  looks: MAX_LOOKS,
  totalMs: DISCOVERY_MS,
};

/** `url` as `parseGivenUrl` gives it. */
export async function readPublished(
  url: string,
  options: DiscoverOptions & PublishedOptions,
): Promise<Published> {
  const limits = { ...defaultLimits, ...options.limits };
  const reader = createDocumentReader({
    exchange: exchangeFrom(options),
    signal: options.signal,
    now: options.now ?? Date.now,
    memory: options.memory,
    onRequest: options.onRequest,
    limits,
  });
  const publications = createPublications(reader, { entries: limits.entries, signal: options.signal });
  const { walk, documents } = publications;
  const given = options.given === false || isSite(url) ? null : place(url, "given", "given URL");
  const published = { reader, publications, givenEndpoint: null };

  if (given !== null && looksLikeDocument(url)) {
    await walk([given]);
    // What was meant is here; the rest of its origin was not asked for.
    if (documents.length > 0) return published;
  }
  const front = new URL("/", url).href;
  const [page] = await Promise.all([
    reader.readPage(front),
    walk([
      ...(options.descriptor === false ? [] : [wellKnown(DESCRIPTOR_PATH, "descriptor")]),
      wellKnown(AI_CATALOG_PATH, "AI Catalog"),
      wellKnown(MCP_CATALOG_PATH, "MCP Catalog"),
      ...(given === null ? [] : [given]),
    ]),
  ]);
  const linked = page === null ? [] : linkedFrom(page, "linked");
  page?.log(linked.length === 0 ? "nothing" : "found", pageOutcome(linked));
  await walk(linked);

  const isHere = documents.some((document) => document.url === url || document.answeredBy === url);
  const givenEndpoint = given === null || isHere || looksLikeDocument(url) ? null : url;
  if (nobodyAnswers(reader)) return { ...published, givenEndpoint };
  if (!documents.some(({ kind }) => kind === "catalog")) {
    await walk(legacyCardPaths.map((path) => wellKnown(path, "card")));
  }
  if (options.reserved === false) return { ...published, givenEndpoint };
  const reserved = [
    ...documents.flatMap((one) => (one.kind === "descriptor" ? [one.endpoint] : [])),
    givenEndpoint,
  ]
    .filter((endpoint) => endpoint !== null)
    .filter(
      (endpoint) =>
        !documents.some((one) => one.kind === "server-card" && cardNamesEndpoint(one.card, endpoint)),
    );
  await walk(reserved.map((endpoint) => place(serverCardUrl(endpoint), "reserved", "card")));
  return { ...published, givenEndpoint };

  function wellKnown(path: string, step: string): Place {
    return place(new URL(path, url).href, "well-known", step);
  }
}

/** Nothing here falls back to a global fetch: who calls decides where requests may go. */
function exchangeFrom({ exchange, fetch }: DiscoverOptions): Exchange {
  if (exchange !== undefined) return exchange;
  if (typeof fetch === "function") return exchangeOf(fetch);
  throw new OpenMcpError("invalid-input", "discovery needs a `fetch`, or an `exchange`", {
    data: { field: "fetch" },
  });
}

function place(url: string, by: DocumentSource, step: string): Place {
  return { url, route: { by, through: [], entry: null }, step, level: 1 };
}

function isSite(url: string): boolean {
  const { pathname, search } = new URL(url);
  return pathname === "/" && search === "";
}

/** By its path alone: it decides only what is asked first. */
function looksLikeDocument(url: string): boolean {
  const { pathname } = new URL(url);
  return pathname.startsWith("/.well-known/") || /\.json$|\/server-card$/i.test(pathname);
}

/** Further places of a host that can't be reached, may not be, or answers nothing in time, tell nothing more. */
function nobodyAnswers({ requests }: DocumentReader): boolean {
  return requests.length > 0 && requests.every(({ status }) => status === null);
}

function pageOutcome(linked: readonly Place[]): string {
  if (linked.length === 0) return "names no catalog";
  return `names ${linked.length === 1 ? "a catalog" : `${linked.length} catalogs`}`;
}
