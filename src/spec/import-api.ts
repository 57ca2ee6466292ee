/**
 * Imports as plain types: what goes in and what comes out, whatever the door (discovery.md "The official registry").
 * An import reads somebody's list of MCP servers; each URL in it is looked at before it is listed here.
 */
import type { ProbeState } from "./record.ts";

/** Where an import reads: a registry's API, an AI Catalog or MCP Catalog, or the URLs that came with it. */
export const importSources = ["registry", "ai-catalog", "urls"] as const;

export type ImportSource = (typeof importSources)[number];

export interface ImportInput {
  readonly from: ImportSource;
  /** The registry's base URL (absent: the one the catalog is set up with), or the AI Catalog's, or its site. */
  readonly url?: string;
  /** For `urls`: at most 1,000. */
  readonly urls?: readonly string[];
  /** For `registry`: only what was updated since; ISO 8601. */
  readonly since?: string;
  /** Take at most so many URLs, and read no further. */
  readonly limit?: number;
  /** Read and count, and look at none of them. */
  readonly dryRun?: boolean;
}

export interface ImportOutput {
  readonly job: string;
  /** URLs that are none, with why; they are no part of the job. */
  readonly rejected: readonly { readonly url: string; readonly error: string }[];
}

/** Why an entry gave nothing to look at. */
export const importSkips = [
  "unreadable", // it is not of its form, or its card could not be read
  "not-active", // deprecated or deleted
  "not-latest", // there is a newer version of it
  "not-mcp", // an entry of a catalog that is something else
  "no-remote", // runs on one's own machine only
  "unresolved-template", // its URL has a required variable that only a user can fill
  "localhost", // this machine, or an address of a private network
  "placeholder", // an example's address
  "unusable-url", // no http or https URL, or one with credentials in it
  "this-catalog", // it is this catalog itself
  "learned", // the catalog that lists it has it from another one: it is imported there, or by a peer
] as const;

export type ImportSkip = (typeof importSkips)[number];

/** What became of a URL that was looked at and not listed: what the look found, or why there was none. */
export const importFailures = [
  "opted-out", // its owner asks catalogs not to list it
  "removed", // an admin removed it here, not long ago
  "host-down", // not asked: several others at its host were out of reach
  "error", // the catalog could not try it
] as const;

export type ImportFailure = ProbeState | (typeof importFailures)[number];

export interface ImportReport {
  /** Documents read: pages of a registry, catalogs, cards. */
  readonly documents: number;
  /** Entries read, each once. */
  readonly seen: number;
  /** URLs taken, each once however many entries name it. */
  readonly taken: number;
  /** Further entries that name a URL that was taken already; their names are kept as claims. */
  readonly shared: number;
  /** Entries that gave nothing to look at, by why. */
  readonly skipped: Readonly<Partial<Record<ImportSkip, number>>>;
  /** Of those taken: listed for the first time. */
  readonly listed: number;
  /** Of those taken: listed here already. */
  readonly known: number;
  /** Of those taken: not listed, by what was found. */
  readonly failed: Readonly<Partial<Record<ImportFailure, number>>>;
}

export interface ImportJob {
  readonly id: string;
  readonly from: ImportSource;
  /** What it reads; null for `urls`. */
  readonly url: string | null;
  readonly since: string | null;
  readonly limit: number | null;
  readonly dryRun: boolean;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  /** `reading`: there is more to read; `probing`: all is read, and not all looked at. */
  readonly state: "reading" | "probing" | "done" | "cancelled";
  /** Whether all that there is was read; null while it is being read. */
  readonly complete: boolean | null;
  /** What went wrong while reading, in sentences, oldest first. */
  readonly problems: readonly string[];
  /** When reading goes on that had to wait; null: it waits for nothing. */
  readonly waitsUntil: string | null;
  readonly report: ImportReport;
}

export interface ImportJobInput {
  readonly job: string;
}

export interface GetImportOutput {
  readonly job: ImportJob;
}

export interface ImportsOutput {
  /** The newest first. */
  readonly jobs: readonly ImportJob[];
}

export interface ImportResultsInput {
  readonly job: string;
  /** 1 to 500; default 100. */
  readonly limit?: number;
  readonly cursor?: string;
}

/** What became of one URL. */
export interface ImportResult {
  readonly url: string;
  /** Names under which the source lists it. */
  readonly names: readonly string[];
  /** `waiting`: not looked at yet; `taken`: in a dry run, where nothing is. */
  readonly outcome: "waiting" | "taken" | "listed" | "known" | "failed";
  readonly relay: string | null;
  /** Why it was not listed, as in the report. */
  readonly failure: ImportFailure | null;
  readonly error: string | null;
}

export interface ImportResultsOutput {
  readonly results: readonly ImportResult[];
  readonly nextCursor: string | null;
}

/** A name under which somebody's list has a relay's URL: hearsay, and no part of the record. */
export interface RelayClaim {
  readonly name: string;
  readonly version: string | null;
  /** The registry's base URL, or the catalog's. */
  readonly source: string;
  /** When it was last read there; ISO 8601. */
  readonly at: string;
}

export interface ClaimsOutput {
  readonly relay: string;
  readonly claims: readonly RelayClaim[];
}
