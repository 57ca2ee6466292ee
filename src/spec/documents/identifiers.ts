/** The names under which catalogs list a server: the draft's URN, and the AI Catalog's, which needs the publisher's domain. */
import { CARD_NAME } from "./card-shape.ts";

export const MCP_IDENTIFIER_PREFIX = "urn:mcp:server:";

/** `namespaced`: `urn:air:example.com:mcp:weather`; `short`: `urn:air:example.com:weather`; `url`: the card's URL. */
export type IdentifierForm = "namespaced" | "short" | "url";

/** `urn:mcp:server:com.example/weather`. */
export function mcpIdentifier(name: string): string {
  return `${MCP_IDENTIFIER_PREFIX}${name}`;
}

/** The name in a draft's identifier; null when it is none. */
export function nameOfMcpIdentifier(identifier: string): string | null {
  if (!identifier.startsWith(MCP_IDENTIFIER_PREFIX)) return null;
  const name = identifier.slice(MCP_IDENTIFIER_PREFIX.length);
  return CARD_NAME.test(name) ? name : null;
}

/**
 * A URN needs a publisher's domain: a namespace in reverse DNS, with a dot. For `example-org/minimal`, and for a namespace whose
 * domain could be nobody's, the card's URL is the identifier.
 */
export function airIdentifier(
  name: string,
  { form, cardUrl }: { readonly form: IdentifierForm; readonly cardUrl: string },
): string {
  const [namespace = "", server = ""] = name.split("/");
  const labels = namespace.toLowerCase().split(".");
  const isDomain =
    labels.length > 1 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels[0] ?? "");
  if (form === "url" || !isDomain || !URN_PART.test(server)) return cardUrl;
  const publisher = labels.toReversed().join(".");
  return `urn:air:${publisher}:${form === "namespaced" ? "mcp:" : ""}${server}`;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Dots alone are no name, and a colon would be another part. */
const URN_PART = /^[a-zA-Z0-9._-]*[a-zA-Z0-9_-][a-zA-Z0-9._-]*$/;

/** The card's name in a namespaced URN; null where it can't be told. */
export function nameOfAirIdentifier(identifier: string): string | null {
  const [, publisher, server] = /^urn:air:([^:]{1,253}):mcp:([^:]{1,200})$/.exec(identifier) ?? [];
  if (publisher === undefined || server === undefined || !publisher.includes(".")) return null;
  const name = `${publisher.split(".").reverse().join(".")}/${server}`;
  return CARD_NAME.test(name) ? name : null;
}

/** The publisher's domain in a `urn:air`, in lower case; null for what is none that could be published again. */
export function publisherOf(identifier: string): string | null {
  const [, publisher] = AIR.exec(identifier) ?? [];
  const labels = publisher?.toLowerCase().split(".") ?? [];
  return labels.length > 1 && labels.every((label) => LABEL.test(label)) ? labels.join(".") : null;
}

const AIR = /^urn:air:([a-zA-Z0-9.-]{1,253}):[a-zA-Z0-9._~-]{1,200}(?::[a-zA-Z0-9._~-]{1,200}){0,7}$/;
