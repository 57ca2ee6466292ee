/** The catalog's descriptor: a relay's, with the key that only a catalog has (OpenMCP 0.1 "The catalog"). */
import { type CallContext, type CatalogContext, operations, runOperation } from "../../catalog/index.ts";

export async function catalogDescriptor(
  context: CatalogContext,
  { tools, call }: { readonly tools: readonly string[]; readonly call: CallContext },
): Promise<object> {
  const { identity } = context;
  const [{ relays, online }, { peers }] = await Promise.all([
    runOperation(operations.counts, { context, input: {}, call }),
    runOperation(operations.peers, { context, input: {}, call }),
  ]);
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
