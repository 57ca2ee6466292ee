/**
 * MCP Server Card, schema v1 (SEP-2127): who a server is and where it is reached; no tools, no capabilities, no auth. Types and names
 * only. Objects are open: members that are not named here survive.
 */

/** The only value that `$schema` may have. It does not resolve, and is never fetched. */
export const SERVER_CARD_SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

export const SERVER_CARD_TYPE = "application/mcp-server-card+json";

/** The place of a card in the MCP Discovery draft; `/<name>` may follow. */
export const DRAFT_CARD_PATH = "/.well-known/mcp-server-card";

/** Where older drafts had a card, in the order in which they are worth asking. */
export const legacyCardPaths = [
  DRAFT_CARD_PATH,
  "/.well-known/mcp/server-card",
  "/.well-known/mcp/server-card.json",
  "/.well-known/mcp.json",
] as const;

/** What a person or a client fills in. */
export interface Input {
  readonly description?: string;
  readonly isRequired?: boolean;
  readonly isSecret?: boolean;
  readonly format?: "boolean" | "filepath" | "number" | "string";
  readonly default?: string;
  readonly placeholder?: string;
  /** Set already, and not to be changed. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly [member: string]: unknown;
}

/** A header: `value` may hold `{name}` of its `variables`. */
export interface KeyValueInput extends Input {
  readonly name: string;
  readonly variables?: Readonly<Record<string, Input>>;
}

export interface Remote {
  readonly type: "streamable-http" | "sse";
  /** A URL, or a template of one: `https://{tenant}.example.com/mcp`. */
  readonly url: string;
  readonly headers?: readonly KeyValueInput[];
  readonly variables?: Readonly<Record<string, Input>>;
  readonly supportedProtocolVersions?: readonly string[];
  readonly [member: string]: unknown;
}

export interface Icon {
  /** http, https or `data:`. */
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: "light" | "dark";
  readonly [member: string]: unknown;
}

export interface Repository {
  readonly url: string;
  readonly source: string;
  readonly subfolder?: string;
  readonly id?: string;
  readonly [member: string]: unknown;
}

/** What a card and a server.json say alike of a server. Unknown members are kept. */
export interface ServerIdentity {
  /** Reverse DNS, a slash, a name: `com.example/weather`. */
  readonly name: string;
  readonly version: string;
  /** 1 to 100 code points. */
  readonly description: string;
  readonly title?: string;
  readonly websiteUrl?: string;
  readonly repository?: Repository;
  readonly icons?: readonly Icon[];
  readonly remotes?: readonly Remote[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

export interface ServerCard extends ServerIdentity {
  readonly $schema: string;
}

/** Which shape a card came in. All but `v1` are normalised to it, and never conformant. */
export type ServerCardShape = "v1" | "sep-1649" | "snake-case" | "endpoint" | "registry";
