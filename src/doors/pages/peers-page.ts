/** The catalogs that this one learns relays from. */
import { html } from "hono/html";
import type { CatalogIdentity } from "../../catalog/index.ts";
import type { PeersOutput } from "../../spec/index.ts";
import { ago, type Markup, outward, said, sentence } from "./markup.ts";
import { page } from "./shell.ts";

export function peersPage(
  identity: CatalogIdentity,
  { peers, now }: { readonly peers: PeersOutput["peers"]; readonly now: number },
): Markup {
  return page(
    {
      identity,
      title: "Peers",
      at: "/peers",
      kind: "plain",
      description: "The other catalogs that this one learns relays from.",
    },
    html`<h1>Peers</h1>
<p class="lead">Other catalogs that this one learns from. It looks at each relay itself before it lists it, and says where it heard of it.</p>
${
  peers.length === 0
    ? html`<div class="empty"><h2>None yet</h2><p>This catalog learns from no other one. <a href="/docs/peers.html">How catalogs peer</a></p></div>`
    : html`<ul class="rows">${peers.map(
        ({ url, addedAt, syncedAt, lastError }) => html`<li class="row"><div class="row-text">
<h2 class="row-title">${outward(url)}</h2>
<p class="soft">Added ${ago(addedAt, now)}; ${syncedAt === null ? "its list was never read to the end" : html`its list was last read ${ago(syncedAt, now)}`}.</p>
${lastError === null ? "" : html`<p class="refused">${said(sentence(lastError), 600)}</p>`}
</div><p class="facts"><span class="fact ${lastError === null ? (syncedAt === null ? "" : "good") : "bad"}"><span class="dot" aria-hidden="true"></span>${lastError === null ? (syncedAt === null ? "not read yet" : "in step") : "last sync failed"}</span></p></li>`,
      )}</ul>
<p class="links"><a href="/docs/peers.html">How catalogs peer</a></p>`
}
`,
  );
}
