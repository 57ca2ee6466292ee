/** How to use a relay from wherever one is: texts to copy, filled in with its id, one of its tools and this catalog's URL. */
import { html, raw } from "hono/html";
import { describe, type RelayRecord, recordEndpoint } from "../../spec/index.ts";
import { cursorLink, vscodeLink } from "./install-links.ts";
import { apiPath, codeBlock, cut, type Markup } from "./markup.ts";
import { sampleArguments } from "./sample-arguments.ts";

interface Way {
  readonly name: string;
  readonly body: Markup;
}

export function howToCall(relay: RelayRecord, catalogUrl: string): Markup {
  return html`<div class="ways">${waysOf(relay, catalogUrl).map(
    ({ name, body }, at) =>
      html`<details name="way"${at === 0 ? raw(" open") : ""}><summary>${name}</summary><div>${body}</div></details>`,
  )}</div>`;
}

function waysOf(relay: RelayRecord, catalogUrl: string): readonly Way[] {
  const { id } = relay;
  const url = recordEndpoint(relay);
  const tool = relay.tools.find(({ name }) => isPlain(name));
  const name = tool?.name ?? "TOOL";
  const args = sampleArguments(tool?.inputSchema);
  const json = JSON.stringify(args);
  const gated = wantsCredential(relay);
  const installed = { name: cut(id.replaceAll(/[^a-z0-9._-]/gi, "-"), 60), url };
  return [
    {
      name: "curl",
      body: codeBlock(
        `curl ${shellWord(`${catalogUrl}${apiPath(id)}/call`)} \\\n  -H 'content-type: application/json' \\\n${gated ? `  -H "x-relay-authorization: Bearer $TOKEN" \\\n` : ""}  -d ${shellWord(JSON.stringify({ tool: name, arguments: args }))}`,
        "with curl",
      ),
    },
    {
      name: "Command line",
      body: codeBlock(
        `openmcp call ${shellWord(id)} ${shellWord(name)}${json === "{}" ? "" : ` ${shellWord(json)}`}${gated ? ' --relay-token "$TOKEN"' : ""} --catalog ${shellWord(catalogUrl)}`,
        "on the command line",
      ),
    },
    {
      name: "TypeScript",
      body: codeBlock(
        `import { CatalogClient } from "openmcp/client";\n\nconst catalog = new CatalogClient(${JSON.stringify(catalogUrl)});\nconst { result } = await catalog.call({\n  relay: ${JSON.stringify(id)},\n  tool: ${JSON.stringify(name)},\n  arguments: ${json},${gated ? "\n  token," : ""}\n});`,
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

/** A name as the specification has names of tools: others are shown, and not put into commands that people paste. */
function isPlain(name: string): boolean {
  return /^[\w./:-]{1,128}$/.test(name);
}

/** A word as a POSIX shell takes it: in quotes, in which nothing is special but the quote itself. */
export function shellWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
