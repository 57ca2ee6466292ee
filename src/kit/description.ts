/**
 * What the relay says of itself, completed from its own server, and the documents made of it: one description feeds all. Where no
 * public URL is known the relay is on this machine only, and its documents name the (checked) name that it was asked by; whether
 * the rest of the description may be published is found out all the same.
 */
import {
  AI_CATALOG_TYPE,
  type CatalogListing,
  isOpenMcpError,
  OpenMcpError,
  type RelayDescription,
  SERVER_CARD_TYPE,
  serverCardUrl,
  toAiCatalog,
  toDescriptor,
  toListing,
  toMcpCatalog,
  toServerCard,
} from "../spec/index.ts";
import type { KitDescription } from "./options.ts";

/** What a server says of itself. */
export interface ServerFacts {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: RelayDescription["icons"];
}

export interface DocumentText {
  readonly body: string;
  readonly mediaType: string;
}

export interface Documents {
  readonly descriptor: DocumentText;
  readonly serverCard: DocumentText;
  readonly mcpCatalog: DocumentText;
  readonly aiCatalog: DocumentText;
}

/** Stands for a machine's own name while documents are checked: a name that may be published. */
const STAND_IN = "https://relay.example";

/** The facts as the description completes them. */
export function factsOf(
  said: ServerFacts,
  { description = {} }: { readonly description?: KitDescription | undefined },
): ServerFacts {
  return {
    name: said.name,
    version: description.version ?? said.version,
    ...pick("title", description.title ?? said.title),
    ...pick("description", description.description ?? said.description),
    ...pick("websiteUrl", description.websiteUrl ?? said.websiteUrl),
    ...pick("icons", description.icons ?? said.icons),
  };
}

/**
 * All documents of the relay at `endpoint`.
 * @throws OpenMcpError `invalid-input` for what must not be published; `data.field` names the member, no value is told.
 */
export function makeDocuments(
  endpoint: string,
  {
    facts,
    description = {},
  }: { readonly facts: ServerFacts; readonly description?: KitDescription | undefined },
): Documents {
  const url = new URL(endpoint);
  const local = isLoopback(url.hostname);
  const shown = local ? `${STAND_IN}${url.pathname}` : endpoint;
  const full: RelayDescription = {
    ...description,
    ...facts,
    name: cardName(description.name ?? facts.name, local ? "localhost" : url.hostname),
    description: (facts.description ?? facts.title ?? facts.name).slice(0, 100),
    remotes: [{ type: "streamable-http", url: shown }],
  };
  const cardUrl = serverCardUrl(shown);
  const listing: CatalogListing = checked("serverCard", () => toListing(full, { cardUrl }));
  const text = (document: object, mediaType: string): DocumentText => {
    const body = JSON.stringify(document);
    return { body: local ? body.replaceAll(STAND_IN, url.origin) : body, mediaType };
  };
  return {
    descriptor: text(
      checked("descriptor", () => toDescriptor(full)),
      "application/json",
    ),
    serverCard: text(
      checked("serverCard", () => toServerCard(full)),
      SERVER_CARD_TYPE,
    ),
    mcpCatalog: text(
      checked("mcpCatalog", () => toMcpCatalog([listing])),
      "application/json",
    ),
    aiCatalog: text(
      checked("aiCatalog", () => toAiCatalog([listing])),
      AI_CATALOG_TYPE,
    ),
  };
}

/** A card's name: the server's own where it has the form, else its host in reverse and its name. */
function cardName(name: string, hostname: string): string {
  if (/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name)) return name;
  const plain = name
    .replace(/[^a-zA-Z0-9._-]+/g, "-")
    .replace(/^[-.]+/, "")
    .replace(/[-.]+$/, "");
  const namespace = hostname
    .replace(/[^a-zA-Z0-9.-]/g, "")
    .split(".")
    .reverse()
    .join(".");
  return `${namespace === "" ? "localhost" : namespace}/${plain === "" ? "server" : plain}`.slice(0, 200);
}

export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|.*\.localhost)$/.test(hostname);
}

function checked<T>(document: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!isOpenMcpError(error)) throw error;
    throw new OpenMcpError(error.code, `the relay's description can't be published: ${error.message}`, {
      data: { ...error.data, document },
      cause: error,
    });
  }
}

function pick<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value };
}
