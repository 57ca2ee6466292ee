/**
 * The servers in a client application's configuration, whatever the application: under which key they stand, and what each is. Pure.
 * Headers, environment and arguments are looked through for one address and go no further than this module.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../../spec/index.ts";
import { MAX_CONFIG_DEPTH } from "../limits.ts";

export interface ConfiguredServer {
  /** As the person calls it. */
  readonly name: string;
  /** The address as it is written; null: it runs on this machine. */
  readonly url: string | null;
}

/** Keys under which applications keep their servers: Claude, Cursor, Windsurf and many; VS Code; Zed; Amp; opencode. */
const CONTAINERS = ["mcpServers", "servers", "context_servers", "mcp_servers", "amp.mcpServers", "mcp"];

/** Members that hold an address: Windsurf has `serverUrl`, Gemini CLI `httpUrl`. */
const ADDRESSES = ["url", "serverUrl", "httpUrl"];

/** Commands that carry stdio to a server elsewhere: the address is one of their arguments. */
const BRIDGES = ["mcp-remote", "mcp-remote-client", "mcp-proxy", "mcp-streamable-http-proxy", "supergateway"];

/** In the order of the file. */
export function configuredServers(config: JsonValue): readonly ConfiguredServer[] {
  const servers: ConfiguredServer[] = [];
  visit(config, 0);
  return servers;

  function visit(value: JsonValue, depth: number): void {
    if (depth > MAX_CONFIG_DEPTH || !isJsonObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      if (!isJsonObject(member)) continue;
      const found = CONTAINERS.includes(key) ? serversOf(member) : [];
      if (found.length > 0) servers.push(...found);
      // VS Code's settings have `servers` inside of `mcp`, Claude Code's file a `mcpServers` for each project.
      else visit(member, depth + 1);
    }
  }
}

function serversOf(container: JsonObject): readonly ConfiguredServer[] {
  return Object.entries(container).flatMap(([name, entry]) => {
    if (!isJsonObject(entry)) return [];
    const address = ADDRESSES.map((key) => entry[key]).find((value) => typeof value === "string");
    if (typeof address === "string") return [{ name, url: address }];
    const words = commandOf(entry);
    return words.length === 0 ? [] : [{ name, url: bridged(words) }];
  });
}

/** The words of a command, also of one that is written as a single text, or as Zed writes it. */
function commandOf({ command, args }: JsonObject): readonly string[] {
  if (isJsonObject(command)) return commandOf({ command: command.path ?? "", args: command.args ?? [] });
  const own = Array.isArray(command) ? command : typeof command === "string" ? command.split(/\s+/) : [];
  return [...own, ...(Array.isArray(args) ? args : [])].filter(
    (word): word is string => typeof word === "string" && word !== "",
  );
}

/** The first address after the name of a bridge; null when there is none. */
function bridged(words: readonly string[]): string | null {
  const at = words.findIndex(
    (word, index) => isBridge(word) || (isOpenMcp(word) && words[index + 1] === "connect"),
  );
  if (at < 0) return null;
  return words.slice(at + 1).find((word) => /^https?:\/\//i.test(word)) ?? null;
}

function isBridge(word: string): boolean {
  return BRIDGES.includes(baseOf(word));
}

function isOpenMcp(word: string): boolean {
  return baseOf(word) === "openmcp";
}

/** `mcp-remote` of `/usr/bin/mcp-remote`, `mcp-remote@0.1.2` and `mcp-remote.cmd`. */
function baseOf(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\")) + 1);
  const version = name.lastIndexOf("@");
  return (version > 0 ? name.slice(0, version) : name).replace(/\.(?:cmd|exe|js)$/i, "");
}
