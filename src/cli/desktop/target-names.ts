/** What a server is called in an application, of the words that name it: the short name first, then what tells it from a namesake. */
import { nameFrom } from "../../desktop/index.ts";
import { isUrl } from "./endpoint-of.ts";

/** `relay`: its id, where the words are one; `catalog`: the URL that no words stand for. */
export function targetNames(
  target: readonly string[],
  { relay, catalog }: { readonly relay: string | null; readonly catalog: string },
): readonly string[] {
  const [first] = target;
  if (relay !== null) return [nameFrom(relay)];
  if (first === undefined) return ["openmcp", nameFrom(`openmcp-${hostOf(catalog)}`)];
  if (isUrl(first) && target.length === 1) {
    const path = URL.canParse(first) ? new URL(first).pathname.replace(/\/(?:mcp)?\/?$/, "") : "";
    return distinct([nameFrom(hostOf(first)), nameFrom(`${hostOf(first)}${path}`)]);
  }
  const telling = (target.slice(1).find((word) => !word.startsWith("-")) ?? first).replace(
    /(?<=.)@[^/@]*$/,
    "",
  );
  const parts = telling.split(/[\\/]/).filter((part) => part !== "");
  const short = (words: readonly string[]) => nameFrom(words.join("-").replace(/\.[A-Za-z]{1,4}$/, ""));
  // Of a package its scope, of a script its folder.
  return distinct([short(parts.slice(-1)), short(parts.slice(-2))]);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
