/** How to use a relay from wherever one is: texts to copy, filled in with its id, one of its tools and this catalog's URL. */
import { html, raw } from "hono/html";
import { describe, type RelayRecord, recordEndpoint, type ToolDefinition } from "../../spec/index.ts";
import { cursorLink, vscodeLink } from "./install-links.ts";
import { apiPath, code, codeBlock, cut, inertJson, isSeen, type Markup } from "./markup.ts";
import { sampleArguments } from "./sample-arguments.ts";

interface Way {
  readonly name: string;
  readonly body: Markup;
}

export interface HowToCall {
  readonly catalogUrl: string;
  /** The tool that is meant; null: one that stands for all. */
  readonly meant: ToolDefinition | null;
}

export function howToCall(relay: RelayRecord, { catalogUrl, meant }: HowToCall): Markup {
  const tool = meant ?? relay.tools.find(({ name }) => isSpecified(name)) ?? relay.tools[0] ?? null;
  return html`${tool === null ? html`<p class="soft whose">TOOL stands for the name of one of its tools: this catalog knows none.</p>` : html`<p class="soft whose">With ${code(tool.name, 120)} as the tool${relay.tools.length === 1 ? "" : html`; <a href="#tools">each of them</a> has a link to its own`}.</p>`}
<div class="ways">${waysOf(relay, { catalogUrl, tool }).map(
    ({ name, body }, at) =>
      html`<details name="way"${at === 0 ? raw(" open") : ""}><summary>${name}</summary><div>${body}</div></details>`,
  )}</div>`;
}

function waysOf(
  relay: RelayRecord,
  { catalogUrl, tool }: { readonly catalogUrl: string; readonly tool: ToolDefinition | null },
): readonly Way[] {
  const { id } = relay;
  const url = recordEndpoint(relay);
  const name = tool?.name ?? "TOOL";
  const args = sampleArguments(tool?.inputSchema);
  const json = inertJson(args);
  const gated = wantsCredential(relay);
  const installed = { name: cut(id.replaceAll(/[^a-z0-9._-]/gi, "-"), 60), url };
  return [
    {
      name: "curl",
      body: codeBlock(
        `curl ${shellWord(`${catalogUrl}${apiPath(id)}/call`)} \\\n  -H 'content-type: application/json' \\\n${gated ? `  -H "x-relay-authorization: Bearer $TOKEN" \\\n` : ""}  -d ${shellWord(inertJson({ tool: name, arguments: args }))}`,
        "with curl",
      ),
    },
    {
      name: "Command line",
      body: isSeen(name)
        ? codeBlock(commandLine({ id, name, json, gated, catalogUrl }), "on the command line")
        : html`<p>Its name has characters that a terminal does not show: call it with curl, which names them by their numbers.</p>`,
    },
    {
      name: "TypeScript",
      body: codeBlock(
        `import { CatalogClient } from "openmcp/client";\n\nconst catalog = new CatalogClient(${inertJson(catalogUrl)});\nconst { result } = await catalog.call({\n  relay: ${inertJson(id)},\n  tool: ${inertJson(name)},\n  arguments: ${json},${gated ? "\n  token," : ""}\n});`,
        "in TypeScript",
      ),
    },
    {
      name: "Claude Desktop",
      body: html`<p>One command writes the entry, with absolute paths and a backup. It has no entry for a URL of its own, so what is written starts a bridge of the OpenMCP that you have:</p>${codeBlock(`openmcp install ${shellWord(id)} --client claude-desktop --catalog ${shellWord(catalogUrl)}`, "for Claude Desktop")}`,
    },
    {
      name: "VS Code",
      body: html`<p><a class="button" href="${vscodeLink(installed)}">Add to VS Code</a></p>
<p>By hand, in <code>.vscode/mcp.json</code>:</p>${codeBlock(JSON.stringify({ servers: { [installed.name]: { type: "http", url } } }, null, 2), "as configuration of VS Code")}`,
    },
    {
      name: "Cursor",
      body: html`<p><a class="button" href="${cursorLink(installed)}">Add to Cursor</a></p>
<p>By hand, in <code>~/.cursor/mcp.json</code>:</p>${codeBlock(JSON.stringify({ mcpServers: { [installed.name]: { url } } }, null, 2), "as configuration of Cursor")}`,
    },
    {
      name: "OpenAPI",
      body: html`<p>Its tools as an OpenAPI document, whose operations call them through this catalog: <a href="${apiPath(id)}/openapi.json">openapi.json</a>.</p>${codeBlock(`${catalogUrl}${apiPath(id)}/openapi.json`, "the OpenAPI document's URL")}`,
    },
  ];
}

/** By its own word, or by what the last look met. */
function wantsCredential({ descriptor, source, probe }: RelayRecord): boolean {
  const { auth } = describe(descriptor, source);
  return probe.state === "auth-required" || (auth !== "none" && auth !== "unknown");
}

function commandLine({
  id,
  name,
  json,
  gated,
  catalogUrl,
}: {
  readonly id: string;
  readonly name: string;
  readonly json: string;
  readonly gated: boolean;
  readonly catalogUrl: string;
}): string {
  const words = `${shellWord(id)} ${shellWord(name)}${json === "{}" ? "" : ` ${shellWord(json)}`}`;
  const options = `${gated ? '--relay-token "$TOKEN" ' : ""}--catalog ${shellWord(catalogUrl)}`;
  // What begins with a dash is taken for an option, but behind a double one.
  return name.startsWith("-") ? `openmcp call ${options} -- ${words}` : `openmcp call ${words} ${options}`;
}

/** A name as the specification has names of tools: the first of these stands for all, where none is meant. */
function isSpecified(name: string): boolean {
  return /^[\w./:-]{1,128}$/.test(name);
}

/** A word as a POSIX shell takes it: in quotes, in which nothing is special but the quote itself. */
export function shellWord(text: string): string {
  return /^[\w@%+:./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
