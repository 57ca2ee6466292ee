/** The directory: search and narrow over relays and tools. Pure, from what the operations answered. */
import { html, raw } from "hono/html";
import type { CatalogIdentity } from "../../catalog/index.ts";
import type { CountsOutput, FacetCount, FoundTool, TagCount } from "../../spec/index.ts";
import { type DirectoryQuery, directoryParameters, directoryPath } from "./directory-query.ts";
import { facets } from "./facets.ts";
import { TOOLS_FOUND } from "./limits.ts";
import { amount, codeBlock, cut, type Markup, number } from "./markup.ts";
import { toolRow } from "./result-rows.ts";
import { pageEnd, pageStart } from "./shell.ts";

export interface DirectoryPage {
  readonly identity: CatalogIdentity;
  readonly counts: CountsOutput;
  readonly facets: readonly FacetCount[];
  readonly tags: readonly TagCount[];
  readonly query: DirectoryQuery;
  /** Tools that match `q`; null when nothing was asked. */
  readonly tools: readonly FoundTool[] | null;
  /** Relays on this page. */
  readonly shown: number;
  readonly total: number;
  /** Path of the next page; null on the last. */
  readonly next: string | null;
  /** True on a page that is not the first. */
  readonly further: boolean;
}

/** In two parts, around the rows of its relays: they are most of it, and nothing else needs them. */
export function directoryPage(directory: DirectoryPage): { readonly before: Markup; readonly after: Markup } {
  const { identity, query, further } = directory;
  const asked = query.q !== "" ? query.q : query.tag;
  return {
    before: html`${pageStart({
      identity,
      title: asked,
      at: "/",
      kind: "directory",
      private: asked !== "" || further,
    })}<section class="hero">
<h1>${cut(identity.name, 120)}</h1>
<p class="lead">${identity.description}</p>
<form class="search" action="/" method="get" role="search">
<label for="q">What should a tool do?</label>
<div class="field"><input id="q" type="search" name="q" value="${query.q}" maxlength="500" placeholder="for example: convert a pdf to text" autocomplete="off" enterkeyhint="search"><button>Search</button></div>
${directoryParameters(query)
  .filter(([name]) => name !== "q")
  .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<p id="told" class="told" role="status">${told(directory)}</p>
</form>
</section>
<div id="found" class="found">
${facets(query, { counts: directory.facets, tags: directory.tags })}
<div class="results" id="results">
${beforeRows(directory)}`,
    after: html`${afterRows(directory)}
</div>
</div>
${asked === "" && !further ? howTo(identity.url) : ""}${pageEnd({ identity })}`,
  };
}

function told({ counts, query, tools, total, further }: DirectoryPage): string {
  if (query.q === "" && query.tag === "" && !isNarrow(query)) {
    return `${number(counts.relays, "relay")} (MCP ${counts.relays === 1 ? "server" : "servers"}) listed, ${amount(counts.online)} online at the last look.`;
  }
  const relays = number(total, "relay");
  if (tools === null || further) return `${relays}.`;
  if (tools.length >= TOOLS_FOUND) return `The ${TOOLS_FOUND} best tools; ${relays}.`;
  return `${number(tools.length, "tool")}${tools.length === 0 ? "" : ", best first"}; ${relays}.`;
}

function isNarrow({ online, verified, auth, era }: DirectoryQuery): boolean {
  return online !== null || verified !== null || auth !== null || era !== null;
}

/** Relays by their words come behind the tools; where tools were found and no relay, there is nothing to add. */
function beforeRows(directory: DirectoryPage): Markup {
  const { tools, shown, total, query } = directory;
  if (total === 0 && (tools === null || tools.length === 0)) return nothing(directory);
  return html`${tools === null || tools.length === 0 ? "" : html`<h2>Tools</h2><ol class="rows">${tools.map(toolRow)}</ol>`}
${shown === 0 ? "" : html`<h2>${heading(query)}</h2><ol class="rows">`}`;
}

function afterRows({ shown, query, next, further }: DirectoryPage): Markup {
  return html`${shown === 0 ? "" : raw("</ol>")}
${next === null && !further ? "" : html`<p class="pages">${further ? html`<a href="${directoryPath(query)}">First page</a>` : ""}${next === null ? "" : html`<a rel="next" href="${next}">More relays</a>`}</p>`}`;
}

function heading({ q, tag }: DirectoryQuery): string {
  const about = [
    q === "" ? "" : ` that speak of “${cut(q, 80)}”`,
    tag === "" ? "" : ` tagged “${cut(tag, 80)}”`,
  ].join("");
  return `Relays${about}`;
}

function nothing({ counts, query }: DirectoryPage): Markup {
  if (counts.relays === 0) {
    return html`<div class="empty"><h2>No relay is listed yet</h2>
<p>Know an MCP server that answers over HTTP? <a href="/register">Register it</a>: its URL is all it takes.</p></div>`;
  }
  const narrow = isNarrow(query) || query.tag !== "";
  return html`<div class="empty"><h2>Nothing found${query.q === "" ? "" : ` for “${cut(query.q, 80)}”`}</h2>
<p>${query.q === "" ? "" : "Fewer or plainer words may find more. "}${narrow ? html`<a href="${query.q === "" ? "/" : `/?${new URLSearchParams({ q: query.q }).toString()}`}">Search all relays</a>. ` : ""}Is something missing? <a href="/register">Register it</a>.</p></div>`;
}

function howTo(url: string): Markup {
  return html`<section class="use">
<h2>Use it</h2>
<div class="two">
<div><h3>From an agent</h3>
<p>Add this catalog as an MCP server: its tools find and call every relay here.</p>
${codeBlock(`${url}/mcp`, "the MCP endpoint")}</div>
<div><h3>From a program</h3>
<p>Everything on these pages is JSON too: <a href="/api">the API</a>.</p>
${codeBlock(`curl '${url}/v1/tools?q=convert+a+pdf'`, "a search with curl")}</div>
</div>
<p class="soft">Anyone may register a relay; what is listed is what the catalog found there itself. “Online” means that it answered; “verified” means that its own site vouches for it. Names and descriptions are the relays' own words.</p>
</section>
`;
}
