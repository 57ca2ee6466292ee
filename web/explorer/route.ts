/** Where the person is, in the URL's fragment, so that it can be linked and the browser's back button works: `#/tools/echo`. */
import { createValue } from "./ui/value.ts";

export const places = ["tools", "resources", "prompts", "wire", "history", "server"] as const;
export type Place = (typeof places)[number];

export interface Route {
  readonly place: Place;
  /** What is open there; null for the list. */
  readonly name: string | null;
}

export const route = createValue<Route>(readRoute(globalThis.location?.hash ?? ""));

export function followRoute(): void {
  globalThis.addEventListener("hashchange", () => route.set(readRoute(location.hash)));
}

export function readRoute(hash: string): Route {
  const [, place = "", ...rest] = hash.replace(/^#/, "").split("/");
  const known = places.find((name) => name === place);
  if (known === undefined) return { place: "tools", name: null };
  const name = rest.join("/");
  return { place: known, name: name === "" ? null : decoded(name) };
}

export function hrefOf({ place, name }: Route): string {
  return `#/${place}${name === null ? "" : `/${encodeURIComponent(name)}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
