/** The API to read and to try: Swagger UI from this catalog's own files, over its own OpenAPI document. */
import { html } from "hono/html";
import type { CatalogIdentity } from "../../catalog/index.ts";
import type { Markup } from "./markup.ts";
import { asset, page } from "./shell.ts";

export function apiPage(identity: CatalogIdentity): Markup {
  return page(
    {
      identity,
      title: "API",
      at: "/api",
      kind: "api",
      description: "Everything this catalog does, over HTTP.",
      head: html`<link rel="stylesheet" href="${asset("api/swagger-ui.css", identity)}">
<link rel="stylesheet" href="${asset("api/api.css", identity)}">
<script src="${asset("api/swagger-ui-bundle.js", identity)}" defer></script>
<script src="${asset("api/api.js", identity)}" defer></script>
`,
    },
    html`<h1>API</h1>
<p class="lead">Everything on these pages is JSON too. The document behind this page is <a href="/v1/openapi.json">openapi.json</a>; <a href="/docs/rest.html">the REST API in words</a>.</p>
<div id="swagger" class="swagger"><p class="soft">Trying it here takes JavaScript; reading it in words does not.</p></div>
`,
  );
}
