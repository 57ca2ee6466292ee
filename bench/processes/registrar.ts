/**
 * The ceiling of registering: what no catalog can leave out. A POST names an endpoint; its descriptor and its tools are read with
 * `undici.request` in three exchanges, parsed, written to SQLite in one transaction (the record, a row for each tool, the change),
 * and answered. Nothing is judged, checked, bounded, hashed, indexed, counted or logged.
 * `registrar.ts <database>`
 */
import { DatabaseSync } from "node:sqlite";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { post, readDescriptor } from "../lib/exchanges.ts";

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

interface Answer {
  readonly result: { readonly tools?: readonly { readonly name: string }[] };
}

async function ask(url: string, method: string): Promise<Answer["result"]> {
  return (JSON.parse(await post(url, method)) as Answer).result;
}

const app = new Hono();
app.post("/v1/relays", async (context) => {
  const { url } = (await context.req.json()) as { url: string };
  const descriptor: unknown = JSON.parse(await readDescriptor(url));
  const server = await ask(url, "server/discover");
  const { tools = [] } = await ask(url, "tools/list");
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
