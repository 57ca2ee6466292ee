/**
 * What a text that an origin served is, by its content alone: a path or a media type does not say. Pure. A page, other JSON and
 * nothing at all are "nothing published": many sites answer 200 for every path.
 */
import {
  type CatalogDocument,
  type CatalogReading,
  canonicalEndpoint,
  type Descriptor,
  type Diagnostic,
  type JsonValue,
  lintDocument,
  parseDescriptor,
  type RegistryServer,
  readCatalog,
  readRegistryServer,
  readServerCard,
  SERVER_CARD_SCHEMA,
  type ServerCard,
  type ServerCardShape,
  sniffDocument,
} from "../spec/index.ts";
import { cutCatalog } from "./cut-catalog.ts";
import { MAX_DOCUMENT_BYTES, MAX_ENDPOINT_CHARS } from "./limits.ts";

interface Verdicts {
  readonly conformant: boolean;
  readonly usable: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export type Judged = (
  | { readonly kind: "descriptor"; readonly descriptor: Descriptor; readonly endpoint: string }
  | { readonly kind: "server-card"; readonly card: ServerCard; readonly shape: ServerCardShape }
  | { readonly kind: "catalog"; readonly catalog: CatalogDocument }
  | { readonly kind: "unusable" }
) &
  Verdicts & {
    /** For the log: a sentence. */
    readonly outcome: string;
  };

export interface NothingPublished {
  readonly kind: "nothing";
  readonly outcome: string;
}

export interface ToBeJudged {
  readonly text: string | JsonValue;
  /** True when the text is the beginning of a larger one. */
  readonly cut?: boolean;
  /** False when its bytes were not UTF-8. */
  readonly utf8?: boolean;
  /** The URL that answered: what is relative resolves on it. */
  readonly url: string;
}

const TOO_LARGE: Diagnostic = {
  code: "too-large",
  severity: "error",
  pointer: "",
  message: `the document is larger than ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB`,
};

const NOT_UTF_8: Diagnostic = {
  code: "not-utf-8",
  severity: "error",
  pointer: "",
  message: "the bytes are not UTF-8",
};

/** Leniency with charsets and sizes reads more, and takes nothing from the first verdict. */
export function judgeDocument(document: ToBeJudged): Judged | NothingPublished {
  const judged = judgeText(document);
  if (judged.kind === "nothing" || document.utf8 !== false) return judged;
  return { ...judged, conformant: false, diagnostics: [NOT_UTF_8, ...judged.diagnostics] };
}

function judgeText(document: ToBeJudged): Judged | NothingPublished {
  if (document.cut === true) return judgeCut(document);
  switch (sniffDocument(document.text)) {
    case "html":
      return nothing("a page, not a document: nothing is published here");
    case "not-json":
      return document.text === "" ? nothing("an empty answer") : nothing("neither JSON nor a page");
    case "descriptor":
      return judgeOpenmcp(document);
    case "mcp-catalog":
    case "ai-catalog":
      return judgeCatalog(readCatalog(document.text, { url: document.url }), []);
    case "registry-server":
      return judgeRegistry(document.text);
    case "server-card":
    case "legacy-server-card":
      return judgeCard(document);
    case "registry-page":
      return nothing("a page of a registry's list: `openmcp import registry` reads those");
    case "unknown":
      return nothing("JSON, but no discovery document");
  }
}

/** Of a catalog the whole entries that came are kept; any other document that is too large is not read. */
function judgeCut({ text, url }: ToBeJudged): Judged | NothingPublished {
  if (typeof text !== "string" || /^[\s\uFEFF]*</.test(text.slice(0, 1_000))) {
    return nothing("a page, not a document: nothing is published here");
  }
  const shortened = cutCatalog(text);
  if (shortened === null) return unusable([TOO_LARGE], "larger than 1 MiB, and not read on");
  return judgeCatalog(readCatalog(shortened, { url }), [TOO_LARGE]);
}

function judgeOpenmcp({ text, url }: ToBeJudged): Judged {
  const reading = parseDescriptor(typeof text === "string" ? text : JSON.stringify(text), url);
  const { conformant, diagnostics } = lintDocument(text, { url });
  const problem = reading.ok ? endpointProblem(reading.endpoint) : reading.problem;
  if (!reading.ok || problem !== null) return unusable(diagnostics, `no descriptor: ${problem}`);
  const { descriptor, endpoint } = reading;
  return {
    kind: "descriptor",
    descriptor,
    endpoint,
    conformant,
    usable: true,
    diagnostics,
    outcome: `a descriptor that names ${endpoint}`,
  };
}

function endpointProblem(endpoint: string): string | null {
  if (endpoint.length > MAX_ENDPOINT_CHARS) return `"mcp" is longer than ${MAX_ENDPOINT_CHARS} characters`;
  try {
    return canonicalEndpoint(endpoint) === "" ? '"mcp" names no host' : null;
  } catch {
    return '"mcp" names no host';
  }
}

function judgeCatalog(reading: CatalogReading, more: readonly Diagnostic[]): Judged {
  const diagnostics = [...more, ...reading.diagnostics];
  if (reading.value === null)
    return unusable(diagnostics, firstError(diagnostics, "no catalog that can be read"));
  const { dialect, entries, total, dropped, cut } = reading.value;
  const left = [
    ...(dropped === 0 ? [] : [`${dropped} left out`]),
    ...(cut === 0 ? [] : [`${cut} not looked at`]),
    ...(more.length === 0 ? [] : ["more behind 1 MiB"]),
  ];
  const name = dialect === "mcp-catalog" ? "an MCP Catalog" : "an AI Catalog";
  const size = entries.length === total ? `${total}` : `${entries.length} of ${total}`;
  return {
    kind: "catalog",
    catalog: reading.value,
    conformant: reading.conformant && more.length === 0,
    usable: reading.usable,
    diagnostics,
    outcome: `${name} of ${size} ${total === 1 ? "entry" : "entries"}${left.length === 0 ? "" : ` (${left.join(", ")})`}`,
  };
}

function judgeCard({ text, url }: ToBeJudged): Judged {
  const { value, shape, conformant, usable, diagnostics } = readServerCard(text, { url });
  if (value === null || shape === null)
    return unusable(diagnostics, firstError(diagnostics, "no Server Card that can be read"));
  const old = shape === "v1" ? "" : " in an older shape";
  return {
    kind: "server-card",
    card: value,
    shape,
    conformant,
    usable,
    diagnostics,
    outcome: `a Server Card of ${value.name}${old}`,
  };
}

function judgeRegistry(text: ToBeJudged["text"]): Judged {
  const { value, conformant, usable, diagnostics } = readRegistryServer(text);
  if (value === null)
    return unusable(diagnostics, firstError(diagnostics, "no server.json that can be read"));
  return {
    kind: "server-card",
    card: cardOf(value.server),
    shape: "registry",
    conformant,
    usable,
    diagnostics,
    outcome: `a server.json of ${value.server.name}`,
  };
}

/** A server.json has what a card has; what is installed on one's own machine stays in it, and is not read. */
function cardOf(server: RegistryServer): ServerCard {
  return { ...server, $schema: SERVER_CARD_SCHEMA };
}

function firstError(diagnostics: readonly Diagnostic[], otherwise: string): string {
  return diagnostics.find(({ severity }) => severity === "error")?.message ?? otherwise;
}

function unusable(diagnostics: readonly Diagnostic[], outcome: string): Judged {
  return { kind: "unusable", conformant: false, usable: false, diagnostics, outcome };
}

function nothing(outcome: string): NothingPublished {
  return { kind: "nothing", outcome };
}
