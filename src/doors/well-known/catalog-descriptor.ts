/**
 * The catalog's descriptor: a relay's, with the key that only a catalog has (OpenMCP 0.1 "The catalog"). It is the most read of all
 * documents: its facts are read again when relays changed or a moment has passed, its text is made again when it would be another one.
 */
import { type CallContext, type CatalogContext, operations, runOperation } from "../../catalog/index.ts";
import { strongEtag } from "../../http/index.ts";
import type { CountsOutput, PeersOutput } from "../../spec/index.ts";
import { FACTS_KEPT_MS } from "./limits.ts";

type Facts = CountsOutput & PeersOutput;

/** A text with its strong tag. */
export interface DescriptorText {
  readonly body: string;
  readonly etag: string;
}

/** Gives the text as it is now. */
export function createDescriptor(
  context: CatalogContext,
  tools: readonly string[],
): (call: CallContext) => Promise<DescriptorText> {
  let made: (DescriptorText & { readonly facts: string }) | null = null;
  let known: { readonly at: number; readonly text: Promise<DescriptorText> } | null = null;
  context.store.changes.onAppend(() => {
    known = null;
  });

  async function read(call: CallContext): Promise<DescriptorText> {
    const [counts, peers] = await Promise.all([
      runOperation(operations.counts, { context, input: {}, call }),
      runOperation(operations.peers, { context, input: {}, call }),
    ]);
    const facts = { ...counts, ...peers };
    const key = `${facts.relays} ${facts.online} ${facts.peers.map((peer) => peer.url).join(" ")}`;
    if (made?.facts !== key) {
      const body = JSON.stringify(descriptorOf(context, { tools, ...facts }));
      made = { facts: key, body, etag: strongEtag(body) };
    }
    return made;
  }

  return (call) => {
    const now = context.clock.now();
    if (known !== null && now >= known.at && now - known.at < FACTS_KEPT_MS) return known.text;
    const reading = { at: now, text: read(call) };
    known = reading;
    reading.text.catch(() => {
      if (known === reading) known = null;
    });
    return reading.text;
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
