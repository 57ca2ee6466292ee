/**
 * The catalog's own descriptor at `/.well-known/openmcp.json` (OpenMCP 0.1 "The catalog"), served as discovery.md's
 * "Serving" rules: any origin may read it, Host is checked and Origin is not, a plain GET works whatever `Accept` says.
 * Every URL in it comes from the configured public URL, never from a request. The server mounts it at /.well-known.
 */
import { Hono } from "hono";
import {
  type CallContext,
  type CatalogContext,
  operations,
  requestIdOf,
  runOperation,
} from "../../catalog/index.ts";
import {
  createFailures,
  createGate,
  documentCors,
  type Gate,
  methodNotAllowed,
  optionsReply,
  readReply,
} from "../../http/index.ts";
import { type CountsOutput, DESCRIPTOR_PATH, OpenMcpError, type PeersOutput } from "../../spec/index.ts";

export interface WellKnownDoorOptions {
  readonly context: CatalogContext;
  /** The names of the tools at the catalog's own MCP endpoint. */
  readonly tools: readonly string[];
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
}

const READS = ["GET", "HEAD"];
const REPLY = { headers: documentCors, cacheControl: "public, max-age=3600" };

/** What is told here is read at once: nobody goes away meanwhile, and the adapter need not make each request a signal. */
const call: CallContext = { signal: new AbortController().signal, admin: false };

/** A Hono app; `app.fetch` is the door. */
export function wellKnownDoor({ context, tools, gate: given }: WellKnownDoorOptions): Hono {
  const { identity } = context;
  const gate = given ?? createGate({ url: identity.url });
  const { logger } = context;
  const failed = createFailures({
    logger,
    newId: requestIdOf(context),
    message: "a well-known request failed",
  });
  const app = new Hono();
  let told: { readonly facts: string; readonly text: string } | null = null;

  /** The text is made again when it would be another one. */
  function textOf(facts: Facts): string {
    const key = `${facts.relays} ${facts.online} ${facts.peers.map((peer) => peer.url).join(" ")}`;
    if (told?.facts !== key) told = { facts: key, text: JSON.stringify(descriptorOf(context, facts)) };
    return told.text;
  }

  // Each handler checks the host itself: as a handler before the others it would cost every answer a chain of promises.
  app.get(DESCRIPTOR_PATH, async (c) => {
    gate.checkHost(c.req.raw);
    const [counts, { peers }] = await Promise.all([
      runOperation(operations.counts, { context, input: {}, call }),
      runOperation(operations.peers, { context, input: {}, call }),
    ]);
    return readReply(c.req.raw, textOf({ tools, peers, ...counts }), REPLY);
  });
  app.options(DESCRIPTOR_PATH, (c) => {
    gate.checkHost(c.req.raw);
    return optionsReply(READS);
  });
  app.all(DESCRIPTOR_PATH, (c) => {
    gate.checkHost(c.req.raw);
    throw methodNotAllowed(c.req.method.slice(0, 20), READS);
  });
  app.notFound((c) => {
    gate.checkHost(c.req.raw);
    throw new OpenMcpError(
      "not-found",
      `nothing is published here; the catalog's descriptor is at ${DESCRIPTOR_PATH}`,
    );
  });
  app.onError((error) => failed(error));
  return app;
}

type Facts = CountsOutput & PeersOutput & { readonly tools: readonly string[] };

function descriptorOf({ identity }: CatalogContext, { tools, relays, online, peers }: Facts): object {
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
