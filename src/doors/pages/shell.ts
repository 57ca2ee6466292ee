/** What is around every page: the head, the way to the other pages, the foot. In two parts, so that a page can be sent as it happens. */
import { html, raw } from "hono/html";
import type { CatalogIdentity } from "../../catalog/index.ts";
import { AI_CATALOG_PATH, AI_CATALOG_RELATION, AI_CATALOG_TYPE } from "../../spec/index.ts";
import { cut, level, type Markup, outward, said } from "./markup.ts";

export interface Shell {
  readonly identity: CatalogIdentity;
  /** Of the page alone; the catalog's name comes behind it. */
  readonly title: string;
  /** The path of the page in the navigation; null for one that is not in it. */
  readonly at: string | null;
  /** For search engines and previews; default: the catalog's own. */
  readonly description?: string;
  /** A feed of this page's own, beside the catalog's. */
  readonly feed?: { readonly href: string; readonly title: string };
  /** Search engines leave it out: results, forms, answers. */
  readonly private?: boolean;
  /** More for the head. */
  readonly head?: Markup;
  /** Class of `main`. */
  readonly kind: string;
}

const places: readonly (readonly [path: string, name: string])[] = [
  ["/", "Directory"],
  ["/register", "Register"],
  ["/status", "Status"],
  ["/peers", "Peers"],
  ["/api", "API"],
  ["/docs/", "Docs"],
];

/** A whole page. */
export function page(shell: Shell, main: Markup): Markup {
  return html`${pageStart(shell)}${main}${pageEnd(shell)}`;
}

/** Up to and with the opening of `main`. */
export function pageStart(shell: Shell): Markup {
  const { identity, title, at, kind } = shell;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === "" ? "" : `${level(title, 80)} · `}${cut(identity.name, 80)}</title>
<meta name="description" content="${level(shell.description ?? identity.description, 200)}">
${shell.private === true ? raw('<meta name="robots" content="noindex">\n') : ""}<link rel="stylesheet" href="${asset("directory.css", identity)}">
<link rel="icon" href="${asset("icon.svg", identity)}" type="image/svg+xml">
<script src="${asset("directory.js", identity)}" defer></script>
<link rel="alternate" type="application/atom+xml" title="What changed" href="/feed.atom">
${shell.feed === undefined ? "" : html`<link rel="alternate" type="application/atom+xml" title="${level(shell.feed.title, 80)}" href="${shell.feed.href}">\n`}<link rel="${AI_CATALOG_RELATION}" type="${AI_CATALOG_TYPE}" href="${identity.url}${AI_CATALOG_PATH}">
${shell.head ?? ""}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="/">${mark()}<span>${cut(identity.name, 80)}</span></a>
<nav aria-label="Catalog">${places.map(
    ([path, name]) => html`<a href="${path}"${path === at ? raw(' aria-current="page"') : ""}>${name}</a>`,
  )}</nav>
</header>
<main id="main" class="${kind}">
`;
}

export function pageEnd({ identity }: Pick<Shell, "identity">): Markup {
  return html`</main>
<footer class="foot">
<p>${operatorLine(identity.operator)} OpenMCP ${identity.version}.</p>
<p><a href="/feed.atom">Feed of changes</a> <a href="/v1/openapi.json">OpenAPI</a> <a href="/.well-known/openmcp.json">Descriptor</a> <a href="/llms.txt">llms.txt</a></p>
</footer>
</body>
</html>
`;
}

/** A built file by its URL; a new version of the catalog has a new one, so that no browser mixes two. */
export function asset(name: string, { version }: CatalogIdentity): string {
  return `/assets/${name}?v=${encodeURIComponent(version)}`;
}

function operatorLine(operator: string | null): Markup {
  if (operator === null) return html`The catalog's operator is not stated.`;
  return html`Run by ${/^https?:\/\//i.test(operator) ? outward(operator, operator.replace(/^https?:\/\/|\/$/gi, "")) : said(operator, 120)}.`;
}

/** Three relays and who knows them. */
function mark(): Markup {
  return html`<svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path d="M12 12 5 6m7 6 8-3m-8 3-2 8"/><circle cx="12" cy="12" r="3.5"/><circle cx="5" cy="6" r="2"/><circle cx="20" cy="9" r="2"/><circle cx="10" cy="20" r="2"/></svg>`;
}
