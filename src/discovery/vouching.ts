/**
 * Which Server Card proves an endpoint's own word (wire.md "The descriptor"): one that names the endpoint, and that the endpoint's
 * own origin serves where only its owner can put it. A card elsewhere says something about a server; nothing proves that it may.
 * Pure.
 */
import {
  canonicalEndpoint,
  DRAFT_CARD_PATH,
  fillRemote,
  type JsonValue,
  legacyCardPaths,
  type ServerCard,
  serverCardUrl,
} from "../spec/index.ts";
import { type Judged, judgeDocument } from "./judge-document.ts";
import { MAX_CATALOG_LEVELS } from "./limits.ts";
import type { CardDocument, DiscoveredDocument, DocumentRoute } from "./types.ts";

/** The first of these documents that vouches for `endpoint`; null when none does. */
export function vouchingCard(
  documents: readonly DiscoveredDocument[],
  endpoint: string,
): CardDocument | null {
  for (const document of documents) {
    if (document.kind !== "server-card" || !document.usable || !cardNamesEndpoint(document.card, endpoint))
      continue;
    if (isOwn(document, { endpoint, documents })) return document;
  }
  return null;
}

/** True when one of its remotes, without anybody's input, is this endpoint. */
export function cardNamesEndpoint(card: ServerCard, endpoint: string): boolean {
  const wanted = canonicalEndpoint(endpoint);
  return (card.remotes ?? []).some((remote) => {
    const filling = fillRemote(remote);
    return filling.ok && sameEndpoint(filling.url, wanted);
  });
}

/** The usable cards that a document is, or that a catalog has in it; in catalogs within it as deep as publications.ts follows them. */
export function cardsOf(
  judged: Judged,
  { url, level = 1 }: { readonly url: string; readonly level?: number },
): readonly ServerCard[] {
  if (judged.kind === "server-card") return judged.usable ? [judged.card] : [];
  if (judged.kind !== "catalog" || level > MAX_CATALOG_LEVELS) return [];
  return judged.catalog.entries.flatMap(({ data }) => {
    const inner = data === null ? null : judgeDocument({ text: data as JsonValue, url });
    return inner === null || inner.kind === "nothing" ? [] : cardsOf(inner, { url, level: level + 1 });
  });
}

/**
 * The origin's word: at a place that is its owner's alone (reserved beside the endpoint, or well-known), asked there or answered
 * there; or named by a catalog of the same origin, so that a file which a visitor left on a host speaks for nobody.
 */
function isOwn(
  document: CardDocument,
  { endpoint, documents }: { readonly endpoint: string; readonly documents: readonly DiscoveredDocument[] },
): boolean {
  const { origin } = new URL(canonicalEndpoint(endpoint));
  const own = (url: string): boolean => originOf(url) === origin;
  const places = [document.url, document.answeredBy];
  if (places.some((url) => own(url) && isOwnersPlace(url, endpoint))) return true;
  return (
    own(document.url) &&
    document.routes.some(({ through }) => {
      const [first] = through;
      return first !== undefined && through.every(own) && isOwnersCatalog(first, documents);
    })
  );
}

/**
 * Well-known, or named by the front page of its own origin: a catalog that somebody gave the URL of, or that a stranger's page links
 * to, may be anybody's upload.
 */
function isOwnersCatalog(url: string, documents: readonly DiscoveredDocument[]): boolean {
  const catalog = documents.find((document) => document.url === url);
  const isOwners = ({ by, page }: DocumentRoute): boolean =>
    by === "well-known" || (by === "linked" && isLinkedByOwner(url, page));
  return catalog?.routes.some(isOwners) === true;
}

/** Named by the front page of its own site; `page`: the one that names it, if one does. */
export function isLinkedByOwner(url: string, page: string | undefined): boolean {
  return page !== undefined && originOf(page) === originOf(url);
}

function isOwnersPlace(url: string, endpoint: string): boolean {
  const { pathname, hash } = new URL(url);
  if (hash !== "") return false;
  if (url === serverCardUrl(endpoint)) return true;
  return (
    (legacyCardPaths as readonly string[]).includes(pathname) || pathname.startsWith(`${DRAFT_CARD_PATH}/`)
  );
}

/** As in the relay's identity: a final dot and a default port make no other origin. */
export function originOf(url: string): string | null {
  try {
    return new URL(canonicalEndpoint(url)).origin;
  } catch {
    return null;
  }
}

function sameEndpoint(url: string, wanted: string): boolean {
  try {
    return canonicalEndpoint(url) === wanted;
  } catch {
    return false;
  }
}
