/**
 * Reads a Server Card, strictly and then leniently: two verdicts, the older shapes brought into the one of today. What was not said
 * stays unsaid: a name, version or description that is missing is an empty text, never an invented one.
 */
import { isJsonObject, type JsonValue } from "../json.ts";
import type { Reading } from "./diagnostic.ts";
import type { Findings } from "./findings.ts";
import { legacyCard } from "./legacy-card.ts";
import { openDocument } from "./open-document.ts";
import { SERVER_CARD_SCHEMA, type ServerCard, type ServerCardShape } from "./server-card.ts";
import { own } from "./shape.ts";
import { tidyIdentity } from "./tidy-identity.ts";
import { judgeServerCard } from "./validate-server-card.ts";

export interface ReadCardContext {
  /** The URL that answered: what is relative resolves on it, and a card that was read on a private network may name one. */
  readonly url?: string;
}

export interface ServerCardReading extends Reading<ServerCard> {
  /** Null when it is none of them. */
  readonly shape: ServerCardShape | null;
}

/** `document` is the text as it was received, or what was parsed from it; only text tells of duplicate keys and a byte order mark. */
export function readServerCard(
  document: string | JsonValue,
  context: ReadCardContext = {},
): ServerCardReading {
  const { value, findings } = openDocument(document);
  const shape = value === undefined ? null : cardShapeOf(value);
  const card = value === undefined ? null : read(value, { shape, findings, context });
  return {
    conformant: findings.conformant,
    usable: card !== null,
    value: card,
    diagnostics: findings.list,
    shape,
  };
}

interface Reader {
  readonly shape: ServerCardShape | null;
  readonly findings: Findings;
  readonly context: ReadCardContext;
}

function read(value: JsonValue, { shape, findings, context }: Reader): ServerCard | null {
  if (!isJsonObject(value)) {
    findings.add("wrong-type", "", "a card is an object");
    return null;
  }
  if (shape === null) findings.add("unknown-document", "", "nothing in it is a Server Card's");
  if (shape === null) return null;
  const { $schema: _schema, ...source } = shape === "v1" ? value : legacyCard(value, { shape, ...context });
  if (shape === "v1") judgeServerCard(value, { findings, url: context.url });
  else {
    findings.add("legacy-shape", "", legacyWords[shape]);
    // Not held against the rules of v1, but a secret in it is one all the same.
    judgeServerCard({ ...source }, { findings: onlyLeaks(findings), url: context.url });
  }
  const identity = tidyIdentity(source, { findings, ...context });
  const card: ServerCard = { $schema: SERVER_CARD_SCHEMA, ...identity };
  return card.name === "" && (card.remotes ?? []).length === 0 ? null : card;
}

const legacyWords: Readonly<Record<Exclude<ServerCardShape, "v1">, string>> = {
  "sep-1649": "the card has the shape of SEP-1649, with serverInfo and transport",
  "snake-case": "the card has its members in snake_case, as an older draft did",
  endpoint: "the card names its endpoint in one member, as an older draft did",
  registry: "the document is a server.json of the registry, not a card",
};

/** By its content: `$schema` decides where it says something, members where it does not. Null when nothing of it is a card's. */
export function cardShapeOf(value: JsonValue): ServerCardShape | null {
  if (!isJsonObject(value)) return null;
  const has = (name: string): boolean => Object.hasOwn(value, name);
  const schema = own(value, "$schema");
  if (schema === SERVER_CARD_SCHEMA) return "v1";
  if (typeof schema === "string" && /\/server\.schema\.json$/.test(schema.slice(0, 300))) return "registry";
  if (isJsonObject(own(value, "server")) || has("packages") || has("version_detail")) return "registry";
  if (isJsonObject(own(value, "serverInfo"))) return "sep-1649";
  if (
    isJsonObject(own(value, "server_info")) ||
    has("protocol_version") ||
    has("server_name") ||
    has("endpoint_url")
  ) {
    return "snake-case";
  }
  if (Array.isArray(own(value, "remotes"))) return "v1";
  if (typeof schema === "string" && /server-card/.test(schema.slice(0, 300)) && !has("transport"))
    return "v1";
  if (
    endpointMembers.some((name) => typeof own(value, name) === "string" || isJsonObject(own(value, name)))
  ) {
    return "endpoint";
  }
  return has("name") && has("version") && has("description") ? "v1" : null;
}

/** Where cards without `remotes` name their endpoint. */
export const endpointMembers = [
  "endpoint",
  "mcpEndpoint",
  "mcp_endpoint",
  "endpoints",
  "transport",
  "url",
  "serverUrl",
  "server_url",
] as const;

function onlyLeaks(findings: Findings): Findings {
  const leaks: ReadonlySet<string> = new Set([
    "credential-in-url",
    "secret-literal",
    "token-literal",
    "private-address",
    "unsafe-url",
  ]);
  return {
    ...findings,
    add: (code, pointer, message) => {
      if (leaks.has(code)) findings.add(code, "", `${message} (at ${pointer} of what was read)`);
    },
  };
}
