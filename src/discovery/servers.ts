/**
 * From documents to servers: a remote is a server, and remotes of one URL are one, under however many names and documents. Pure.
 */
import { canonicalEndpoint, describe, fillRemote, type InputProblem, type Remote } from "../spec/index.ts";
import { MAX_REMOTES_A_CARD } from "./limits.ts";
import type { CardDocument, DescriptorDocument, DiscoveredDocument, ServerChain } from "./types.ts";

/** A server before it is asked. */
export interface ServerDraft {
  readonly endpoint: string | null;
  readonly remote: Remote | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly missing: readonly InputProblem[];
  readonly documents: readonly (CardDocument | DescriptorDocument)[];
  /** What each card says of this endpoint, by the document's URL. */
  readonly remotes: ReadonlyMap<string, Remote>;
}

type Server = Omit<ServerDraft, "documents" | "remotes">;

interface Growing extends ServerDraft {
  documents: (CardDocument | DescriptorDocument)[];
  remote: Remote | null;
  headers: Readonly<Record<string, string>>;
  readonly remotes: Map<string, Remote>;
}

export interface DraftOptions {
  readonly inputs: Readonly<Record<string, string>>;
  /** Endpoints that a person named. */
  readonly given: readonly string[];
  /** Told when a card has more remotes than are taken. */
  readonly onCut: (message: string) => void;
}

/** In the order of the documents; what a person named and no document knows comes last. */
export function draftServers(
  documents: readonly DiscoveredDocument[],
  { inputs, given, onCut }: DraftOptions,
): readonly ServerDraft[] {
  const drafts = new Map<string, Growing>();

  function add(key: string, server: Server, document: Growing["documents"][number] | null) {
    const draft: Growing = drafts.get(key) ?? { ...server, documents: [], remotes: new Map() };
    drafts.set(key, draft);
    if (document !== null && !draft.documents.includes(document)) draft.documents.push(document);
    if (document === null || server.remote === null) return;
    draft.remotes.set(document.url, server.remote);
    // A card says how to connect; a descriptor only where.
    if (draft.remote === null) Object.assign(draft, { remote: server.remote, headers: server.headers });
  }

  for (const document of documents) {
    if (document.kind === "descriptor") {
      add(keyOf(document.endpoint), bare(document.endpoint), document);
    } else if (document.kind === "server-card") {
      const remotes = remotesOf(document, onCut);
      if (remotes.length === 0) add(`card ${document.url}`, bare(null), document);
      for (const remote of remotes) {
        const server = filled(remote, inputs);
        // Two that lack the same may be one; what one lacks the other need not.
        const template = JSON.stringify([remote.url, server.missing]);
        add(server.endpoint === null ? `template ${template}` : keyOf(server.endpoint), server, document);
      }
    }
  }
  for (const endpoint of given) add(keyOf(endpoint), bare(endpoint), null);
  return [...drafts.values()];
}

/** Listed by A, hosted by B, runs at C: one for each way that leads to one of its documents. */
export function chainsOf({ documents, endpoint }: ServerDraft): readonly ServerChain[] {
  const chains = new Map<string, ServerChain>();
  for (const { answeredBy, routes } of documents) {
    for (const { through } of routes) {
      const chain = { listedBy: through.at(-1) ?? null, hostedBy: answeredBy, runsAt: endpoint };
      chains.set(JSON.stringify(chain), chain);
    }
  }
  return [...chains.values()];
}

/** What its documents call it. */
export function namesOf({ documents }: ServerDraft) {
  const names = new Set<string>();
  let title: string | null = null;
  let description: string | null = null;
  let version: string | null = null;
  for (const document of documents) {
    if (document.kind === "server-card") {
      const { card, routes } = document;
      names.add(card.name);
      title ??=
        card.title ?? routes.find(({ entry }) => entry?.displayName != null)?.entry?.displayName ?? null;
      description ??= card.description;
      version ??= card.version;
    } else {
      const facts = describe(document.descriptor, document.answeredBy);
      if (facts.name !== null) names.add(facts.name);
      description ??= facts.description;
    }
  }
  return { names: [...names], title, description, version };
}

/** Streamable HTTP where a card has it: the older transport beside it is the same server's. */
function remotesOf(document: CardDocument, onCut: (message: string) => void): readonly Remote[] {
  const all = document.card.remotes ?? [];
  const streamable = all.filter(({ type }) => type === "streamable-http");
  const remotes = streamable.length === 0 ? all : streamable;
  if (remotes.length > MAX_REMOTES_A_CARD) {
    onCut(`${document.url} names ${remotes.length} remotes: the first ${MAX_REMOTES_A_CARD} were taken.`);
  }
  return remotes.slice(0, MAX_REMOTES_A_CARD);
}

function filled(remote: Remote, inputs: DraftOptions["inputs"]): Server {
  const filling = fillRemote(remote, inputs);
  return filling.ok
    ? { endpoint: filling.url, remote, headers: filling.headers, missing: [] }
    : { endpoint: null, remote, headers: {}, missing: filling.problems };
}

function bare(endpoint: string | null): Server {
  return { endpoint, remote: null, headers: {}, missing: [] };
}

/** One relay however its URL is written. What has no canonical form is itself. */
function keyOf(endpoint: string): string {
  try {
    return canonicalEndpoint(endpoint);
  } catch {
    return endpoint;
  }
}
