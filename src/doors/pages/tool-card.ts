/** One tool of a relay: what it does, what it takes and gives in words, what it claims of itself, and its JSON. */
import { html, raw } from "hono/html";
import { isJsonObject, type JsonValue, type ToolDefinition } from "../../spec/index.ts";
import { MAX_DESCRIPTION, MAX_RAW_JSON } from "./limits.ts";
import { apiPath, code, cut, legibleJson, type Markup, said, toolPath, tryPath } from "./markup.ts";
import { type SchemaField, type SchemaView, schemaFields } from "./schema-fields.ts";

export function toolCard(
  tool: ToolDefinition,
  { open, relay }: { readonly open: boolean; readonly relay: string },
): Markup {
  const title = titleOf(tool);
  const description = typeof tool.description === "string" ? tool.description.trim() : "";
  const claims = claimsOf(tool);
  return html`<li class="tool"><details${open ? raw(" open") : ""}>
<summary><span class="tool-name">${code(tool.name, 120)}</span>${title === null ? "" : html` <span class="tool-title">${said(title, 120)}</span>`}${description === "" ? "" : html`<span class="tool-brief">${said(firstLine(description), 160)}</span>`}</summary>
<div class="tool-body">
${description === "" ? html`<p class="soft">It has no description.</p>` : html`<p class="words">${said(description, MAX_DESCRIPTION)}</p>`}
${claims.length === 0 ? "" : html`<p class="claims"><span class="soft">It says of itself:</span> ${claims.join(", ")}.</p>`}
<h3>Takes</h3>
${fieldList(schemaFields(tool.inputSchema), "Nothing that it names.")}
${isJsonObject(tool.outputSchema) ? html`<h3>Gives</h3>${fieldList(schemaFields(tool.outputSchema), "Something that it does not name.")}` : ""}
<p class="links"><a href="${toolPath(relay, tool.name, "call")}">How to call it</a> <a href="${tryPath(relay, tool.name)}">Try it</a></p>
${rawJson(tool, `${apiPath(relay)}/tools`)}
</div>
</details></li>
`;
}

function fieldList({ fields, more }: SchemaView, none: string): Markup {
  if (fields.length === 0 && more === 0) return html`<p class="soft">${none}</p>`;
  return html`<ul class="fields">${fields.map(field)}${more === 0 ? "" : html`<li class="soft">and ${more} more</li>`}</ul>`;
}

function field({ name, type, required, description, facts, fields, more }: SchemaField): Markup {
  return html`<li><p class="field-head">${code(name, 120)} <span class="type">${said(type, 120)}</span>${required ? html` <strong class="required">required</strong>` : ""}</p>
${description === null ? "" : html`<p class="words">${said(description, 600)}</p>`}
${facts.length === 0 ? "" : html`<p class="soft">${facts.map((fact, at) => html`${at === 0 ? "" : "; "}${said(fact, 400)}`)}</p>`}
${fields.length === 0 && more === 0 ? "" : fieldList({ fields, more }, "")}</li>`;
}

function rawJson(tool: ToolDefinition, rawPath: string): Markup {
  const text = legibleJson(tool);
  const whole = text.length <= MAX_RAW_JSON;
  return html`<details class="raw"><summary>JSON</summary><pre tabindex="0"><code>${cut(text, MAX_RAW_JSON)}</code></pre>${whole ? "" : html`<p>Cut here: <a href="${rawPath}">all of it</a>.</p>`}</details>`;
}

/** Annotations are the relay's own claims (MCP, `ToolAnnotations`), so they are quoted as such; what it leaves unsaid is not said. */
function claimsOf({ annotations }: ToolDefinition): string[] {
  const claims = isJsonObject(annotations) ? annotations : {};
  return hints.flatMap(([key, yes, no]) =>
    claims[key] === true ? [yes] : claims[key] === false ? [no] : [],
  );
}

const hints: readonly (readonly [key: string, yes: string, no: string])[] = [
  ["readOnlyHint", "it only reads", "it changes things"],
  ["destructiveHint", "it may delete or overwrite", "it deletes and overwrites nothing"],
  ["idempotentHint", "calling it twice is as once", "calling it twice is not as once"],
  ["openWorldHint", "it reaches other systems", "it stays within its own system"],
];

function titleOf({ title, annotations, name }: ToolDefinition): string | null {
  const own: JsonValue | undefined = title ?? (isJsonObject(annotations) ? annotations.title : undefined);
  return typeof own === "string" && own.trim() !== "" && own !== name ? own : null;
}

function firstLine(text: string): string {
  return text.slice(0, 400).split("\n", 1)[0] ?? "";
}
