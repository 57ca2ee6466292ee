/** Registering by pasting a URL: the form, the look as it happens, and what came of it with the cure. */
import { html } from "hono/html";
import type { CatalogIdentity } from "../../catalog/index.ts";
import type { PublicError } from "../../http/index.ts";
import type { ProbeEvidence, RegisterOutput, RelayRecord } from "../../spec/index.ts";
import { amount, codeBlock, legibleJson, type Markup, number, relayPath, said, sentence } from "./markup.ts";
import { page, pageStart, type Shell } from "./shell.ts";
import { standing } from "./standing.ts";
import { stateWords } from "./words.ts";

const shellOf = (identity: CatalogIdentity): Shell => ({
  identity,
  title: "Register",
  at: "/register",
  kind: "plain register",
  description: "List an MCP server in this catalog by its URL.",
});

/** `refused`: why the form that was sent could not be taken. */
export function registerPage(
  identity: CatalogIdentity,
  { url = "", refused = null }: { readonly url?: string; readonly refused?: string | null } = {},
): Markup {
  return page(
    shellOf(identity),
    html`${form(url, refused)}
<section class="prose" aria-labelledby="how">
<h2 id="how">What happens then</h2>
<ol>
<li>The catalog reads what the site publishes about itself: its descriptor, and where there is none its cards and catalogs.</li>
<li>It asks the endpoint who it is and which tools it has, as any client would, without a credential.</li>
<li>What it found itself is listed; what anybody typed is not. It keeps looking from then on.</li>
</ol>
<p>You see each step as it is done. A server that can't be listed is told why, and what to change.</p>
<p><a href="/docs/register.html">How a relay becomes verified, and how its owner keeps it out of catalogs</a></p>
</section>
`,
  );
}

/** Up to the first step. */
export function registerStart(identity: CatalogIdentity, url: string): Markup {
  return html`${pageStart({ ...shellOf(identity), private: true })}${form(url, null)}
<section class="look" aria-labelledby="look">
<h2 id="look">Looking at ${said(url, 200)}</h2>
<ol class="steps">
`;
}

/** After the last step; `pageEnd` follows. */
export function registerDone(output: RegisterOutput): Markup {
  const { relay, created, relays = [], more } = output;
  return html`</ol>
<div class="verdict good" role="status">
<h3>${created ? "Listed" : "Listed already, and looked at again"}</h3>
${relayLine(relay)}
${relays.length === 0 ? "" : html`<p>The same look found ${number(relays.length, "other relay")}:</p><ul>${relays.slice(0, 20).map((other) => html`<li><a href="${relayPath(other.id)}">${said(other.id, 120)}</a></li>`)}</ul>`}
${more === undefined ? "" : html`<p>Its catalog lists ${amount(more)} more that were not looked at: an admin can import them.</p>`}
<p><a class="button strong" href="${relayPath(relay.id)}" autofocus>Open its page</a></p>
</div>
</section>
`;
}

export function registerFailed({ message, data }: PublicError): Markup {
  const evidence = data.probe as ProbeEvidence | undefined;
  // What may not be called is not read either.
  const serve =
    evidence?.state === "blocked"
      ? undefined
      : (data.serve as { readonly url: string; readonly document: object } | undefined);
  return html`</ol>
<div class="verdict bad" role="alert">
<h3>${evidence === undefined ? "Not registered" : "Not listed"}</h3>
<p>${said(sentence(message), 1_500)}</p>
${evidence === undefined ? "" : html`<p>${stateWords[evidence.state].cure}</p>`}
${serve === undefined ? "" : html`<p>A descriptor at ${said(serve.url, 300)} lists it even so, with at least this in it:</p>${codeBlock(legibleJson(serve.document), "a descriptor to serve")}`}
</div>
</section>
`;
}

/** A look at a relay that is listed, as it happens. */
export function refreshStart(identity: CatalogIdentity, id: string): Markup {
  return html`${pageStart({ identity, title: `Looking at ${id}`, at: null, kind: "plain", private: true })}<p class="eyebrow"><a href="${relayPath(id)}">${said(id, 120)}</a></p>
<section class="look" aria-labelledby="look">
<h1 id="look">Looking again</h1>
<ol class="steps">
`;
}

export function refreshDone(relay: RelayRecord, events: readonly string[]): Markup {
  return html`</ol>
<div class="verdict ${relay.online ? "good" : "bad"}" role="status">
<h2>${stateWords[relay.probe.state].word}${events.length === 0 ? ", as before" : ""}</h2>
${relayLine(relay)}
${relay.online ? "" : html`<p>${stateWords[relay.probe.state].why} ${stateWords[relay.probe.state].cure}</p>`}
<p><a class="button strong" href="${relayPath(relay.id)}" autofocus>Back to its page</a></p>
</div>
</section>
`;
}

function relayLine(relay: RelayRecord): Markup {
  return html`<p><a href="${relayPath(relay.id)}">${said(relay.id, 120)}</a>, ${number(relay.tools.length, "tool")}</p><p class="facts">${standing(relay)}</p>`;
}

function form(url: string, refused: string | null): Markup {
  return html`<h1>Register a relay</h1>
<p class="lead">Paste any URL of an MCP server that answers over HTTP: its endpoint, its site or its descriptor.</p>
<form class="search" action="/register" method="post">
<label for="url">URL</label>
<div class="field"><input id="url" name="url" value="${url}" inputmode="url" maxlength="2048" required autocomplete="off" autocapitalize="none" spellcheck="false" placeholder="https://relay.example/mcp"${refused === null ? "" : html` aria-invalid="true" aria-describedby="refused"`}><button>Register</button></div>
${refused === null ? "" : html`<p id="refused" class="refused" role="alert">${said(sentence(refused.replace(/^"url": /, "")), 1_000)}</p>`}
</form>
`;
}
