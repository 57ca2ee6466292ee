/**
 * A catalog for tests of the doors: the real operations over a real SQLite store and the real network, on loopback.
 * What a test lists without a relay is written into the store as a probe would have written it.
 */
import { randomUUID } from "node:crypto";
import { createAdaptorServer } from "@hono/node-server";
import type { CatalogContext } from "../../src/catalog/index.ts";
import { mcpDoor } from "../../src/doors/mcp/index.ts";
import { pagesDoor } from "../../src/doors/pages/index.ts";
import { restDoor } from "../../src/doors/rest/index.ts";
import { wellKnownDoor } from "../../src/doors/well-known/index.ts";
import { createGate, type Door, mountDoors } from "../../src/http/index.ts";
import { createExchange } from "../../src/net/index.ts";
import {
  canonicalEndpoint,
  type Logger,
  type RelayRecord,
  recordEndpoint,
  relayId,
  silentMeter,
  silentTracer,
  type ToolDefinition,
} from "../../src/spec/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";

export const ADMIN_TOKEN = "correct-horse";
export const NOW = Date.UTC(2026, 10, 30);

export interface LogLine {
  readonly level: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export interface CatalogFixture extends AsyncDisposable {
  readonly context: CatalogContext;
  readonly log: readonly LogLine[];
  /** Lists a relay without asking it. */
  list(endpoint: string, options?: Partial<RelayRecord>): Promise<RelayRecord>;
  /** Brings the search index up to date. */
  index(): Promise<void>;
}

export async function openCatalog(
  identity: Partial<CatalogContext["identity"]> = {},
  { db = ":memory:" }: { readonly db?: string } = {},
): Promise<CatalogFixture> {
  const store = await openSqliteStore({ path: db });
  const exchange = createExchange({ allowLoopback: true, allowNetworks: [] });
  const log: LogLine[] = [];
  const write =
    (level: string): Logger["info"] =>
    (fields, message) =>
      void log.push({ level, fields, message });
  const context: CatalogContext = {
    identity: {
      name: "Test catalog",
      description: "A catalog for tests.",
      url: "http://127.0.0.1:8790",
      operator: null,
      version: "0.1.0",
      ...identity,
    },
    store,
    exchange: exchange.exchange,
    clock: { now: () => NOW, sleep: () => Promise.resolve() },
    logger: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
    meter: silentMeter,
    tracer: silentTracer,
    newId: randomUUID,
  };
  return {
    context,
    log,
    async list(endpoint, options = {}) {
      const record = recordOf(endpoint, options);
      const outcome = await store.relays.save({
        record,
        endpoint: canonicalEndpoint(recordEndpoint(record)),
        hints: null,
        revision: null,
        events: [{ id: randomUUID(), event: "relay.registered" }],
        now: NOW,
      });
      if (!outcome.ok) throw new Error(`not listed: ${outcome.conflict}`);
      return record;
    },
    async index() {
      while ((await store.searchIndex.step()).pending > 0);
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await exchange.close();
    },
  };
}

/** A response's JSON, read as whoever reads it does. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export async function json(response: Response | Promise<Response>): Promise<any> {
  return (await response).json();
}

export function tool(name: string, description = `Does ${name}.`): ToolDefinition {
  return { name, description, inputSchema: { type: "object", properties: { text: { type: "string" } } } };
}

function recordOf(endpoint: string, options: Partial<RelayRecord>): RelayRecord {
  const at = new Date(NOW).toISOString();
  return {
    id: relayId(endpoint),
    source: endpoint,
    descriptor: { mcp: endpoint, name: relayId(endpoint) },
    tools: [tool("echo")],
    server: { name: "fake", version: "1.0.0", protocolVersion: "2026-07-28" },
    verified: true,
    online: true,
    seenAt: at,
    firstSeenAt: at,
    failures: 0,
    lastError: null,
    via: null,
    probe: {
      state: "online",
      era: "2026-07-28",
      transport: "streamable-http",
      httpStatus: 200,
      latencyMs: 1,
      at,
      nextAt: null,
      attempts: 1,
      verifiedBy: "openmcp",
      toolsHash: null,
      toolsTruncated: false,
    },
    toolsFrom: "relay",
    ...options,
  };
}

export interface ServedCatalog extends AsyncDisposable {
  readonly url: string;
}

/** All doors behind one socket, as the server composes them. They answer to its address too: what a proxy asks, it asks by name. */
export async function serveDoors(
  context: CatalogContext,
  { port = 0 }: { readonly port?: number } = {},
): Promise<ServedCatalog> {
  const gate = createGate({ url: context.identity.url, hosts: ["127.0.0.1"] });
  const mcp = mcpDoor({ context, gate });
  const rest = restDoor({ context, gate, adminToken: ADMIN_TOKEN });
  const wellKnown = wellKnownDoor({ context, gate, tools: mcp.tools });
  const pages = pagesDoor({ context, gate });
  const door: Door = mountDoors({
    doors: [
      ["/v1", rest.fetch],
      ["/v0.1", rest.fetch],
      ["/healthz", rest.fetch],
      ["/readyz", rest.fetch],
      ["/mcp/server-card", wellKnown.fetch],
      ["/mcp", mcp.fetch],
      ["/.well-known", wellKnown.fetch],
    ],
    otherwise: pages.fetch,
  });
  const server = createAdaptorServer({ fetch: (request) => door(request) });
  const url = await new Promise<string>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(`http://127.0.0.1:${address.port}`);
    });
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      await mcp.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
    },
  };
}
