/** What the reader notes with a document that is still to be read: what it is, and how it came there. The store keeps it as text. */
import type { Listing } from "../../discovery/index.ts";
import { AI_CATALOG_PATH, MCP_CATALOG_PATH } from "../../spec/index.ts";
import type { NewDocument } from "../../store/index.ts";

export type Trail =
  /** A page of a registry's list. */
  | {
      readonly kind: "page";
      /** The registry's base URL: whose word it is. */
      readonly base: string;
      /** The page before; null: there is none, or it is not to be gone back to. */
      readonly before: string | null;
      /** Ways round a broken cursor that were taken up to here. */
      readonly detours: number;
      /** How often the list was begun anew. */
      readonly pass: number;
    }
  /** A catalog; `depth` 0 is the one that was named. `source`: its URL, whose word the entries are. */
  | {
      readonly kind: "catalog";
      readonly depth: number;
      readonly source: string;
      /** Where to look when nothing is there, and then the site's front page. */
      readonly instead?: string;
      readonly front?: string;
      /** The catalogs on the way to it, the outermost first; absent: none. */
      readonly through?: readonly string[] | undefined;
      /** The front page that names the outermost of them, or it. */
      readonly page?: string | undefined;
    }
  /** A site's front page, which may name a catalog. */
  | { readonly kind: "front" }
  /** A card, or a registry's server.json, that an entry of a catalog points at. */
  | {
      readonly kind: "card";
      readonly key: string;
      readonly source: string;
      /** How the catalog lists it. */
      readonly listing?: Omit<Listing, "card"> | undefined;
    };

export function writeTrail(trail: Trail): string {
  return JSON.stringify(trail);
}

/** Of what `writeTrail` wrote. */
export function readTrail(text: string): Trail {
  return JSON.parse(text) as Trail;
}

/** Where to begin with a catalog: at the URL given, or, for a site, at the places where one is published. */
export function firstCatalog(url: string): NewDocument {
  const given = new URL(url);
  const isSite = given.pathname === "/" && given.search === "";
  if (!isSite) return { url, trail: writeTrail({ kind: "catalog", depth: 0, source: url }) };
  const named = new URL(AI_CATALOG_PATH, url).href;
  const instead = new URL(MCP_CATALOG_PATH, url).href;
  const front = given.href;
  return { url: named, trail: writeTrail({ kind: "catalog", depth: 0, source: named, instead, front }) };
}

/** A catalog that a site's front page names. */
export function linkedCatalog(url: string, page: string): NewDocument {
  return { url, trail: writeTrail({ kind: "catalog", depth: 0, source: url, page }) };
}
