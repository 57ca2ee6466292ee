/**
 * Takes the relays of somebody's list: a registry, an AI Catalog, or URLs. A job in the store reads it, politely and also after a
 * restart, and looks at each URL before it is listed. What the list says of a relay is hearsay.
 */
import { z } from "zod";
import {
  canonicalEndpoint,
  type ImportInput,
  type ImportOutput,
  importSources,
  OpenMcpError,
} from "../../spec/index.ts";
import type { ImportEntry, NewDocument } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { parseGivenUrl } from "../given-url.ts";
import { placed } from "../imports/judge-entry.ts";
import { firstPage, registryBase } from "../imports/registry-pages.ts";
import { firstCatalog } from "../imports/trail.ts";
import {
  DEFAULT_REGISTRY,
  MAX_IMPORT_URLS,
  MAX_IMPORTS_WAITING,
  MAX_TAKEN,
  MAX_URL_CHARS,
} from "../limits.ts";
import { defineOperation } from "../operation.ts";
import { countField, flagField, textField } from "../schemas.ts";
import { shared } from "../shared.ts";

export const importRelays = defineOperation<"importRelays", ImportInput, ImportOutput>({
  name: "importRelays",
  summary: "Import relays from a registry, a catalog or a list",
  description:
    "Reads the list in the background, takes each URL in it once, and looks at it before it is listed; ask for the job to see how " +
    "far it has come. Needs the admin credential.",
  access: "admin",
  readOnly: false,
  input: z.object({
    from: z
      .enum(importSources, `"from" must be one of ${importSources.join(", ")}`)
      .describe(
        "registry: GET /v0.1/servers of an MCP registry; ai-catalog: an AI Catalog or MCP Catalog; urls: those given.",
      ),
    url: textField("url", { max: MAX_URL_CHARS, what: "where to read" })
      .describe("The registry's base URL, by default the official one's; or the catalog's, or its site.")
      .optional(),
    urls: z
      .array(z.string('"urls" must hold texts only'), '"urls" must be a list of URLs')
      .max(MAX_IMPORT_URLS, `"urls" has too many entries: at most ${MAX_IMPORT_URLS}`)
      .describe("Sites, MCP endpoints or descriptors, for urls.")
      .optional(),
    since: textField("since", { max: 40, what: "a date or time such as 2026-01-31" })
      .refine(
        (since) => isoTime(since) !== null,
        '"since" is no date or time of ISO 8601: give one such as 2026-01-31 or 2026-01-31T12:00:00Z',
      )
      .describe("For registry: only what was updated since.")
      .optional(),
    limit: countField("limit", { min: 1, max: MAX_TAKEN })
      .describe("Take at most so many URLs, and read no further.")
      .optional(),
    dryRun: flagField("dryRun").describe("Read and count, and look at none of them.").optional(),
  }),
  output: z.object({
    job: z.string().describe("Ask for it later by this id."),
    rejected: z.array(z.object({ url: z.string(), error: z.string() })),
  }),
  async run(context, input, { admin }) {
    if (!admin) throw new OpenMcpError("unauthorized", "importing relays needs the admin credential");
    const { store, clock, newId } = context;
    const { urls: _urls, since, ...rest } = input;
    const start = await startOf(input, context);
    if ((await store.imports.unfinished()).length >= MAX_IMPORTS_WAITING) {
      throw new OpenMcpError(
        "conflict",
        `${MAX_IMPORTS_WAITING} imports are under way: wait for one to end, or cancel one`,
      );
    }
    const id = newId();
    const time = since === undefined ? null : isoTime(since);
    const running = await store.imports.create({
      id,
      input: {
        ...rest,
        ...(start.url === null ? {} : { url: start.url }),
        ...(time === null ? {} : { since: time }),
      },
      documents: start.documents,
      entries: start.entries,
      now: clock.now(),
    });
    if (running !== null) {
      throw new OpenMcpError("conflict", `an import of ${start.url} is under way: job ${running}`, {
        data: { job: running },
      });
    }
    shared(store).imports.ring();
    return { job: id, rejected: start.rejected };
  },
});

interface Start {
  readonly url: string | null;
  readonly documents: readonly NewDocument[];
  readonly entries: readonly ImportEntry[];
  readonly rejected: ImportOutput["rejected"];
}

async function startOf(input: ImportInput, { registry }: CatalogContext): Promise<Start> {
  const read = { entries: [], rejected: [] };
  switch (input.from) {
    case "registry": {
      const base = registryBase(placeGiven(input.url ?? registry ?? DEFAULT_REGISTRY));
      return {
        url: base,
        documents: [firstPage(base, input.since === undefined ? null : isoTime(input.since))],
        ...read,
      };
    }
    case "ai-catalog": {
      if (input.url === undefined) throw refuse("url", "say which catalog: give its URL, or its site");
      const document = firstCatalog(placeGiven(input.url));
      return { url: document.url, documents: [document], ...read };
    }
    case "urls":
      return { url: null, documents: [], ...(await entriesOf(input.urls ?? [])) };
  }
}

async function entriesOf(urls: readonly string[]): Promise<Pick<Start, "entries" | "rejected">> {
  const entries: ImportEntry[] = [];
  const rejected: { url: string; error: string }[] = [];
  for (const line of urls) {
    const given = parseGivenUrl(line);
    if (!given.ok) {
      rejected.push({ url: line.slice(0, MAX_URL_CHARS), error: given.problem });
      continue;
    }
    const endpoint = canonicalEndpoint(given.url);
    const judged = await placed({ urls: [{ url: given.url, endpoint }], skip: null });
    entries.push({ key: endpoint, name: null, version: null, ...judged });
  }
  if (entries.length > 0) return { entries, rejected };
  throw new OpenMcpError("invalid-input", '"urls" holds no URL: give at least one', {
    data: { field: "urls", rejected },
  });
}

function placeGiven(url: string): string {
  const given = parseGivenUrl(url);
  if (given.ok) return given.url;
  throw refuse("url", given.problem);
}

/** As the official registry takes it (RFC 3339); null when it is none. */
function isoTime(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/.test(text))
    return null;
  const zoned = text.includes("T") && !/(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? `${text}Z` : text;
  const at = Date.parse(zoned);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

function refuse(field: string, problem: string): OpenMcpError {
  return new OpenMcpError("invalid-input", `"${field}": ${problem}`, { data: { field } });
}
