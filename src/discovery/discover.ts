/**
 * From a domain or a URL to the servers behind it: what is published, what runs, and where the two contradict each other
 * (discovery.md "The client's flow"). It connects only to what documents or a person named; a document is never a reason to
 * trust a server, and "nothing published" is an answer.
 */
import { OpenMcpError } from "../spec/index.ts";
import type { DocumentReader } from "./document-reader.ts";
import { eachOf } from "./each-of.ts";
import { parseGivenUrl } from "./given-url.ts";
import { AT_ONCE } from "./limits.ts";
import { defaultLimits, type PublishedOptions, readPublished } from "./published.ts";
import { contradictionsOf } from "./reconcile.ts";
import { chainsOf, draftServers, namesOf, type ServerDraft } from "./servers.ts";
import type { DiscoveredServer, DiscoverOptions, Discovery, LiveAnswer } from "./types.ts";

/**
 * Reads what `domainOrUrl` publishes: its descriptor, catalogs, cards, whatever leads to them; asks the servers that are named.
 * Nothing that an origin does rejects: it is in the log.
 * @throws OpenMcpError `invalid-input` when `domainOrUrl` is no URL, `aborted` when the signal fires.
 * @example
 * ```ts
 * import { discover } from "openmcp/discovery";
 *
 * const { servers, requests } = await discover("example.com", { fetch: (url, init) => fetch(url, init) });
 * for (const server of servers) console.log(server.endpoint, server.names, server.conformant);
 * ```
 */
export async function discover(domainOrUrl: string, options: DiscoverOptions): Promise<Discovery> {
  const given = parseGivenUrl(domainOrUrl);
  if (!given.ok) {
    throw new OpenMcpError("invalid-input", `"url": ${given.problem}`, { data: { field: "url" } });
  }
  return readOrigin(given.url, options);
}

/** The same from a URL that is read already, `parseGivenUrl`'s; of its origin's files some may be left out. */
export async function readOrigin(
  url: string,
  options: DiscoverOptions & PublishedOptions,
): Promise<Discovery> {
  const { reader, publications, givenEndpoint } = await readPublished(url, options);
  const { documents, others, dangling } = publications;
  const drafts = draftServers(documents, {
    inputs: options.inputs ?? {},
    given: givenEndpoint === null ? [] : [givenEndpoint],
    onCut: (message) => reader.cut("remotes", message),
  });
  const answers = await look(drafts, { reader, options });
  const servers = drafts.map((draft, at) => serverOf(draft, answers[at] ?? null)).filter(isServer);
  const { requests, cuts } = reader;
  const found = documents.length > 0 || servers.some(({ live }) => runs(live));
  const silent = requests.some(({ result }) => result !== "nothing") || servers.length > 0;
  const verdict = found ? "found" : silent ? "unknown" : "nothing";
  return { url, verdict, documents, servers, others, dangling, cuts, requests };
}

async function look(
  drafts: readonly ServerDraft[],
  { reader, options }: { readonly reader: DocumentReader; readonly options: DiscoverOptions },
): Promise<readonly (LiveAnswer | null)[]> {
  const { ask, signal } = options;
  const most = options.limits?.looks ?? defaultLimits.looks;
  let looks = 0;
  return eachOf(drafts, AT_ONCE, async ({ endpoint }) => {
    if (ask === undefined || endpoint === null) return null;
    if (looks >= most) {
      reader.cut("looks", `Only the first ${most} servers were asked whether they run.`);
      return null;
    }
    if (!reader.hasTime()) return null;
    looks += 1;
    options.onLook?.(endpoint);
    return ask(endpoint, { signal });
  });
}

function serverOf(draft: ServerDraft, live: LiveAnswer | null): DiscoveredServer {
  const { endpoint, remote, headers, missing, documents } = draft;
  return {
    endpoint,
    remote,
    headers,
    missing,
    ...namesOf(draft),
    documents: documents.map(({ url }) => url),
    conformant: documents.length > 0 && documents.every(({ conformant }) => conformant),
    usable: endpoint !== null,
    live,
    contradictions: contradictionsOf(draft, live),
    chains: chainsOf(draft),
  };
}

/** What a person named is a server when something speaks MCP there, or nothing is known of it. */
function isServer({ documents, live }: DiscoveredServer): boolean {
  return documents.length > 0 || (live !== null && live.state !== "not-mcp");
}

function runs(live: LiveAnswer | null): boolean {
  return live !== null && (live.state === "online" || live.state === "auth-required");
}
