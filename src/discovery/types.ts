/** What a discovery is given and what it finds. Types only. */
import type {
  CatalogDocument,
  CatalogEntry,
  Descriptor,
  Diagnostic,
  DocumentMemory,
  EndpointVerdict,
  Exchange,
  InputProblem,
  JsonValue,
  ProbeStep,
  Remote,
  ServerCard,
  ServerCardShape,
} from "../spec/index.ts";
import type { Fetch } from "./fetch-exchange.ts";

/** What an endpoint answers when it is asked: the verdict of a look, as far as a reader of documents needs it. */
export type LiveAnswer = Pick<
  EndpointVerdict,
  | "state"
  | "era"
  | "transport"
  | "httpStatus"
  | "latencyMs"
  | "server"
  | "tools"
  | "toolsTruncated"
  | "redirectsTo"
  | "notes"
  | "error"
  | "challenge"
>;

/** Looks at one endpoint. Never rejects for what the endpoint does. */
export type Ask = (
  endpoint: string,
  options: { readonly signal: AbortSignal | undefined },
) => Promise<LiveAnswer>;

/** A document as it was received, and what to ask for it again by. */
export interface KnownDocument {
  readonly memory: DocumentMemory;
  /** The URL that answered. */
  readonly answeredBy: string;
  /** Null when the body was not kept: then it is not asked for conditionally. */
  readonly text: string | null;
  /** False when it was served in another charset than JSON has. */
  readonly utf8?: boolean;
}

/** Where documents are remembered from one discovery to the next, by the URL that was asked. */
export interface DocumentStore {
  get(url: string): KnownDocument | null | undefined | Promise<KnownDocument | null | undefined>;
  set(url: string, document: KnownDocument): void | Promise<void>;
}

export interface DiscoverSettings {
  readonly signal?: AbortSignal;
  /** The live look; absent: nothing is asked whether it runs. */
  readonly ask?: Ask;
  /** Values for the templates of remotes, by the names of their variables and headers. */
  readonly inputs?: Readonly<Record<string, string>>;
  readonly memory?: DocumentStore;
  /** Milliseconds since the epoch; default `Date.now`. */
  readonly now?: () => number;
  /** Told of each request as it is done. */
  readonly onRequest?: (request: DiscoveryRequest) => void;
  /** Told before an endpoint is asked. */
  readonly onLook?: (endpoint: string) => void;
  /** Bounds that may be narrowed or widened; the defaults are in limits.ts. */
  readonly limits?: Partial<DiscoveryLimits>;
}

export interface DiscoveryLimits {
  /** Entries taken of all catalogs together. */
  readonly entries: number;
  /** Requests for documents. */
  readonly documents: number;
  /** Endpoints asked. */
  readonly looks: number;
  /** Milliseconds after which nothing new is asked. */
  readonly totalMs: number;
}

/** One of the two: a WHATWG `fetch`, or an exchange that applies a network policy. */
export type DiscoverOptions = DiscoverSettings &
  (
    | { readonly fetch: Fetch; readonly exchange?: never }
    | { readonly exchange: Exchange; readonly fetch?: never }
  );

/**
 * How a request for a document ended. `nothing`: the origin answered, and there is none (404, an app's page, other JSON).
 * `denied`: 401 or 403. `later`: 5xx, 408, 429 or no answer in time, which says nothing about the document.
 */
export const requestOutcomes = [
  "found",
  "unchanged",
  "nothing",
  "denied",
  "later",
  "unreachable",
  "blocked",
  "too-large",
] as const;

export type RequestOutcome = (typeof requestOutcomes)[number];

/** One line of the log; `outcome` is a sentence. */
export interface DiscoveryRequest extends ProbeStep {
  readonly result: RequestOutcome;
  /** The URL that answered, after redirects; null when none did. */
  readonly answeredBy: string | null;
}

/** How a document was come by. `linked`: named by the front page; `reserved`: `<endpoint>/server-card`; `given`: by a person, or by a page they gave. */
export type DocumentSource = "well-known" | "linked" | "listed" | "reserved" | "given";

/** A way to a document: how it was come by, and the catalogs that led to it, the outermost first. */
export interface DocumentRoute {
  readonly by: DocumentSource;
  readonly through: readonly string[];
  /** The entry that led here, when a catalog did. */
  readonly entry: CatalogEntry | null;
  /** The front page that names it, by the URL that was asked; of a linked document only. */
  readonly page?: string;
}

