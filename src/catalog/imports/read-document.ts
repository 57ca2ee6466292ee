/**
 * Reads one document of an import and says what became of it: what it gave, or when to ask again. Asking is fetch-text.ts's;
 * what an answer means is judged here and beside it, purely.
 */
import { linkedCatalogs } from "../../discovery/index.ts";
import { AI_CATALOG_PATH, canonicalEndpoint, MCP_CATALOG_PATH } from "../../spec/index.ts";
import type { DocumentReading, WaitingDocument } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import {
  IMPORT_PAUSES_MS,
  MAX_CATALOG_TRIES,
  MAX_FIRST_TRIES,
  MAX_IMPORT_DOCUMENT_BYTES,
  MAX_PAGE_BYTES,
  MAX_PAGE_TRIES,
  MAX_REFUSED_TRIES,
  MAX_STALE_PAGES,
} from "../limits.ts";
import { type FetchedText, fetchText } from "./fetch-text.ts";
import { judgeCardDocument } from "./judge-card-document.ts";
import { judgeCatalog } from "./judge-catalog.ts";
import { judgePage } from "./judge-page.ts";
import { detour, isFirstPage, nextPage, olderApi } from "./registry-pages.ts";
import { linkedCatalog, readTrail, type Trail, writeTrail } from "./trail.ts";

export type DocumentOutcome =
  | { readonly kind: "done"; readonly reading: DocumentReading }
  | { readonly kind: "again"; readonly afterMs: number; readonly error: string };

type Failed = Pick<Extract<FetchedText, { kind: "failed" }>, "passing" | "status" | "error" | "retryAfterMs">;
type TrailOf<Kind> = Extract<Trail, { readonly kind: Kind }>;

/**
 * `documents`: how many the job has read.
 * @throws OpenMcpError `aborted`, `unavailable`.
 */
export async function readDocument(
  context: CatalogContext,
  document: WaitingDocument,
  { documents, signal }: { readonly documents: number; readonly signal: AbortSignal },
): Promise<DocumentOutcome> {
  const trail = readTrail(document.trail);
  const own = canonicalEndpoint(`${context.identity.url}/mcp`);
  switch (trail.kind) {
    case "page": {
      // Also where each has a cursor of its own: a list that brings nothing new is at its end. The second time it does so for long.
      if (document.stale > MAX_STALE_PAGES + (trail.pass === 0 ? 0 : documents))
        return endless(document.stale);
      const options = { accept: "application/json", maxBytes: MAX_PAGE_BYTES, signal };
      const fetched = await fetchText(context, document.url, options);
      if (fetched.kind === "failed") return failedPage(document, trail, fetched);
      const judged = await judgePage(fetched.text, own);
      if (judged === null) return failedPage(document, trail, noList);
      const cursor = judged.nextCursor;
      const next = cursor === null ? [] : [nextPage(document.url, { trail, cursor })];
      return done({ entries: judged.entries, documents: next, source: trail.base });
    }
    case "catalog": {
      const options = { accept: CATALOG_TYPES, maxBytes: MAX_IMPORT_DOCUMENT_BYTES, mayBeCut: true, signal };
      const fetched = await fetchText(context, document.url, options);
      if (fetched.kind === "failed") return failedCatalog(document, trail, fetched);
      const reading = await judgeCatalog(fetched.text, {
        url: fetched.url,
        cut: fetched.cut,
        trail,
        own,
      });
      return reading === null ? failedCatalog(document, trail, noCatalog) : done(reading);
    }
    case "card": {
      const options = { accept: CARD_TYPES, maxBytes: MAX_IMPORT_DOCUMENT_BYTES, signal };
      const fetched = await fetchText(context, document.url, options);
      if (fetched.kind === "failed" && fetched.passing && document.tries + 1 < MAX_CATALOG_TRIES) {
        return again(document, fetched);
      }
      const text = fetched.kind === "failed" ? null : fetched.text;
      const url = fetched.kind === "failed" ? document.url : fetched.url;
      const { key, listing } = trail;
      const told = listing === undefined ? undefined : { ...listing, card: document.url };
      const entry = await judgeCardDocument(text, { url, key, own, listing: told });
      return done({ entries: [entry], source: trail.source });
    }
    case "front": {
      const options = { accept: "text/html", maxBytes: MAX_IMPORT_DOCUMENT_BYTES, mayBeCut: true, signal };
      const fetched = await fetchText(context, document.url, options);
      if (fetched.kind === "failed") return failedFront(document, fetched);
      const linked = linkedCatalogs({ linkHeader: fetched.link, page: fetched.text }, fetched.url);
      if (linked.length === 0) return failedFront(document, noLink);
      return done({ documents: linked.map((url) => linkedCatalog(url, document.url)) });
    }
  }
}

