/** `server.json` of the official registry, as its API lists it. Types and names only; objects are open. */
import type { Icon, Remote, Repository } from "./server-card.ts";

/** The `$schema` of what is written here. */
export const REGISTRY_SERVER_SCHEMA =
  "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** Content of it is a Server Card or a server.json: its content says which. */
export const REGISTRY_SERVER_TYPE = "application/mcp-server+json";

/** The key of `_meta` under which only the official registry may say something. */
export const REGISTRY_META_KEY = "io.modelcontextprotocol.registry/official";

export interface RegistryServer {
  readonly $schema?: string;
  readonly name: string;
  readonly description: string;
  readonly version: string;
  readonly title?: string;
  readonly websiteUrl?: string;
  readonly repository?: Repository;
  readonly icons?: readonly Icon[];
  readonly remotes?: readonly Remote[];
  /** What is installed and run on one's own machine; kept, not read. */
  readonly packages?: readonly unknown[];
  readonly _meta?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

/** What the registry itself says of an entry; null where it says nothing. */
export interface RegistryStanding {
  readonly status: string | null;
  readonly isLatest: boolean | null;
  readonly publishedAt: string | null;
  readonly updatedAt: string | null;
}

/** One entry of a registry's list. */
export interface RegistryEntry {
  readonly server: RegistryServer;
  readonly standing: RegistryStanding;
  /** The catalog that an OpenMCP catalog, whose list this is, has learned it from; null for its own, and in every other registry. */
  readonly learnedFrom: string | null;
  /** `2025-07`: `version_detail`, `transport_type`; read and brought into the shape of today. */
  readonly shape: "current" | "old";
}

export interface RegistryPage {
  readonly entries: readonly RegistryEntry[];
  readonly nextCursor: string | null;
  /** Entries in the page, those that were dropped too. */
  readonly total: number;
}