interface Document {
  /** The URL that was asked; of an artifact within a catalog, the catalog's with the entry's pointer as fragment. */
  readonly url: string;
  /** The URL that answered, after redirects. */
  readonly answeredBy: string;
  readonly routes: readonly DocumentRoute[];
  /** It is what its specification says. */
  readonly conformant: boolean;
  /** Something can be done with it. */
  readonly usable: boolean;
  readonly diagnostics: readonly Diagnostic[];
  /** Kept from an earlier look: the origin could not be read now. */
  readonly stale: boolean;
  /** What to ask for it again by. */
  readonly memory: DocumentMemory | null;
}

export interface DescriptorDocument extends Document {
  readonly kind: "descriptor";
  readonly descriptor: Descriptor;
  readonly endpoint: string;
}

export interface CardDocument extends Document {
  readonly kind: "server-card";
  /** The shape that it came in; `registry` is a server.json. */
  readonly shape: ServerCardShape;
  readonly card: ServerCard;
}

export interface CatalogFile extends Document {
  readonly kind: "catalog";
  readonly catalog: CatalogDocument;
}

/** It is there, and of no use: its diagnostics say why. */
export interface BadDocument extends Document {
  readonly kind: "unusable";
}

export type DiscoveredDocument = DescriptorDocument | CardDocument | CatalogFile | BadDocument;

/** Where what a document says is not what is so. The runtime is right, and of two documents the nearer to the server. */
export interface Contradiction {
  readonly about:
    | "name"
    | "version"
    | "listed-name"
    | "listed-version"
    | "transport"
    | "protocol-version"
    | "auth"
    | "tools"
    | "endpoint"
    | "reachable";
  /** What a document says, and what is so. */
  readonly said: JsonValue;
  readonly found: JsonValue;
  /** The document that says it. */
  readonly saidBy: string;
  /** A sentence. */
  readonly message: string;
}

/** Listed by A, hosted by B, runs at C: URLs; null where nobody lists it, or nothing says where it runs. */
export interface ServerChain {
  readonly listedBy: string | null;
  readonly hostedBy: string;
  readonly runsAt: string | null;
}

/** One server: one endpoint, under however many names. */
export interface DiscoveredServer {
  /** The endpoint as it is asked; null while its template lacks inputs, or when no document names one. */
  readonly endpoint: string | null;
  /** The remote that the endpoint was filled from; null when a descriptor or a person named it. */
  readonly remote: Remote | null;
  /** Headers that the remote's template asks for, filled; they may hold secrets, and are sent nowhere by discovery. */
  readonly headers: Readonly<Record<string, string>>;
  /** What its template lacks, all at once. */
  readonly missing: readonly InputProblem[];
  /** Every name that a document gives it, the first one found first. */
  readonly names: readonly string[];
  readonly title: string | null;
  readonly description: string | null;
  readonly version: string | null;
  /** URLs of the documents that speak of it, as in `documents`. */
  readonly documents: readonly string[];
  /** All documents of it conform; false when it has none. */
  readonly conformant: boolean;
  /** They say where to connect to, and how. */
  readonly usable: boolean;
  readonly live: LiveAnswer | null;
  readonly contradictions: readonly Contradiction[];
  readonly chains: readonly ServerChain[];
}

/** An entry that is no MCP server: an agent, a skill, whatever else a catalog lists. */
export interface OtherEntry {
  readonly identifier: string;
  readonly type: string;
  readonly url: string | null;
  readonly listedBy: string;
}

/** An entry that leads to no document: nothing is there, or it could not be had. */
export interface DanglingEntry {
  readonly identifier: string;
  /** Where its document should be; of an artifact within a catalog, the catalog's URL with the entry's pointer as fragment. */
  readonly url: string;
  readonly listedBy: string;
  readonly result: RequestOutcome;
  /** A sentence. */
  readonly outcome: string;
}

/** Something that was left out, a sentence each. */
export interface DiscoveryCut {
  readonly limit: "entries" | "bytes" | "levels" | "documents" | "looks" | "time" | "remotes";
  readonly message: string;
}

export interface Discovery {
  /** The URL that was read from what was given. */
  readonly url: string;
  /**
   * `found`: a document, or an endpoint that answers MCP. `nothing`: all that was asked answered, and nothing is published.
   * `unknown`: nothing was found, and something gave no evidence (denied, later, unreachable, blocked).
   */
  readonly verdict: "found" | "nothing" | "unknown";
  readonly documents: readonly DiscoveredDocument[];
  readonly servers: readonly DiscoveredServer[];
  readonly others: readonly OtherEntry[];
  readonly dangling: readonly DanglingEntry[];
  /** What was left out because of a limit. */
  readonly cuts: readonly DiscoveryCut[];
  /** Every request for a document, in the order in which they ended. */
  readonly requests: readonly DiscoveryRequest[];
}
