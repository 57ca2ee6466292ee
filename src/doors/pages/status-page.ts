/** How the catalog is, for people: what it lists, what waits, what changed last. */
import { html } from "hono/html";
import type { CatalogIdentity } from "../../catalog/index.ts";
import type { PeersOutput, RecentChange, StatusOutput } from "../../spec/index.ts";
import { changeList } from "./change-list.ts";
import { amount, type Markup, number } from "./markup.ts";
import { page } from "./shell.ts";

export interface StatusPage {
  readonly identity: CatalogIdentity;
  readonly status: StatusOutput;
  readonly peers: PeersOutput["peers"];
  readonly changes: readonly RecentChange[];
  readonly now: number;
}

export function statusPage({ identity, status, peers, changes, now }: StatusPage): Markup {
  const { waiting } = status;
  const failing = peers.filter(({ lastError }) => lastError !== null).length;
  return page(
    { identity, title: "Status", at: "/status", kind: "plain", description: "How this catalog is." },
    html`<h1>Status</h1>
<p class="lead">This catalog answers, and runs OpenMCP ${status.version}.</p>
<dl class="numbers">
<div><dt>Relays</dt><dd>${amount(status.relays)}</dd><dd class="soft">listed</dd></div>
<div><dt>Online</dt><dd>${amount(status.online)}</dd><dd class="soft">at the last look</dd></div>
<div><dt>Peers</dt><dd>${amount(peers.length)}</dd><dd class="soft"><a href="/peers">${peers.length === 0 ? "learns from none" : failing === 0 ? "all of them" : `${failing} with a failed sync`}</a></dd></div>
</dl>
<section aria-labelledby="waiting">
<h2 id="waiting">Work that waits</h2>
<table class="plain-table">
<tbody>
${queues.map(([key, words, what]) => html`<tr><th scope="row">${words}</th><td class="amount">${waiting[key] === 0 ? "none" : number(waiting[key], what)}</td></tr>`)}
</tbody>
</table>
</section>
<section aria-labelledby="changes">
<h2 id="changes">What changed last</h2>
${changeList(changes, { now, named: true })}
<p class="links"><a href="/feed.atom">Feed</a> <a href="/docs/watch-changes.html">Miss none: the log and the stream of changes</a></p>
</section>
`,
  );
}

const queues: readonly (readonly [key: keyof StatusOutput["waiting"], words: string, what: string])[] = [
  ["looks", "Relays due for a look", "relay"],
  ["searchIndex", "Relays whose tools are not searchable yet as they are now", "relay"],
  ["bulk", "Bulk registrations", "URL"],
  ["imports", "Documents and URLs of imports", "piece"],
  ["webhooks", "Messages to subscribers", "message"],
];
