/** What a word names: a URL, a relay of the catalog by its id, or nothing, which is the catalog itself. */
import { describe, OpenMcpError, recordEndpoint, urlFaults } from "../../spec/index.ts";
import { openCatalog } from "../catalog.ts";
import type { Shell } from "../shell.ts";

export interface NamedEndpoint {
  readonly url: string;
  /** Of a relay: its id. */
  readonly relay: string | null;
  /** Of a relay: its endpoint through the catalog. */
  readonly passage: string | null;
  /** As the relay states it. */
  readonly auth: string | null;
}

export function isUrl(word: string): boolean {
  return /^https?:\/\//i.test(word);
}

/** @throws OpenMcpError `invalid-input` for a URL of another kind, which would be taken for a command or an id; it may hold a credential. */
export function assertNoOtherUrl(word: string): void {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(word)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === "http" || scheme === "https") return;
  throw new OpenMcpError("invalid-input", `An endpoint is an http or https URL, not one of ${scheme}.`, {
    data: { field: "target" },
  });
}

/** A word that can only be an id: no URL, and nothing of a path in it. */
export function isRelayId(words: readonly string[]): boolean {
  const [first = ""] = words;
  return words.length === 1 && !isUrl(first) && !/[\\/]/.test(first);
}

export async function endpointOf(shell: Shell, word: string | undefined): Promise<NamedEndpoint> {
  if (word !== undefined) assertNoOtherUrl(word);
  if (word !== undefined && isUrl(word)) {
    const [fault] = urlFaults(word, { local: true });
    if (fault !== undefined) {
      throw new OpenMcpError(
        "invalid-input",
        "Leave credentials out of the URL: give them with --relay-token or --header.",
        {
          data: { field: "target" },
        },
      );
    }
    return { url: word, relay: null, passage: null, auth: null };
  }
  await using catalog = openCatalog(shell);
  if (word === undefined) return { url: `${catalog.base}/mcp`, relay: null, passage: null, auth: null };
  const record = await catalog.get(word);
  const { auth } = describe(record.descriptor, record.source);
  const passage = `${catalog.base}/v1/relays/${encodeURIComponent(record.id)}/mcp`;
  return { url: recordEndpoint(record), relay: record.id, passage, auth };
}