const CATALOG_TYPES = "application/ai-catalog+json, application/json;q=0.9";
const CARD_TYPES = "application/mcp-server-card+json, application/json;q=0.9";

const noList: Failed = {
  passing: false,
  status: null,
  error: "its answer is no list of servers",
  retryAfterMs: null,
};
const noCatalog: Failed = { ...noList, error: "its answer is no catalog" };
const noLink: Failed = { ...noList, error: "it names none" };

function failedPage(document: WaitingDocument, trail: TrailOf<"page">, failed: Failed): DocumentOutcome {
  const { url, tries } = document;
  const first = isFirstPage(url, trail);
  if (failed.passing && tries + 1 < (first ? MAX_FIRST_TRIES : MAX_PAGE_TRIES))
    return again(document, failed);
  if (first) {
    const older = failed.status === 404 ? olderApi(url, trail) : null;
    if (older !== null) return done({ documents: [older] });
    return done({
      problems: [`${url}: ${failed.error}. Give the base URL of an MCP registry.`],
      incomplete: true,
    });
  }
  // A refusal may be a whim; that of the same page twice is not.
  if (!failed.passing && tries + 1 < MAX_REFUSED_TRIES) return again(document, failed);
  const round = detour(url, trail);
  if (round === null) {
    return done({
      problems: [`${url}: ${failed.error}. There was no way round it: what comes after was not read.`],
      incomplete: true,
    });
  }
  return done({
    documents: [round],
    problems: [`${url}: ${failed.error}. Reading went on by pages of another size.`],
  });
}

function failedCatalog(
  document: WaitingDocument,
  trail: TrailOf<"catalog">,
  failed: Failed,
): DocumentOutcome {
  const most = trail.depth === 0 ? MAX_FIRST_TRIES : MAX_CATALOG_TRIES;
  if (failed.passing && document.tries + 1 < most) return again(document, failed);
  const { instead, front } = trail;
  if (instead !== undefined && !failed.passing) {
    const { instead: _instead, ...rest } = trail;
    return done({ documents: [{ url: instead, trail: writeTrail({ ...rest, source: instead }) }] });
  }
  if (front !== undefined && !failed.passing) {
    return done({ documents: [{ url: front, trail: writeTrail({ kind: "front" }) }] });
  }
  return done({ problems: [`${document.url}: ${failed.error}.`], incomplete: true });
}

/** Nothing more is left to look at. */
function failedFront(document: WaitingDocument, failed: Failed): DocumentOutcome {
  if (failed.passing && document.tries + 1 < MAX_FIRST_TRIES) return again(document, failed);
  const places = `${AI_CATALOG_PATH} and ${MCP_CATALOG_PATH}`;
  return done({
    problems: [`${document.url}: no catalog at ${places}, nor by its front page: ${failed.error}.`],
    incomplete: true,
  });
}

function again({ tries }: WaitingDocument, { error, retryAfterMs }: Failed): DocumentOutcome {
  const pause = IMPORT_PAUSES_MS[Math.min(tries, IMPORT_PAUSES_MS.length - 1)] as number;
  return { kind: "again", afterMs: Math.max(pause, retryAfterMs ?? 0), error };
}

function endless(stale: number): DocumentOutcome {
  const problem = `The last ${stale} pages brought nothing new, and reading ended there.`;
  return done({ problems: [problem], incomplete: true });
}

function done(reading: Partial<DocumentReading>): DocumentOutcome {
  return {
    kind: "done",
    reading: { entries: [], documents: [], source: null, problems: [], ...reading },
  };
}
