/** What a person reads when something is wrong: what, and what to do. */
import { html } from "hono/html";
import type { CatalogIdentity } from "../../catalog/index.ts";
import { type Markup, said, sentence } from "./markup.ts";
import { page } from "./shell.ts";

export function errorPage(
  identity: CatalogIdentity,
  { title, detail, status }: { readonly title: string; readonly detail: string; readonly status: number },
): Markup {
  return page(
    { identity, title, at: null, kind: "plain", private: true },
    html`<p class="eyebrow">${status}</p>
<h1>${title}</h1>
<p class="lead">${said(sentence(detail), 1_000)}</p>
<form class="search" action="/" method="get" role="search">
<label for="q">Look for something else</label>
<div class="field"><input id="q" type="search" name="q" maxlength="500" autocomplete="off"><button>Search</button></div>
</form>
<p class="links"><a href="/">Directory</a> <a href="/explorer">Explorer</a> <a href="/docs/">Docs</a></p>
`,
  );
}
