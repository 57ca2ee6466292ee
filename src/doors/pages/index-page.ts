/**
 * The directory as HTML: pure, from what the operations answered. Everything that came from a relay is escaped by the
 * template and cut to a readable length; its links are http(s) or no links.
 */
import { html, raw } from "hono/html";
import type { CatalogIdentity } from "../../catalog/index.ts";
import {
  AI_CATALOG_PATH,
  AI_CATALOG_RELATION,
  AI_CATALOG_TYPE,
  type CountsOutput,
  type FoundTool,
  type RelaySummary,
} from "../../spec/index.ts";
import { STYLE } from "./style.ts";

export interface IndexPage {
  readonly identity: CatalogIdentity;
  readonly counts: CountsOutput;
  readonly q: string;
  readonly tag: string;
  readonly online: boolean;
  /** Tools that match `q`; null when nothing was asked. */
  readonly tools: readonly FoundTool[] | null;
  readonly relays: readonly RelaySummary[];
  readonly total: number;
  /** Query string of the next page; null on the last. */
  readonly next: string | null;
}

type Markup = ReturnType<typeof html>;

const MAX_TEXT = 400;
/** Room for this many names; one more than fits is named too, since "and 1 more" takes no less room. */
const MAX_TOOL_NAMES = 12;

export function indexPage(page: IndexPage): Markup {
  const { identity, counts } = page;
  const asked = page.q !== "" ? `${page.q} · ` : page.tag !== "" ? `${page.tag} · ` : "";
  return html`${head(`${cut(asked, 80)}${identity.name}`, identity)}
<body>
<a class="skip" href="#results">Skip to the list</a>
<header>
<h1>${page.q === "" && page.tag === "" ? identity.name : html`<a href="/">${identity.name}</a>`}</h1>
<p class="soft">${identity.description}</p>
<p>${number(counts.relays, "relay")} (${counts.relays === 1 ? "an MCP server" : "MCP servers"}) listed, ${counts.online} online at the last look.
${operatorLine(identity.operator)}</p>
<form action="/" method="get" role="search">
<label>What should a tool do? <input type="search" name="q" value="${page.q}" maxlength="500" placeholder="for example: convert a pdf to text"></label>
<label><input type="checkbox" name="online" value="1"${page.online ? raw(" checked") : ""}> online only</label>
${page.tag === "" ? "" : html`<input type="hidden" name="tag" value="${page.tag}">`}
<button>Search</button>
</form>
</header>
<main id="results">
${page.tools === null ? "" : foundTools(page.tools)}
${relayList(page)}
${page.next === null ? "" : html`<p><a rel="next" href="/?${page.next}">More</a></p>`}
</main>
<footer>
<h2>How to use it</h2>
${howTo(identity.url)}
</footer>
</body>
</html>`;
}

/** What a person reads when something is wrong. */
export function errorPage(
  identity: CatalogIdentity,
  { title, detail }: { readonly title: string; readonly detail: string },
): Markup {
  return html`${head(`${title} · ${identity.name}`, identity)}
<body>
<header><p><a href="/">${identity.name}</a></p></header>
<main>
<h1>${title}</h1>
<p>${detail.charAt(0).toUpperCase()}${detail.slice(1)}.</p>
</main>
</body>
</html>`;
}

