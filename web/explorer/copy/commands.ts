/**
 * What somebody pastes elsewhere to do the same: a shell line, our own command, code, an application's entry. Credentials are never in
 * it: a place for them is. Pure.
 */
import type { JsonValue } from "../../../src/spec/index.ts";
import { pretty } from "../json/exact.ts";

export interface CallFacts {
  readonly tool: string;
  readonly args: JsonValue;
  /** The endpoint as the world sees it; null for a command over stdio. */
  readonly endpoint: string | null;
  /** The command over stdio; null for an endpoint. */
  readonly command: readonly string[] | null;
  /** The catalog that forwards, and the relay's id there. */
  readonly forward: { readonly catalog: string; readonly relay: string } | null;
  readonly era: "modern" | "legacy" | null;
  readonly protocolVersion: string | null;
  /** A credential was given. */
  readonly withCredential: boolean;
}

/** A word for a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w@%+:./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function asCurl(call: CallFacts): string | null {
  const { tool, args, endpoint, forward, withCredential } = call;
  if (forward !== null) {
    const body = JSON.stringify({
      tool,
      arguments: args,
      ...(withCredential ? { token: "YOUR-CREDENTIAL" } : {}),
    });
    const url = `${forward.catalog}/v1/relays/${encodeURIComponent(forward.relay)}/call`;
    return `curl -sS ${shellWord(url)} \\\n  -H 'Content-Type: application/json' \\\n  -d ${shellWord(body)}`;
  }
  if (endpoint === null) return null;
  const bearer = withCredential ? ` \\\n  -H "Authorization: Bearer $TOKEN"` : "";
  const head = `curl -sS ${shellWord(endpoint)} \\\n  -H 'Content-Type: application/json' \\\n  -H 'Accept: application/json, text/event-stream'${bearer}`;
  const version = call.protocolVersion ?? "2025-11-25";
  if (call.era === "modern") {
    const meta = "io.modelcontextprotocol/";
    const params = {
      name: tool,
      arguments: args,
      _meta: {
        [`${meta}protocolVersion`]: version,
        [`${meta}clientInfo`]: { name: "curl", version: "1" },
        [`${meta}clientCapabilities`]: {},
      },
    };
    return `${head} \\\n  -H 'MCP-Protocol-Version: ${version}' -H 'Mcp-Method: tools/call' -H ${shellWord(`Mcp-Name: ${headerValue(tool)}`)} \\\n  -d ${shellWord(JSON.stringify(message("tools/call", params)))}`;
  }
  const hello = { protocolVersion: version, capabilities: {}, clientInfo: { name: "curl", version: "1" } };
  const session = `-H 'MCP-Protocol-Version: ${version}' \${SESSION:+-H "Mcp-Session-Id: $SESSION"}`;
  return [
    "# The older protocol opens a session first.",
    `SESSION=$(${head} \\\n  -D - -o /dev/null -d ${shellWord(JSON.stringify(message("initialize", hello)))} \\\n  | tr -d '\\r' | sed -n 's/^mcp-session-id: //Ip')`,
    `${head} \\\n  ${session} \\\n  -d '{"jsonrpc":"2.0","method":"notifications/initialized"}'`,
    `${head} \\\n  ${session} \\\n  -d ${shellWord(JSON.stringify(message("tools/call", { name: tool, arguments: args })))}`,
  ].join("\n");
}

function message(method: string, params: object): object {
  return { jsonrpc: "2.0", id: 1, method, params };
}

/** A header holds visible ASCII; other names travel encoded (MCP 2026-07-28 "Mcp-Name"). */
function headerValue(name: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith("=?base64?")) return name;
  const bytes = new TextEncoder().encode(name);
  return `=?base64?${btoa(String.fromCharCode(...bytes))}?=`;
}

export function asCommand({ tool, args, endpoint, command, forward, withCredential }: CallFacts): string {
  if (forward === null) {
    // A command may have options of its own.
    const words = command === null ? [endpoint ?? ""] : ["--", ...command];
    return `openmcp inspect ${words.map(shellWord).join(" ")}`;
  }
  const credential = withCredential ? ' --relay-token "$TOKEN"' : "";
  return `openmcp call ${shellWord(forward.relay)} ${shellWord(tool)} ${shellWord(JSON.stringify(args))} \\\n  -c ${shellWord(forward.catalog)}${credential}`;
}

export function asCode({ tool, args, endpoint, forward, withCredential }: CallFacts): string | null {
  const given = pretty(args).replaceAll("\n", "\n  ");
  if (forward !== null) {
    return `import { CatalogClient } from "openmcp/client";

await using catalog = new CatalogClient(${JSON.stringify(forward.catalog)});
const { result } = await catalog.call({
  relay: ${JSON.stringify(forward.relay)},
  tool: ${JSON.stringify(tool)},
  arguments: ${given},${withCredential ? '\n  token: process.env.TOKEN ?? "",' : ""}
});
console.log(result);
`;
  }
  if (endpoint === null) return null;
  const options = withCredential ? ', { token: process.env.TOKEN ?? "" }' : "";
  return `import { connect } from "openmcp/client";

await using relay = await connect(${JSON.stringify(endpoint)}${options});
const result = await relay.callTool({
  name: ${JSON.stringify(tool)},
  arguments: ${given},
});
console.log(result);
`;
}

export interface ConfigFacts {
  readonly name: string;
  readonly endpoint: string | null;
  readonly command: readonly string[] | null;
}

/**
 * Entries of applications' files: `mcpServers` as Cursor has it, and Claude Desktop for commands; `servers` as VS Code has. Claude
 * Desktop has no entry for a URL: which bridge stands in its place only `openmcp install` knows, so none is named here.
 */
export function asConfig({ name, endpoint, command }: ConfigFacts): {
  readonly desktop: string;
  readonly vscode: string;
} {
  const key = name.replace(/[^A-Za-z0-9_-]+/g, "-").slice(0, 40) || "server";
  const [first = "", ...rest] = command ?? [];
  const stdio = { command: first, args: rest };
  const desktop = command === null ? { url: endpoint ?? "" } : stdio;
  const vscode = command === null ? { type: "http", url: endpoint ?? "" } : { type: "stdio", ...stdio };
  return {
    desktop: JSON.stringify({ mcpServers: { [key]: desktop } }, null, 2),
    vscode: JSON.stringify({ servers: { [key]: vscode } }, null, 2),
  };
}
