/**
 * Cards of older drafts, and server.json, in the shape of v1: the four shapes that are in the field (discovery.md, case 12). What v1
 * has no place for, such as tools and capabilities, is left out: the running server says it. Nothing here judges.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import type { Remote, ServerCardShape } from "./server-card.ts";
import { own } from "./shape.ts";

/** `url`: the document's own, on which an endpoint such as `/mcp` resolves. */
export function legacyCard(
  value: JsonObject,
  { shape, url }: { readonly shape: ServerCardShape; readonly url?: string },
): JsonObject {
  const facts = camelKeys(value);
  if (shape === "registry") return registryCard(facts);
  const info = camelKeys(firstObject(facts.serverInfo, facts.server) ?? {});
  const version = text(info.version) ?? (shape === "sep-1649" ? undefined : text(facts.version));
  return {
    ...optional("name", text(info.name) ?? text(facts.name) ?? text(facts.serverName)),
    ...optional("version", version),
    ...optional("description", text(facts.description) ?? text(info.description)),
    ...optional("title", text(info.title) ?? text(facts.title) ?? text(facts.displayName)),
    ...optional(
      "websiteUrl",
      text(facts.websiteUrl) ?? text(info.websiteUrl) ?? text(facts.documentationUrl) ?? text(facts.homepage),
    ),
    ...optional("repository", isJsonObject(facts.repository) ? facts.repository : undefined),
    ...optional("icons", iconsOf(facts, info)),
    ...optional("_meta", isJsonObject(facts._meta) ? facts._meta : undefined),
    remotes: remotesOf(facts, url),
  };
}

/** `server.json` of any year, bare or as its API wraps it. */
export function registryCard(facts: JsonObject): JsonObject {
  const wrapped = firstObject(facts.server);
  const server = camelKeys(wrapped ?? facts);
  const detail = firstObject(server.versionDetail);
  const { $schema: _schema, versionDetail: _detail, packages: _packages, ...rest } = server;
  const remotes = Array.isArray(server.remotes) ? server.remotes.map(registryRemote) : undefined;
  const version = text(server.version) ?? text(detail === undefined ? undefined : camelKeys(detail).version);
  return { ...rest, ...optional("version", version), ...optional("remotes", remotes) };
}

/** The word for a transport in today's spelling: null for one that is not over HTTP. Unsaid: told by its URL. */
export function transportType(type: JsonValue | undefined, url: string): Remote["type"] | null {
  if (typeof type !== "string")
    return /\/sse\/?$/.test(url.split(/[?#]/, 1)[0] ?? "") ? "sse" : "streamable-http";
  const word = type
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z]/g, "");
  if (word === "sse" || word === "httpsse" || word === "httpwithsse") return "sse";
  return httpWords.has(word) ? "streamable-http" : null;
}

const httpWords: ReadonlySet<string> = new Set([
  "streamablehttp",
  "http",
  "https",
  "httpstream",
  "httpstreamable",
  "streaminghttp",
  "mcp",
  "remote",
]);

function registryRemote(remote: JsonValue): JsonValue {
  if (!isJsonObject(remote)) return remote;
  const facts = camelKeys(remote);
  const { transportType: word, ...rest } = facts;
  const named = {
    ...rest,
    ...(Array.isArray(rest.headers)
      ? { headers: rest.headers.map((header: JsonValue) => inputOf(header)) }
      : {}),
    ...(isJsonObject(rest.variables) ? { variables: mapValues(rest.variables, inputOf) } : {}),
  };
  return word === undefined || rest.type !== undefined ? named : { ...named, type: word };
}

function inputOf(input: JsonValue): JsonValue {
  if (!isJsonObject(input)) return input;
  const facts = camelKeys(input);
  return isJsonObject(facts.variables) ? { ...facts, variables: mapValues(facts.variables, inputOf) } : facts;
}

/** Every place where an older card may name its endpoint, the most telling first; each URL once. */
function remotesOf(facts: JsonObject, base: string | undefined): readonly JsonValue[] {
  const versions = [text(facts.protocolVersion), ...texts(facts.supportedProtocolVersions)].filter(
    (item) => item !== undefined,
  );
  const transports = [facts.transport, ...array(facts.transports), ...array(facts.remotes)]
    .filter(isJsonObject)
    .map(camelKeys);
  const word = text(facts.transport) ?? text(facts.transportType);
  const found: { readonly type: JsonValue | undefined; readonly url: string; readonly rest: JsonObject }[] =
    [];
  const add = (type: JsonValue | undefined, url: JsonValue | undefined, rest: JsonObject = {}): void => {
    if (typeof url === "string" && url !== "") found.push({ type, url, rest });
  };
  for (const { type, transportType: kind, endpoint, url, headers, variables } of transports) {
    add(type ?? kind, endpoint ?? url, {
      ...optional("headers", headers),
      ...optional("variables", variables),
    });
  }
  for (const name of ["endpoint", "mcpEndpoint", "endpointUrl", "serverUrl", "url"] as const) {
    const member = facts[name];
    if (isJsonObject(member)) {
      const { type, transport, url, endpoint } = camelKeys(member);
      add(type ?? transport ?? word, url ?? endpoint);
    } else add(word, member);
    if (found.length > 0) break;
  }
  for (const [kind, member] of Object.entries(firstObject(facts.endpoints) ?? {})) {
    if (transportType(kind, "") !== null)
      add(kind, isJsonObject(member) ? (own(member, "url") ?? own(member, "endpoint")) : member);
  }
  for (const member of array(facts.endpoints).filter(isJsonObject).map(camelKeys)) {
    add(member.type ?? member.transport, member.url ?? member.endpoint);
  }
  const seen = new Set<string>();
  return found.slice(0, MAX_LEGACY_REMOTES).flatMap(({ type, url, rest }) => {
    const absolute =
      base !== undefined && !url.startsWith("{") && URL.canParse(url, base) ? new URL(url, base).href : url;
    const kind = transportType(type, absolute);
    if (kind === null || seen.has(absolute)) return [];
    seen.add(absolute);
    return [
      {
        type: kind,
        url: absolute,
        ...rest,
        ...(versions.length === 0 ? {} : { supportedProtocolVersions: versions }),
      },
    ];
  });
}

function iconsOf(facts: JsonObject, info: JsonObject): JsonValue | undefined {
  const icons = [facts.icons, info.icons].find((list) => Array.isArray(list));
  if (icons !== undefined) return icons;
  const src = text(facts.iconUrl) ?? text(facts.icon) ?? text(facts.logoUrl);
  return src === undefined ? undefined : [{ src }];
}

/** Keys in camelCase; one that was there in camelCase already wins. `_meta` and what begins with `$` stay. */
function camelKeys(value: JsonObject): JsonObject {
  const named: [string, JsonValue][] = [];
  for (const [key, item] of Object.entries(value)) {
    const camel =
      key.length > 64
        ? key
        : key.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (camel === key || !Object.hasOwn(value, camel)) named.push([camel, item]);
  }
  return Object.fromEntries(named);
}

function mapValues(value: JsonObject, change: (item: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}

function firstObject(...values: readonly (JsonValue | undefined)[]): JsonObject | undefined {
  return values.find(isJsonObject);
}

function array(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function texts(value: JsonValue | undefined): readonly string[] {
  return array(value).filter((item) => typeof item === "string");
}

function optional(name: string, value: JsonValue | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

/** An older card names one or two. */
const MAX_LEGACY_REMOTES = 20;
