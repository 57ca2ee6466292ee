/**
 * The pages of a registry's list as URLs, and what to do about one that can't be read. Cursors break in the field: one is refused,
 * one leads back, one has run out after a long stop. Pure.
 */
import { trimEndOf } from "../../spec/index.ts";
import type { NewDocument } from "../../store/index.ts";
import { MAX_IMPORT_DETOURS, REGISTRY_PAGE_SIZE } from "../limits.ts";
import { type Trail, writeTrail } from "./trail.ts";

type PageTrail = Extract<Trail, { kind: "page" }>;

const API = "/v0.1/servers";
const OLD_API = "/v0/servers";

/** Sizes of a page: another one ends at another entry, and so has another cursor. Round and round. */
const sizes = [REGISTRY_PAGE_SIZE, 61, 37] as const;

/** A registry's base: its site, or its list's own URL. Without query, fragment and trailing slash. */
export function registryBase(url: string): string {
  const { origin, pathname } = new URL(url);
  const path = trimEndOf(pathname, "/").replace(/\/v0(?:\.1)?(?:\/servers)?$/, "");
  return `${origin}${path}`;
}

export function firstPage(base: string, since: string | null): NewDocument {
  const url = new URL(`${base}${API}`);
  url.searchParams.set("limit", String(sizes[0]));
  url.searchParams.set("version", "latest");
  if (since !== null) url.searchParams.set("updated_since", since);
  return page(url.href, { kind: "page", base, before: null, detours: 0, pass: 0 });
}

export function nextPage(
  url: string,
  { trail, cursor }: { readonly trail: PageTrail; readonly cursor: string },
): NewDocument {
  return {
    ...page(withCursor(url, cursor), { ...trail, before: url }),
    repeated:
      "The registry's pages go round in a circle: a cursor came a second time, and reading ended there.",
  };
}

/** Where to go on when the page at `url` is refused for good; null: nowhere. */
export function detour(url: string, trail: PageTrail): NewDocument | null {
  if (trail.detours >= MAX_IMPORT_DETOURS) return null;
  const detours = trail.detours + 1;
  // From the page before, by pages of another size: their cursors fall elsewhere.
  if (trail.before !== null) {
    const round = page(resized(trail.before), { ...trail, before: null, detours });
    return { ...round, repeated: "No other size of page leads round it: what comes after was not read." };
  }
  // That page's own cursor is refused too: it has run out. What was counted is not counted again.
  if (trail.pass > 0 || cursorOf(url) === null) return null;
  const start = new URL(resized(url));
  start.searchParams.delete("cursor");
  return page(start.href, { ...trail, detours, pass: trail.pass + 1 });
}

/** The same page of an API of 2025; null when it is that already. */
export function olderApi(url: string, trail: PageTrail): NewDocument | null {
  if (cursorOf(url) !== null || !new URL(url).pathname.endsWith(API)) return null;
  const older = new URL(url);
  older.pathname = `${older.pathname.slice(0, -API.length)}${OLD_API}`;
  return page(older.href, trail);
}

export function isFirstPage(url: string, { pass, detours }: PageTrail): boolean {
  return pass === 0 && detours === 0 && cursorOf(url) === null;
}

function page(url: string, trail: PageTrail): NewDocument {
  return { url, trail: writeTrail(trail) };
}

function cursorOf(url: string): string | null {
  return new URL(url).searchParams.get("cursor");
}

function withCursor(url: string, cursor: string): string {
  const next = new URL(url);
  next.searchParams.set("cursor", cursor);
  return next.href;
}

function resized(url: string): string {
  const other = new URL(url);
  const at = sizes.findIndex((size) => String(size) === other.searchParams.get("limit"));
  other.searchParams.set("limit", String(sizes[(at + 1) % sizes.length]));
  return other.href;
}
