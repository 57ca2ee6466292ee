/**
 * What the relay says of itself, completed from its own server, and the documents made of it: one description feeds all. Where no
 * public URL is known the relay is on this machine only, and its documents name the (checked) name that it was asked by; whether
 * the rest of the description may be published is found out all the same.
 */
import { isLoopback } from "../http/index.ts";
import {
  AI_CATALOG_TYPE,
  diagnosticRules,
  issuedCredentialIn,
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

/** Stands for a machine's own name while a description is judged: what would be refused in public is refused from the first day. */
const STAND_IN = "https://relay.example";

/** Code points of a card's description and title. */
const SHORT = 100;

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
export function makeDocuments(endpoint: string, given: Describing): Documents {
  const { hostname, pathname } = new URL(endpoint);
  if (!isLoopback(hostname)) return documentsOf(endpoint, given);
  documentsOf(`${STAND_IN}${pathname}`, given);
  return documentsOf(endpoint, given);
}

interface Describing {
  readonly facts: ServerFacts;
  readonly description?: KitDescription | undefined;
}

function documentsOf(endpoint: string, { facts, description = {} }: Describing): Documents {
  const { hostname } = new URL(endpoint);
  const title = facts.title ?? plainName(facts.name);
  const said = facts.description ?? title;
  const full: RelayDescription = {
    ...description,
    ...facts,
    name: cardName(description.name ?? facts.name, isLoopback(hostname) ? "localhost" : hostname),
    title: shortened(title),
    description: shortened(said),
    ...(description.about === undefined && [...said].length > SHORT ? { about: said } : {}),
    remotes: [{ type: "streamable-http", url: endpoint }],
  };
  const field = issuedCredentialIn(full);
  if (field !== null) {
    const { meaning, cure } = diagnosticRules["token-literal"];
    throw new OpenMcpError("invalid-input", `${field} can't be published: ${meaning}. ${cure}.`, {
      data: { field, code: "token-literal" },
    });
  }
  const cardUrl = serverCardUrl(endpoint);
  const options = { url: cardUrl };
  const listing = toListing(full, { cardUrl });
  const text = (document: object, mediaType: string): DocumentText => ({
    body: JSON.stringify(document),
    mediaType,
  });
  // The card first: its members have the description's names, and a refusal names the member.
  const card = toServerCard(full, options);
  return {
    descriptor: text(toDescriptor(full, options), "application/json"),
    serverCard: text(card, SERVER_CARD_TYPE),
    mcpCatalog: text(toMcpCatalog([listing], options), "application/json"),
    aiCatalog: text(toAiCatalog([listing], options), AI_CATALOG_TYPE),
  };
}

/** A card's name: the server's own where it has the form, else its host in reverse and its name. */
function cardName(name: string, hostname: string): string {
  if (/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(name)) return name;
  const plain = name.replace(/[^a-zA-Z0-9._-]/g, "-").slice(0, SHORT);
  const namespace = hostname
    .replace(/[^a-zA-Z0-9.-]/g, "")
    .split(".")
    .reverse()
    .join(".");
  return `${namespace}/${/[a-zA-Z0-9]/.test(plain) ? plain : "server"}`;
}

function plainName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

function shortened(text: string): string {
  return [...text].slice(0, SHORT).join("");
}

function pick<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): { readonly [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [K in Key]?: Value };
}