function head(title: string, { description, url }: CatalogIdentity): Markup {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<meta name="description" content="${description}">
<meta name="referrer" content="no-referrer">
<link rel="${AI_CATALOG_RELATION}" type="${AI_CATALOG_TYPE}" href="${url}${AI_CATALOG_PATH}">
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>`;
}

/** Relays by their words come behind the tools; where tools were found and no relay, there is nothing to add. */
function relayList(page: IndexPage): Markup | string {
  const { relays, tools, total, q, tag } = page;
  if (total === 0 && tools !== null && tools.length > 0) return "";
  if (relays.length > 0) return html`<h2>${heading(page)}</h2><ol>${relays.map(relayCard)}</ol>`;
  const none =
    total === 0 && q === "" && tag === "" ? "No relay is listed yet: register one as below." : "None.";
  return html`<h2>${heading(page)}</h2><p>${none}</p>`;
}

function heading({ q, tag, total }: IndexPage): string {
  const about = [
    q === "" ? "" : ` that speak of “${cut(q, 80)}”`,
    tag === "" ? "" : ` tagged “${cut(tag, 80)}”`,
  ].join("");
  return about === "" ? "Relays" : `${number(total, "relay")}${about}`;
}

function foundTools(tools: readonly FoundTool[]): Markup {
  if (tools.length === 0)
    return html`<h2>Tools</h2><p>No tool was found. Fewer or plainer words may find one.</p>`;
  return html`<h2>Tools</h2><ol>${tools.map(
    (tool) => html`<li class="card">
<h3>${cut(tool.title ?? tool.name, 120)}</h3>
<p class="facts"><span><code>${cut(tool.name, 120)}</code></span><span>on <a href="${apiPath(tool.relay)}">${tool.relay}</a></span>${facts(tool)}</p>
${tool.description === undefined ? "" : html`<p>${cut(tool.description, MAX_TEXT)}</p>`}
</li>`,
  )}</ol>`;
}

function relayCard(relay: RelaySummary): Markup {
  const names = relay.tools.slice(
    0,
    relay.tools.length === MAX_TOOL_NAMES + 1 ? MAX_TOOL_NAMES + 1 : MAX_TOOL_NAMES,
  );
  const more = relay.tools.length - names.length;
  return html`<li class="card">
<h3><a href="${apiPath(relay.id)}">${cut(relay.name ?? relay.id, 120)}</a></h3>
<p class="facts"><span><code>${relay.id}</code></span>${facts(relay)}<span>${authLine(relay.auth)}</span></p>
${relay.description === null ? "" : html`<p>${cut(relay.description, MAX_TEXT)}</p>`}
<p class="soft">${number(relay.tools.length, "tool")}${names.length === 0 ? "" : html`: ${names.map((name, at) => html`${at === 0 ? "" : ", "}<code>${cut(name, 60)}</code>`)}${more > 0 ? ` and ${more} more` : ""}`}</p>
${relay.tags.length === 0 ? "" : html`<p class="facts">${relay.tags.slice(0, 10).map((tag) => html`<a href="/?${new URLSearchParams({ tag }).toString()}">${cut(tag, 40)}</a>`)}</p>`}
</li>`;
}

/** Two facts, both always said (OpenMCP 0.1 "The client", rule 2). */
function facts({ online, verified }: { readonly online: boolean; readonly verified: boolean }): Markup {
  return html`<span>${online ? html`<span class="yes">online</span>` : "offline"}</span><span>${verified ? html`<span class="yes">verified</span>` : "not verified"}</span>`;
}

function authLine(auth: string): string {
  if (auth === "none") return "no credential needed";
  return auth === "unknown" ? "credential: unstated" : `credential: ${auth}`;
}

function operatorLine(operator: string | null): Markup | string {
  if (operator === null) return "The catalog's operator is not stated.";
  return /^https?:\/\//i.test(operator)
    ? html`Run by <a href="${operator}" rel="noreferrer">${operator}</a>.`
    : html`Run by ${operator}.`;
}

function howTo(url: string): Markup {
  return html`<p>Agents: add <code>${url}/mcp</code> as an MCP server; its tools find and call every relay here.</p>
<p>Programs: <a href="/v1/openapi.json">the API's description</a>, <a href="/v1/relays">the records</a>, <a href="/.well-known/openmcp.json">this catalog's descriptor</a>.</p>
<pre><code>curl '${url}/v1/tools?q=convert+a+pdf'
curl -X POST ${url}/v1/relays -H 'content-type: application/json' \\
  -d '{"url":"https://relay.example/mcp"}'</code></pre>
<p class="soft">Anyone may register a relay; what is listed is what the catalog found there itself. “Online” means that it answered; “verified” means that its own site vouches for it. Names and descriptions are the relays' own words.</p>`;
}

function apiPath(id: string): string {
  return `/v1/relays/${encodeURIComponent(id)}`;
}

function number(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
