/**
 * Where a page or an answer says that its AI Catalog lies: `Link: <…>; rel="ai-catalog"` (RFC 8288) and `<link rel="ai-catalog">`.
 * One pass each, as the text is a stranger's; nothing is fetched and no markup is run.
 */
import { AI_CATALOG_RELATION } from "../spec/index.ts";
import { MAX_LINKS, MAX_TAG_CHARS } from "./limits.ts";

/** Absolute http(s) URLs, each once. `base` is the URL that answered. */
export function linkedCatalogs(
  answer: { readonly linkHeader: string | undefined; readonly page: string | null },
  base: string,
): readonly string[] {
  const named = [...headerLinks(answer.linkHeader ?? ""), ...pageLinks(answer.page ?? "")];
  const pageBase = answer.page === null ? base : baseOf(answer.page, base);
  const found = new Set<string>();
  for (const { href, inPage } of named) {
    const url = URL.parse(href.trim(), inPage ? pageBase : base);
    if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) continue;
    url.hash = "";
    if (found.size < MAX_LINKS) found.add(url.href);
  }
  return [...found];
}

interface Link {
  readonly href: string;
  readonly inPage: boolean;
}

/** RFC 8288 section 3: `<target>; name=value; name="value", <target> …`. */
function* headerLinks(text: string): Generator<Link> {
  let at = text.indexOf("<");
  while (at !== -1) {
    const end = text.indexOf(">", at);
    if (end === -1) return;
    const href = text.slice(at + 1, end);
    const stop = endOfLink(text, end + 1);
    if (hasRelation(parameters(text.slice(end + 1, stop)).get("rel"))) yield { href, inPage: false };
    at = text.indexOf("<", stop);
  }
}

/** The comma behind a link's parameters: one that is not within quotes. */
function endOfLink(text: string, from: number): number {
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === "\\" && quoted) at += 1;
    else if (char === '"') quoted = !quoted;
    else if (char === "," && !quoted) return at;
  }
  return text.length;
}

function parameters(text: string): ReadonlyMap<string, string> {
  return attributes(text, ";");
}

/** Tags of a page until its body begins; comments and scripts are passed over. */
function* tags(page: string): Generator<{ readonly name: string; readonly attributes: string }> {
  let at = page.indexOf("<");
  while (at !== -1) {
    if (page.startsWith("<!--", at)) {
      const end = page.indexOf("-->", at + 4);
      if (end === -1) return;
      at = page.indexOf("<", end + 3);
      continue;
    }
    const end = endOfTag(page, at + 1);
    if (end === -1) return;
    const inside = page.slice(at + 1, end);
    const name = /^[a-z]{1,10}/i.exec(inside)?.[0].toLowerCase() ?? "";
    if (name === "body") return;
    if (name !== "") yield { name, attributes: inside.slice(name.length) };
    const closed =
      name === "script" || name === "style" ? closingTag(page, { name, from: end + 1 }) : end + 1;
    if (closed === -1) return;
    at = page.indexOf("<", closed);
  }
}

function closingTag(page: string, { name, from }: { readonly name: string; readonly from: number }): number {
  const closing = new RegExp(`</${name}`, "gi");
  closing.lastIndex = from;
  return closing.exec(page)?.index ?? -1;
}

/** The `>` that is not within quotes; -1 past the limit. */
function endOfTag(page: string, from: number): number {
  let quote = "";
  const stop = Math.min(page.length, from + MAX_TAG_CHARS);
  for (let at = from; at < stop; at += 1) {
    const char = page[at] as string;
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return at;
  }
  return -1;
}

function* pageLinks(page: string): Generator<Link> {
  for (const tag of tags(page)) {
    if (tag.name !== "link") continue;
    const named = attributes(tag.attributes, " ");
    const href = named.get("href");
    if (href !== undefined && hasRelation(named.get("rel")))
      yield { href: withoutReferences(href), inPage: true };
  }
}

/** A page's `<base href>`, resolved; the page's own URL when it has none. */
function baseOf(page: string, url: string): string {
  for (const tag of tags(page)) {
    const href = tag.name === "base" ? attributes(tag.attributes, " ").get("href") : undefined;
    if (href !== undefined) return URL.parse(withoutReferences(href), url)?.href ?? url;
  }
  return url;
}

/** `name=value` pairs, quoted or not; names in lower case, of several the first. */
function attributes(text: string, separator: ";" | " "): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const pattern =
    separator === ";"
      ? /([\w*-]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g
      : /([\w:-]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]*)))?/g;
  for (const [, name = "", ...values] of text.matchAll(pattern)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, values.find((value) => value !== undefined) ?? "");
  }
  return found;
}

/** `rel` is a list of relations, in any case. */
function hasRelation(relations: string | undefined): boolean {
  return (relations ?? "").toLowerCase().split(/\s+/).includes(AI_CATALOG_RELATION);
}

/** The references that a URL in an attribute has. */
function withoutReferences(text: string): string {
  return text.replaceAll("&#38;", "&").replaceAll("&amp;", "&");
}
