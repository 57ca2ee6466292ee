/**
 * What an import keeps: which documents are still to be read, what was taken from those that were, and what became of each URL. A
 * document and all that was taken from it are written in one transaction, so that a stop at any moment neither loses nor doubles.
 */
import type {
  ImportFailure,
  ImportInput,
  ImportJob,
  ImportResult,
  ImportSkip,
  RelayClaim,
} from "../spec/index.ts";

export interface NewImport {
  readonly id: string;
  /** Without its URLs. */
  readonly input: Omit<ImportInput, "urls"> & { readonly url?: string };
  readonly documents: readonly NewDocument[];
  /** Entries that came with it. */
  readonly entries: readonly ImportEntry[];
  readonly now: number;
}

/** Something to read. Each URL is read once in a job. */
export interface NewDocument {
  readonly url: string;
  /** What the reader makes of it; the store only keeps it. */
  readonly trail: string;
  /** A sentence that goes with the job's problems when the job has read this URL already. */
  readonly repeated?: string;
}

export interface WaitingDocument {
  readonly position: number;
  readonly url: string;
  readonly trail: string;
  /** Documents in a row, up to this one, that brought no new entry. */
  readonly stale: number;
  readonly tries: number;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
}

/** One entry of a list, judged. */
export interface ImportEntry {
  /** By which it is counted once. */
  readonly key: string;
  readonly name: string | null;
  readonly version: string | null;
  /** None: it was skipped. */
  readonly urls: readonly ImportUrl[];
  /** Why it gave nothing; null when it gave something. */
  readonly skip: ImportSkip | null;
  /** It is no longer what its list says of it: claims of this name from the same source are dropped. */
  readonly withdrawn?: true;
}

export interface ImportUrl {
  readonly url: string;
  /** Canonical: the identity. */
  readonly endpoint: string;
  /** Whose machines it is on; domains have their turns. */
  readonly domain: string;
  /** By which its publisher lists it; absent: the list does not tell. */
  readonly identifier?: string;
}

export interface DocumentReading {
  readonly entries: readonly ImportEntry[];
  readonly documents: readonly NewDocument[];
  /** Whose word the entries are; null: nobody's, and no claims are kept. */
  readonly source: string | null;
  /** Sentences. */
  readonly problems: readonly string[];
  /** Something that there was could not be read. */
  readonly incomplete?: boolean;
}

export interface OpenUrl {
  readonly position: number;
  readonly url: string;
  readonly endpoint: string;
  readonly domain: string;
  /** Null: nothing that was read tells one. */
  readonly identifier: string | null;
}

export interface UrlOutcome {
  readonly outcome: "listed" | "known" | "failed";
  readonly relay: string | null;
  readonly failure: ImportFailure | null;
  readonly error: string | null;
}

export interface ImportResultPage {
  readonly results: readonly ImportResult[];
  readonly nextCursor: string | null;
}

export interface ImportStore {
  /** The id of an unfinished job that reads the same URL, which is left alone; null: the new one is kept. */
  create(job: NewImport): Promise<string | null>;
  get(id: string): Promise<ImportJob | null>;
  /** The newest first. */
  list(limit: number): Promise<readonly ImportJob[]>;
  /** Ids, oldest first. */
  unfinished(): Promise<readonly string[]>;
  /** What is still to be read of an unfinished job, what is due first at the front. */
  documents(id: string, limit: number): Promise<readonly WaitingDocument[]>;
  /** Keeps what a document gave; false when it, or the job, was finished already: then nothing is written. */
  finishDocument(id: string, position: number, reading: DocumentReading, now: number): Promise<boolean>;
  /** It could not be read now. */
  postpone(id: string, position: number, dueAt: number): Promise<void>;
  /** URLs without a result, the first of each domain first. */
  open(id: string, limit: number): Promise<readonly OpenUrl[]>;
  /** Idempotent: the first outcome of a URL stays. The last one finishes a job that has nothing to read. */
  finish(id: string, position: number, outcome: UrlOutcome, now: number): Promise<void>;
  /** In the order of taking. A cursor that isn't one rejects with `invalid-input`, field `cursor`. */
  results(id: string, page: { readonly limit: number; readonly cursor?: string }): Promise<ImportResultPage>;
  /** Ends a job where it is; false when there is no unfinished one. */
  cancel(id: string, now: number): Promise<boolean>;
  /** Names under which lists have a relay's URLs, by list and name; null when there is no such relay. */
  claims(relay: string, limit: number): Promise<readonly RelayClaim[] | null>;
  /** How many documents and URLs, of all jobs, are waiting. */
  waiting(): Promise<number>;
  /** Drops jobs finished before `before`, milliseconds since the epoch; claims stay. */
  forget(before: number): Promise<number>;
}
