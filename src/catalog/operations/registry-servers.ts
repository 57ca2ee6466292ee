/** The relays as the official registry lists servers, so that its clients can be pointed here. */
import { z } from "zod";
import type { StoreFilter } from "../../store/index.ts";
import type { CatalogIdentity } from "../context.ts";
import { MAX_QUESTION_CHARS } from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { DEFAULT_REGISTRY_LIMIT, MAX_REGISTRY_LIMIT, MAX_VERSION_CHARS } from "../publishing/limits.ts";
import { domainOfName, namespaceOf } from "../publishing/names.ts";
import { type RegistryServerEntry, registryPage } from "../publishing/registry-entries.ts";
import { registryListSchema } from "../publishing/schemas.ts";
import { countField, cursorField, textField } from "../schemas.ts";

export interface RegistryServersInput {
  readonly cursor?: string;
  readonly limit?: number;
  readonly search?: string;
  /** RFC 3339. */
  readonly updated_since?: string;
  /** `latest`, or exactly this one. */
  readonly version?: string;
}

export interface RegistryServersOutput {
  readonly servers: readonly RegistryServerEntry[];
  readonly metadata: { readonly nextCursor?: string; readonly count: number };
}

export const registryServers = defineOperation<
  "registryServers",
  RegistryServersInput,
  RegistryServersOutput
>({
  name: "registryServers",
  summary: "List relays as the official registry does",
  description:
    "The relays in the shape of the official MCP registry's API, for its clients. Every relay has one version, its latest. " +
    "A relay whose own domain is not in the name that it gave itself has one under this catalog's.",
  access: "open",
  readOnly: true,
  input: z.object({
    cursor: cursorField.describe("metadata.nextCursor of the page before.").optional(),
    limit: countField("limit", { min: 1, max: MAX_REGISTRY_LIMIT })
      .describe(`Servers on a page; ${DEFAULT_REGISTRY_LIMIT} unless given.`)
      .optional(),
    search: z
      .string('"search" must be a text')
      .max(MAX_QUESTION_CHARS, `"search" is too long: at most ${MAX_QUESTION_CHARS} characters`)
      .describe("Part of a name, or words of what a relay says of itself.")
      .optional(),
    updated_since: z.iso
      .datetime({
        offset: true,
        error: '"updated_since" must be a time such as 2026-11-30T12:00:00Z',
      })
      .describe("Only relays that were listed or changed since; 30 days back at most, before that all.")
      .optional(),
    version: textField("version", { max: MAX_VERSION_CHARS, what: 'a version, or "latest"' })
      .describe("`latest`, or exactly this version.")
      .optional(),
  }),
  output: registryListSchema,
  async run(context, { cursor, limit = DEFAULT_REGISTRY_LIMIT, search, updated_since, version }) {
    const searched = search === undefined ? null : searchOf(search, context.identity);
    const { entries, nextCursor } = await registryPage(context, {
      limit,
      cursor,
      filter: {
        ...searched?.filter,
        ...(updated_since === undefined ? {} : { changedSince: new Date(updated_since).toISOString() }),
      },
      wanted: ({ server }) =>
        (searched === null || searched.wanted(server.name)) &&
        (version === undefined || version === "latest" || server.version === version),
    });
    return {
      servers: entries,
      metadata: { ...(nextCursor === null ? {} : { nextCursor }), count: entries.length },
    };
  },
});

/** Words, unless it is part of a name, which has a slash. */
function searchOf(
  search: string,
  { url }: CatalogIdentity,
): { readonly filter: StoreFilter; readonly wanted: (name: string) => boolean } {
  const part = search.trim().toLowerCase();
  if (!part.includes("/")) return { filter: { q: search }, wanted: () => true };
  const [before = "", after = ""] = part.split("/", 2);
  const minted = namespaceOf(url).endsWith(before);
  return {
    // What both kinds of names have in common with the relay's id: the catalog's own end with it, the others have its domain.
    filter: { q: minted ? after : domainOfName(part) },
    wanted: (name) => name.toLowerCase().includes(part),
  };
}
