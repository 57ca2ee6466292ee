/**
 * The relay's own word, found out once: what it is called, taken from its description or asked of its own server, and the documents
 * made of it for each base URL. What may not be published is refused before anything is served.
 */
import { isJsonObject, OpenMcpError } from "../spec/index.ts";
import { type Documents, factsOf, makeDocuments, type ServerFacts } from "./description.ts";
import { MAX_REMEMBERED_BASES } from "./limits.ts";
import type { KitDescription, ServeOptions } from "./options.ts";
import { askServer, type ServeModern } from "./routes/read-tools.ts";

export interface OwnWord {
  facts(): Promise<ServerFacts>;
  /** For the endpoint at this URL. */
  documents(endpointUrl: string): Promise<Documents>;
}

const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** @throws OpenMcpError `invalid-input` for what is known already and must not be published. */
export function createOwnWord(
  options: Pick<ServeOptions<never, never>, "description" | "authenticate" | "oauth">,
  { endpointUrl, ask }: { readonly endpointUrl: string; readonly ask: ServeModern },
): OwnWord {
  const description: KitDescription = {
    ...(options.oauth === undefined ? {} : { auth: { kind: "oauth" } }),
    ...options.description,
  };
  const { name, version } = description;
  const stated =
    name === undefined || version === undefined
      ? null
      : factsOf({ name: name.slice(name.lastIndexOf("/") + 1), version }, { description });
  if (stated === null && options.authenticate !== undefined) {
    throw new OpenMcpError(
      "invalid-input",
      "with `authenticate` the server is made for users only: give description.name and description.version",
      { data: { field: "description" } },
    );
  }
  const made = new Map<string, Documents>();
  if (stated !== null) make(endpointUrl, stated);

  function make(url: string, facts: ServerFacts): Documents {
    const documents = makeDocuments(url, { facts, description });
    if (made.size < MAX_REMEMBERED_BASES) made.set(url, documents);
    return documents;
  }

  let asked: Promise<ServerFacts> | null = null;
  function facts(): Promise<ServerFacts> {
    if (stated !== null) return Promise.resolve(stated);
    asked ??= askFacts().catch((error: unknown) => {
      asked = null;
      throw error;
    });
    return asked;
  }

  async function askFacts(): Promise<ServerFacts> {
    const { serverInfo, _meta } = await askServer(new Request(endpointUrl), {
      method: "server/discover",
      viewer: { user: undefined },
      serve: ask,
    });
    const info = isJsonObject(serverInfo) ? serverInfo : isJsonObject(_meta) ? _meta[SERVER_INFO] : undefined;
    return factsOf(info as unknown as ServerFacts, { description });
  }

  return {
    facts,
    documents: async (url) => made.get(url) ?? make(url, await facts()),
  };
}
