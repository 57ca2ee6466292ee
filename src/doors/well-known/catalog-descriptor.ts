/**
 * The catalog's descriptor: a relay's, with the key that only a catalog has (OpenMCP 0.1 "The catalog"). Its text is made again
 * only when it would be another one: it is the most read of all documents.
 */
import { type CallContext, type CatalogContext, operations, runOperation } from "../../catalog/index.ts";
import type { CountsOutput, PeersOutput } from "../../spec/index.ts";

type Facts = CountsOutput & PeersOutput;

/** Gives the text as it is now. */
export function createDescriptor(
  context: CatalogContext,
  tools: readonly string[],
): (call: CallContext) => Promise<string> {
  let told: { readonly facts: string; readonly text: string } | null = null;

  return async (call) => {
    const [counts, peers] = await Promise.all([
      runOperation(operations.counts, { context, input: {}, call }),
      runOperation(operations.peers, { context, input: {}, call }),
    ]);
    const facts = { ...counts, ...peers };
    const key = `${facts.relays} ${facts.online} ${facts.peers.map((peer) => peer.url).join(" ")}`;
    if (told?.facts !== key)
      told = { facts: key, text: JSON.stringify(descriptorOf(context, { tools, ...facts })) };
    return told.text;
  };
}

function descriptorOf(
  { identity }: CatalogContext,
  { tools, relays, online, peers }: Facts & { readonly tools: readonly string[] },
): object {
  return {
    openmcp: "0.1",
    mcp: `${identity.url}/mcp`,
    name: identity.name,
    description: identity.description,
    url: identity.url,
    auth: { kind: "none" },
    tags: ["catalog", "mcp"],
    ...(identity.operator === null ? {} : { operator: identity.operator }),
    tools,
    catalog: { relays, online, api: `${identity.url}/v1`, peers: peers.map((peer) => peer.url) },
  };
}
