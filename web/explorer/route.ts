/** Where the person is, in the URL's fragment, so that it can be linked and the browser's back button works: `#/tools/echo`. */
import { createValue } from "./ui/value.ts";

export const places = ["tools", "resources", "prompts", "wire", "history", "server"] as const;
export type Place = (typeof places)[number];

export interface Route {
  readonly place: Place;
  /** What is open there; null for the list. */
  readonly name: string | null;
}

/** The part of a browser's window that is used; there is none where routes are only read. */
const browser = globalThis as unknown as {
  readonly location?: { readonly hash: string };
  addEventListener(name: "hashchange", listener: () => void): void;
};

export const route = createValue<Route>(readRoute(browser.location?.hash ?? ""));

export function followRoute(): void {
  browser.addEventListener("hashchange", () => route.set(readRoute(browser.location?.hash ?? "")));
}

export function readRoute(hash: string): Route {
  const [, place = "", ...rest] = hash.replace(/^#/, "").split("/");
  const known = places.find((name) => name === place);
  if (known === undefined) return { place: "tools", name: null };
  const name = rest.join("/");
  return { place: known, name: name === "" ? null : decoded(name) };
}

export function hrefOf({ place, name }: Route): string {
  return `#/${place}${name === null ? "" : `/${encodeURIComponent(name.toWellFormed())}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
