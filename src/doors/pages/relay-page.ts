/** A relay's page: what it does, how to use it, how it has been, and who says so. Pure, from what the operations answered. */
import { html } from "hono/html";
import type { CatalogIdentity } from "../../catalog/index.ts";
import {
  describe,
  type HistoryOutput,
  type RecentChange,
  type RelayClaim,
  type RelayRecord,
  recordEndpoint,
} from "../../spec/index.ts";
import { changeList } from "./change-list.ts";
import { health } from "./health.ts";
import { howToCall } from "./how-to-call.ts";
import { MAX_DESCRIPTION, TOOLS_ON_A_PAGE } from "./limits.ts";
import { amount, apiPath, code, codeBlock, type Markup, number, relayPath, said, tagPath } from "./markup.ts";
import { whyOffline } from "./probe-evidence.ts";
import { relayFacts } from "./relay-facts.ts";
import { page } from "./shell.ts";
import { standing } from "./standing.ts";
import { toolCard } from "./tool-card.ts";

export interface RelayPage {
  readonly identity: CatalogIdentity;
  readonly relay: RelayRecord;
  readonly history: HistoryOutput;
  readonly claims: readonly RelayClaim[];
  readonly changes: readonly RecentChange[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A tool that is meant: its page of tools, opened. */
  readonly tool: string | null;
  /** First tool shown, from 0; counts where no tool is meant. */
  readonly from: number;
}

export function relayPage(relayed: RelayPage): Markup {
  const { identity, relay, history, claims, changes, now } = relayed;
  const facts = describe(relay.descriptor, relay.source);
  const name = facts.name ?? relay.server?.name ?? relay.id;
  const feed = `${relayPath(relay.id)}/feed.atom`;
  const meant = meantOf(relayed);
  return page(
    {
      identity,
      title: name,
      at: null,
      kind: "relay",
      ...(facts.description === null ? {} : { description: facts.description }),
      feed: { href: feed, title: `Changes of ${name}` },
    },
    html`<div class="relay-head">
<p class="eyebrow"><a href="/">Directory</a></p>
<h1>${said(name, 160)}</h1>
<p class="facts">${standing(relay)}${facts.tags.slice(0, 10).map((tag) => html`<a class="tag" href="${tagPath(tag)}">${said(tag, 40)}</a>`)}</p>
${facts.description === null ? html`<p class="lead soft">It says nothing of itself.</p>` : html`<p class="lead words">${said(facts.description, MAX_DESCRIPTION)}</p>`}
${codeBlock(recordEndpoint(relay), "the endpoint")}
<div class="actions"><a class="button strong" href="/explorer?relay=${encodeURIComponent(relay.id)}">Try it</a><form action="${relayPath(relay.id)}/refresh" method="post"><button>Look again now</button></form></div>
</div>
${whyOffline(relay.probe.state, relay.lastError)}
<div class="columns">
<div class="wide">
${tools(relayed, meant)}
<section aria-labelledby="call">
<h2 id="call">Call it</h2>
${howToCall(relay, { catalogUrl: identity.url, meant: relay.tools[meant] ?? null })}
</section>
<section aria-labelledby="health">
<h2 id="health">Health</h2>
${health(history, now)}
</section>
</div>
<div class="side">
<section aria-labelledby="facts">
<h2 id="facts">Facts</h2>
${relayFacts(relay, { claims, now })}
</section>
<section aria-labelledby="changes">
<h2 id="changes">What changed</h2>
${changeList(changes, { now, named: false })}
<p class="links"><a href="${feed}">Feed</a></p>
</section>
<section aria-labelledby="badge">
<h2 id="badge">Badge</h2>
<p class="badge"><img src="${apiPath(relay.id)}/badge.svg" alt="Badge: ${relay.online ? "online" : "not online"}, ${relay.verified ? "verified" : "not verified"}" height="20"></p>
${codeBlock(`![MCP](${identity.url}${apiPath(relay.id)}/badge.svg)`, "the badge in Markdown")}
</section>
</div>
</div>
`,
  );
}

/** Where the tool that is meant stands in its list; -1 where none is, or it is no longer there. */
function meantOf({ relay, tool }: RelayPage): number {
  return tool === null ? -1 : relay.tools.findIndex(({ name }) => name.toWellFormed() === tool);
}

function tools({ relay, tool, from }: RelayPage, meant: number): Markup {
  const all = relay.tools;
  // A link from before some of them went shows the last page there is.
  const last = Math.max(0, Math.ceil(all.length / TOOLS_ON_A_PAGE) - 1) * TOOLS_ON_A_PAGE;
  const first = meant >= 0 ? Math.floor(meant / TOOLS_ON_A_PAGE) * TOOLS_ON_A_PAGE : Math.min(from, last);
  const shown = all.slice(first, first + TOOLS_ON_A_PAGE);
  const rawPath = `${apiPath(relay.id)}/tools`;
  return html`<section aria-labelledby="tools">
<h2 id="tools">${all.length === 0 && !relay.online ? "Tools" : number(all.length, "tool")}${relay.probe.toolsTruncated ? " and more" : ""}</h2>
${whoseTools(relay)}
${tool === null || meant >= 0 ? "" : html`<p class="refused whose" role="status">It has no tool ${code(tool, 120)} as its list is now.</p>`}
${shown.length === 0 ? "" : html`<ul class="tools">${shown.map((one, at) => toolCard(one, { open: first + at === meant || all.length === 1, relay: relay.id }))}</ul>`}
${all.length <= TOOLS_ON_A_PAGE ? "" : toolPages({ id: relay.id, first, count: all.length })}
${all.length === 0 ? "" : html`<p class="links"><a href="${rawPath}">All as JSON</a></p>`}
</section>`;
}

function whoseTools({ tools: all, toolsFrom, online }: RelayRecord): Markup {
  if (all.length === 0) {
    return html`<p class="soft whose">${online ? "It answers, and offers no tools." : "None are known: it has not shown them to this catalog."}</p>`;
  }
  if (toolsFrom === "descriptor")
    return html`<p class="soft whose">By its descriptor: the relay itself has not shown them.</p>`;
  return toolsFrom === "earlier"
    ? html`<p class="soft whose">As it listed them when it last answered.</p>`
    : "";
}

function toolPages({
  id,
  first,
  count,
}: {
  readonly id: string;
  readonly first: number;
  readonly count: number;
}): Markup {
  const link = (from: number, words: string): Markup =>
    html`<a href="${relayPath(id)}?from=${from}#tools">${words}</a>`;
  const last = Math.min(first + TOOLS_ON_A_PAGE, count);
  return html`<p class="pages"><span>${amount(first + 1)} to ${amount(last)} of ${amount(count)}</span>${first === 0 ? "" : link(Math.max(0, first - TOOLS_ON_A_PAGE), "Earlier tools")}${last >= count ? "" : link(last, "More tools")}</p>`;
}
