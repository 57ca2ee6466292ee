/**
 * The ceiling of registering: what no catalog can leave out. A POST names an endpoint; its descriptor and its tools are read with
 * `undici.request` in three exchanges, parsed, written to SQLite in one transaction (the record, a row for each tool, the change),
 * and answered. Nothing is judged, checked, bounded, hashed, indexed, counted or logged.
 * `registrar.ts <database>`
 */
import { DatabaseSync } from "node:sqlite";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Agent, request } from "undici";

const database = new DatabaseSync(process.argv[2] ?? ":memory:");
database.exec(`pragma journal_mode = wal; pragma synchronous = normal;
  create table relay (id integer primary key, endpoint text unique, json text);
  create table tool (relay integer, name text, json text, primary key (relay, name));
  create table change (id integer primary key, relay integer, event text, json text)`);
const begin = database.prepare("begin immediate");
const commit = database.prepare("commit");
const addRelay = database.prepare("insert into relay (endpoint, json) values (?, ?) returning id");
const addTool = database.prepare("insert into tool values (?, ?, ?)");
const addChange = database.prepare("insert into change (relay, event, json) values (?, ?, ?)");

const dispatcher = new Agent({ connections: 1, keepAliveTimeout: 1_000 });
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
};

async function post(url: string, method: string): Promise<{ tools?: { name: string }[] }> {
  const answer = await request(url, {
    dispatcher,
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta: meta } }),
  });
  return ((await answer.body.json()) as { result: { tools?: { name: string }[] } }).result;
}

const app = new Hono();
app.post("/v1/relays", async (context) => {
  const { url } = (await context.req.json()) as { url: string };
  const document = await request(new URL("/.well-known/openmcp.json", url), { dispatcher });
  const descriptor = await document.body.json();
  const server = await post(url, "server/discover");
  const { tools = [] } = await post(url, "tools/list");
  const record = JSON.stringify({ ok: true, relay: { descriptor, server, tools } });
  begin.run();
  const { id } = addRelay.get(url, record) as { id: number };
  for (const tool of tools) addTool.run(id, tool.name, JSON.stringify(tool));
  addChange.run(id, "relay.registered", record);
  commit.run();
  return context.body(record, 201, { "content-type": "application/json" });
});
process.on("disconnect", () => process.exit(0));
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, (info) => {
  process.send?.({ url: `http://127.0.0.1:${info.port}` });
});
