/**
 * What a catalog knows of a relay, as a description: for the documents that it makes of relays that publish none. What is not known is
 * left out; what a document must have is told from the endpoint, and its version is 0.0.0 where the relay says none.
 */
import { describe } from "../descriptor.ts";
import { MAX_CARD_TEXT } from "../limits.ts";
import type { RelayRecord } from "../record.ts";
import { recordEndpoint } from "../summarize.ts";
import { CARD_NAME } from "./card-shape.ts";
import { urlFaults } from "./lint-url.ts";
import type { RelayDescription } from "./relay-description.ts";
import { codePoints } from "./shape.ts";
import { isUri } from "./uri.ts";
import { isSingleVersion } from "./version-text.ts";

const UNKNOWN_VERSION = "0.0.0";

export function describeRecord(record: RelayRecord): RelayDescription {
  const endpoint = recordEndpoint(record);
  const facts = describe(record.descriptor, record.source);
  const { server, probe } = record;
  const title = facts.name ?? server?.name ?? null;
  const about = facts.description ?? title ?? `An MCP server at ${new URL(endpoint).host}`;
  const versions = [...new Set([probe.era, server?.protocolVersion])].filter(
    (version) => typeof version === "string",
  );
  const site = facts.url !== null && isUri(facts.url) && urlFaults(facts.url).length === 0 ? facts.url : null;
  return {
    name:
      server?.name !== undefined && server.name !== null && isCardName(server.name)
        ? server.name
        : cardNameOf(endpoint),
    version: versionOf(server?.version),
    description: shortened(about),
    ...(codePoints(about, MAX_CARD_TEXT) > MAX_CARD_TEXT ? { about } : {}),
    ...(title === null ? {} : { title: shortened(title) }),
    ...(site === null ? {} : { websiteUrl: site }),
    remotes: [
      {
        type: probe.transport === "http+sse" ? "sse" : "streamable-http",
        url: endpoint,
        ...(versions.length === 0 ? {} : { supportedProtocolVersions: versions }),
      },
    ],
    ...(facts.auth === "unknown"
      ? {}
      : {
          auth: {
            kind: facts.auth,
            ...(facts.authUrl === null ? {} : { url: facts.authUrl }),
            ...(facts.openTools.length === 0 ? {} : { open: facts.openTools }),
          },
        }),
    ...(facts.operator === null ? {} : { operator: facts.operator }),
    ...(facts.tags.length === 0 ? {} : { tags: facts.tags }),
    ...(record.tools.length === 0 ? {} : { tools: record.tools.map(({ name }) => name) }),
    ...(facts.webhooks === null ? {} : { webhooks: facts.webhooks }),
    ...(facts.catalogs.length === 0 ? {} : { catalogs: facts.catalogs }),
  };
}

/**
 * A card's name for an endpoint that has none: its host in reverse, a slash, its path.
 * @example cardNameOf("https://mcp.example.com/weather/mcp") // "com.example.mcp/weather"
 */
export function cardNameOf(endpoint: string): string {
  const { hostname, pathname } = new URL(endpoint);
  const plain = hostname.replace(/[^a-zA-Z0-9.-]/g, "-");
  const labels = plain.split(".").filter((label) => label !== "");
  // An address is no name, and is not turned round.
  const namespace = /^[\d.]+$/.test(plain) ? plain : labels.reverse().join(".");
  const segments = pathname.split("/").filter((segment) => segment !== "");
  const named = segments.filter(
    (segment, index) => index < segments.length - 1 || !/^(?:mcp|sse)$/i.test(segment),
  );
  const path = named.join("-").replace(/[^a-zA-Z0-9._-]+/g, "-");
  const server = /[a-zA-Z0-9_-]/.test(path) ? path : "mcp";
  return `${namespace.slice(0, MAX_NAMESPACE)}/${server.slice(0, MAX_SERVER_NAME)}`;
}

/** Together with the slash within the 200 of a card's name. */
const MAX_NAMESPACE = 120;
const MAX_SERVER_NAME = 79;

function isCardName(name: string): boolean {
  return (
    name.length <= 200 &&
    CARD_NAME.test(name) &&
    name.split("/").every((part) => part.replaceAll(".", "") !== "")
  );
}

function versionOf(version: string | null | undefined): string {
  return typeof version === "string" && version.length <= 255 && isSingleVersion(version)
    ? version
    : UNKNOWN_VERSION;
}

/** On one line, within what a card holds. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (codePoints(line, MAX_CARD_TEXT) <= MAX_CARD_TEXT) return line;
  let short = "";
  let count = 1;
  for (const point of line) {
    if (count === MAX_CARD_TEXT) break;
    short += point;
    count += 1;
  }
  return `${short.trimEnd()}…`;
}
