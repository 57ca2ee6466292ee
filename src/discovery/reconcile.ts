/**
 * Where documents contradict the server that they speak of, and each other. Pure. The runtime is right; what is only different
 * in spelling, or not said at all, is no contradiction.
 */
import { describe, isJsonObject, type JsonValue, LISTING_META_KEY } from "../spec/index.ts";
import { MAX_NAMED_TOOLS } from "./limits.ts";
import type { ServerDraft } from "./servers.ts";
import type { CardDocument, Contradiction, DescriptorDocument, LiveAnswer } from "./types.ts";

export function contradictionsOf(server: ServerDraft, live: LiveAnswer | null): readonly Contradiction[] {
  const found: Contradiction[] = [];
  for (const document of server.documents) {
    if (document.kind === "server-card") found.push(...listing(document));
  }
  if (live === null || live.state === "blocked") return found;
  for (const document of server.documents) {
    found.push(...reachability(server, document, live));
    if (document.kind === "server-card")
      found.push(...identity(document, live), ...protocol(server, document, live));
    else found.push(...descriptorClaims(document, live));
  }
  return found;
}

/** An entry of a catalog against the card it leads to: the card is nearer to the server. */
function* listing({ url, card, routes }: CardDocument): Generator<Contradiction> {
  for (const { entry, through } of routes) {
    const saidBy = through.at(-1);
    if (entry === null || saidBy === undefined) continue;
    const named = /^urn:mcp:server:(.+)$/i.exec(entry.identifier)?.[1];
    if (named !== undefined && named !== card.name) {
      yield {
        about: "listed-name",
        said: named,
        found: card.name,
        saidBy,
        message: `It is listed as ${named}, and its card at ${url} names it ${card.name}.`,
      };
    }
    if (entry.version !== null && entry.version !== card.version) {
      yield {
        about: "listed-version",
        said: entry.version,
        found: card.version,
        saidBy,
        message: `It is listed in version ${entry.version}, and its card says ${card.version}.`,
      };
    }
  }
}

function* identity({ url, card }: CardDocument, { server }: LiveAnswer): Generator<Contradiction> {
  if (server === null) return;
  if (server.name !== null && !isCatalogsWord(card) && !sameName(card, server.name)) {
    yield {
      about: "name",
      said: card.name,
      found: server.name,
      saidBy: url,
      message: `Its card names it ${card.name}, and it names itself ${server.name}.`,
    };
  }
  if (server.version !== null && server.version !== card.version) {
    yield {
      about: "version",
      said: card.version,
      found: server.version,
      saidBy: url,
      message: `Its card says version ${card.version}, and it runs ${server.version}.`,
    };
  }
}

/** A catalog made the card, and named the server for itself; the server was not asked. */
function isCatalogsWord({ _meta }: CardDocument["card"]): boolean {
  return isJsonObject(_meta?.[LISTING_META_KEY]);
}

/** A runtime name has no reverse DNS in front: the whole, the part behind the slash, or the title is the same name. */
function sameName({ name, title }: CardDocument["card"], runtime: string): boolean {
  const own = [name, name.slice(name.indexOf("/") + 1), ...(title === undefined ? [] : [title])];
  return own.some((said) => plain(said) === plain(runtime));
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[\s._-]+/g, "-");
}

function* protocol(server: ServerDraft, document: CardDocument, live: LiveAnswer): Generator<Contradiction> {
  const { url } = document;
  const remote = server.remotes.get(url);
  if (remote === undefined) return;
  const transport = live.transport === "http+sse" ? "sse" : live.transport;
  if (transport !== null && transport !== remote.type) {
    yield {
      about: "transport",
      said: remote.type,
      found: transport,
      saidBy: url,
      message: `Its card says ${remote.type}, and it speaks ${transport}.`,
    };
  }
  const versions = remote.supportedProtocolVersions ?? [];
  if (live.era !== null && versions.length > 0 && !versions.includes(live.era)) {
    yield {
      about: "protocol-version",
      said: [...versions],
      found: live.era,
      saidBy: url,
      message: `Its card promises MCP ${versions.join(", ")}, and it speaks ${live.era}.`,
    };
  }
}

function* reachability(
  { endpoint }: ServerDraft,
  { url }: CardDocument | DescriptorDocument,
  { state, redirectsTo, error }: LiveAnswer,
): Generator<Contradiction> {
  if (redirectsTo !== undefined) {
    yield {
      about: "endpoint",
      said: endpoint,
      found: redirectsTo,
      saidBy: url,
      message: `It says ${endpoint}, which redirects to ${redirectsTo}.`,
    };
  } else if (
    state === "not-mcp" ||
    state === "unreachable" ||
    state === "timeout" ||
    state === "protocol-error"
  ) {
    yield {
      about: "reachable",
      said: endpoint,
      found: state,
      saidBy: url,
      message: `It says that a server runs at ${endpoint}, and ${lowerFirst(error ?? "none answers there.")}`,
    };
  }
}

function* descriptorClaims(document: DescriptorDocument, live: LiveAnswer): Generator<Contradiction> {
  const facts = describe(document.descriptor, document.answeredBy);
  const { url } = document;
  if (facts.auth === "none" && live.state === "auth-required") {
    yield {
      about: "auth",
      said: "none",
      found: "auth-required",
      saidBy: url,
      message: "Its descriptor says that it needs no credential, and it asks for one.",
    };
  }
  if (live.state !== "online" || live.tools === null || live.toolsTruncated) return;
  const listed = new Set(live.tools.map(({ name }) => name));
  const missing = facts.tools.filter((name) => !listed.has(name));
  if (missing.length === 0) return;
  const named = missing.slice(0, MAX_NAMED_TOOLS);
  const more = missing.length > named.length ? ` and ${missing.length - named.length} more` : "";
  yield {
    about: "tools",
    said: named as JsonValue,
    found: [],
    saidBy: url,
    message: `Its descriptor claims ${named.join(", ")}${more}, and it does not list ${missing.length === 1 ? "it" : "them"}.`,
  };
}

function lowerFirst(sentence: string): string {
  return /^[A-Z][a-z]/.test(sentence) ? sentence.charAt(0).toLowerCase() + sentence.slice(1) : sentence;
}
