/**
 * What a file gives to import: the HTTP servers of a client application's configuration, or the lines of a list. Pure. Of a
 * configuration only addresses come out of here: no header, no variable, no argument, no query.
 */
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { parseGivenUrl } from "../../discovery/index.ts";
import { isJsonObject, type JsonValue, MAX_JSON_DEPTH, nestsDeeper, OpenMcpError } from "../../spec/index.ts";
import { configuredServers } from "./config-servers.ts";
import { shareableUrl } from "./shareable-url.ts";

export const fileSkips = ["local", "template", "personal", "not-http"] as const;

export type FileSkip = (typeof fileSkips)[number];

export interface FileServer {
  /** Null in a list. */
  readonly name: string | null;
  /** Its place in a list, counted from 1; null in a configuration. */
  readonly line: number | null;
  /** What may be told to a catalog; null: it is skipped. */
  readonly url: string | null;
  readonly skip: FileSkip | null;
  /** A query or a user name was left out of the address. */
  readonly cut: boolean;
}

/**
 * `file`: its name, for what is said of it.
 * @throws OpenMcpError `invalid-input` for JSON that is none, and for a configuration without servers.
 */
export function readImportFile(text: string, file: string): readonly FileServer[] {
  const plain = text.replace(/^\ufeff/, "");
  const isJson = /\.jsonc?$/i.test(file) || /^\s*(?:[[{]|\/[/*])/.test(plain);
  if (!isJson) return lines(plain);
  const config = parsed(plain, file);
  if (Array.isArray(config) && config.every((entry) => typeof entry === "string")) {
    return config.map((url, at) => listed(url as string, at + 1));
  }
  const servers = isJsonObject(config) ? configuredServers(config) : [];
  if (servers.length === 0) {
    throw refuse(`${file} has no MCP servers in it: no "mcpServers", "servers" or the like with an entry.`);
  }
  return servers.map(({ name, url }) => {
    if (url === null) return { name, line: null, url: null, skip: "local", cut: false };
    const judged = shareableUrl(url);
    return judged.ok
      ? { name, line: null, url: judged.url, skip: null, cut: judged.cut }
      : { name, line: null, url: null, skip: judged.why, cut: false };
  });
}

function lines(text: string): readonly FileServer[] {
  return text.split(/\r\n|\r|\n/).flatMap((line, at) => {
    const given = line.trim();
    return given === "" || given.startsWith("#") ? [] : [listed(given, at + 1)];
  });
}

/** A person's list is taken as it is written; what is no address in it stays here, for the file may be another than was meant. */
function listed(given: string, line: number): FileServer {
  return isAddress(given)
    ? { name: null, line, url: given, skip: null, cut: false }
    : { name: null, line, url: null, skip: "not-http", cut: false };
}

/** With its scheme, or a host that has a dot or is this machine: a lone word may be anything. */
function isAddress(given: string): boolean {
  const parsed = parseGivenUrl(given);
  if (!parsed.ok) return false;
  const { hostname } = new URL(parsed.url);
  return /^https?:/i.test(given) || hostname === "localhost" || /[.:]/.test(hostname);
}

/** JSON as these applications read it: with comments and trailing commas. */
function parsed(text: string, file: string): JsonValue {
  if (nestsDeeper(text, MAX_JSON_DEPTH)) throw refuse(`${file} is nested too deep to be a configuration.`);
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true, disallowComments: false }) as JsonValue;
  const [first] = errors;
  if (first === undefined) return value;
  const line = text.slice(0, first.offset).split("\n").length;
  throw refuse(`${file} is not JSON: ${printParseErrorCode(first.error)} in line ${line}.`);
}

function refuse(message: string): OpenMcpError {
  return new OpenMcpError("invalid-input", message, { data: { field: "file" } });
}
