/** One page of the docs as HTML: static, without script. Pure; the text comes in as HTML that build/docs.ts made of our own Markdown. */

export interface NavGroup {
  readonly title: string;
  readonly links: readonly NavLink[];
}

export interface NavLink {
  readonly title: string;
  /** Relative to the page it is shown on. */
  readonly href: string;
  readonly current: boolean;
}

export interface DocsPage {
  readonly title: string;
  /** One sentence, plain text. */
  readonly description: string;
  /** The text, as HTML. */
  readonly body: string;
  readonly nav: readonly NavGroup[];
  /** The way to the site's root: "" or "../". */
  readonly root: string;
  /** The same page as Markdown, relative. */
  readonly source: string;
  readonly previous: NavLink | null;
  readonly next: NavLink | null;
}

/** `<!--home-->` is where a catalog that serves the site says what it leads back to (src/doors/pages/site-door.ts); a site by itself leads nowhere. */
export function docsPage(page: DocsPage): string {
  const { title, description, body, nav, root, source, previous, next } = page;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title === "OpenMCP" ? title : `${title} · OpenMCP`)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}docs.css">
<link rel="alternate" type="text/markdown" href="${escapeHtml(source)}">
</head>
<body>
<a class="skip" href="#text">Skip to the text</a>
<header class="docs-head">
<!--home-->
<strong><a class="docs-home" href="${root}index.html">OpenMCP</a></strong>
<a class="to-pages" href="#pages">All pages</a>
</header>
<div class="docs">
<main class="docs-text" id="text">
${body}
<footer>
${[way("Before", previous), way("Next", next)].filter((line) => line !== "").join("\n")}
<p class="soft">This page as <a href="${escapeHtml(source)}">Markdown</a>; all of them <a href="${root}llms.txt">as a list</a> or <a href="${root}llms-full.txt">in one file</a>, for programs that read.</p>
</footer>
</main>
<nav class="docs-nav" id="pages" aria-label="All pages">
${nav.map(group).join("\n")}
</nav>
</div>
</body>
</html>
`;
}

function group({ title, links }: NavGroup): string {
  const items = links.map(
    ({ title: name, href, current }) =>
      `<li><a href="${escapeHtml(href)}"${current ? ' aria-current="page"' : ""}>${escapeHtml(name)}</a></li>`,
  );
  return `${title === "" ? "" : `<h2>${escapeHtml(title)}</h2>\n`}<ul>\n${items.join("\n")}\n</ul>`;
}

function way(word: string, link: NavLink | null): string {
  return link === null
    ? ""
    : `<p>${word}: <a href="${escapeHtml(link.href)}">${escapeHtml(link.title)}</a></p>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
