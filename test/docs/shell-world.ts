/**
 * The places that the pages speak of, on this machine: a catalog with relays in it, another catalog, a registry, a site, a receiver,
 * a real MCP server, and a folder to type in. Every public name stands for one of them.
 */
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { buildCommand } from "../../build/command.ts";
import { CatalogClient } from "../../src/client/index.ts";
import { parseServeOptions, startCatalog } from "../../src/server/index.ts";
import { relayId, sign, type ToolDefinition } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { card } from "../discovery/site.ts";
import { entryAt, startFakeRegistry } from "../imports/fake-registry.ts";
import { startProcess } from "../real-servers/start-process.ts";
import { root } from "./shell-lines.ts";

const ADMIN = "sesame";

export interface ShellWorld extends AsyncDisposable {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly catalog: string;
  /** The text with the places of this machine, and what its reader would fill in. */
  here(text: string): Promise<string>;
  /** What puts a relay into an application, for lines that say what is there. */
  readonly installed: string;
  /** Lists again what a line before may have removed. */
  restock(): Promise<void>;
}

export async function startShellWorld(): Promise<ShellWorld> {
  const stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "openmcp-pages-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const weather = stack.use(
    await startFakeRelay({
      descriptor: { mcp: "/mcp", name: "Weather", tags: ["weather"], auth: { kind: "none" } },
      tools: weatherTools,
    }),
  );
  const board = stack.use(
    await startFakeRelay({
      descriptor: {
        mcp: "/mcp",
        name: "Board",
        tags: ["jobs"],
        auth: { kind: "bearer" },
        tools: ["search_jobs", "post_job"],
      },
      tools: [
        { name: "search_jobs", inputSchema: { type: "object" } },
        { name: "post_job", inputSchema: { type: "object" } },
      ],
    }),
  );
  const everything = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  const server = stack.use(
    await startProcess({
      args: () => [everything, "streamableHttp"],
      env: (port) => ({ PORT: String(port) }),
    }),
  );
  const registry = await startFakeRegistry({
    count: 3,
    entry: (index) => entryAt(`x/${index}`, index === 0 ? [weather.url] : []),
  });
  stack.defer(() => registry.close());
  const quiet = { port: 0, refresh: "off", peerSync: "off", logLevel: "silent", limits: "off" };
  const catalog = await startCatalog(
    parseServeOptions({
      ...quiet,
      db: join(folder, "running.db"),
      adminToken: ADMIN,
      registry: registry.url,
    }),
  );
  stack.defer(() => catalog.close());
  const other = await startCatalog(parseServeOptions({ ...quiet, db: ":memory:" }));
  stack.defer(() => other.close());
  const client = stack.use(new CatalogClient(catalog.url, { token: ADMIN }));
  const receiver = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  stack.defer(() => new Promise((resolve) => receiver.close(() => resolve())));
  const received = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

  const site = (url: string) => new URL(url).origin;
  const host = (url: string) => new URL(url).host;
  const ids = { weather: relayId(weather.url), board: relayId(board.url), server: relayId(server.url) };
  const name = ids.weather.replaceAll(".", "-");
  const places: readonly (readonly [RegExp, string])[] = [
    [/http:\/\/127\.0\.0\.1:8790|https:\/\/catalog\.example/g, catalog.url],
    [/https:\/\/other\.example/g, other.url],
    [/https:\/\/registry\.example/g, registry.url],
    [/https:\/\/you\.example\/openmcp/g, received],
    [/https:\/\/example\.com\/card\b/g, `${catalog.url}/v1/relays/${ids.weather}/server-card`],
    [
      /https:\/\/weather\.example\/mcp\/openapi\.json/g,
      `${catalog.url}/v1/relays/${ids.weather}/openapi.json`,
    ],
    [/127\.0\.0\.1:(?:3000|3001|8080)/g, host(server.url)],
    [/127\.0\.0\.1-3001/g, ids.server],
    [/--port 8080/g, "--port 0"],
    [/https:\/\/(?:weather|one|a)\.example/g, site(weather.url)],
    [/https:\/\/(?:board|two|b)\.example/g, site(board.url)],
    [/https:\/\/example\.com/g, other.url],
    [/example\.com/g, host(other.url)],
    [/weather\.example/g, ids.weather],
    [/weather-example/g, name],
    [/board\.example/g, ids.board],
    [/\/var\/lib\/openmcp\/catalog\.db/g, "stopped.db"],
    [/\/backups\//g, "backups/"],
    [/\/usr\/bin\/node\b/g, process.execPath],
    [/\/srv\/server\.js/g, join(folder, "dist/server.js")],
    // A package that nobody published, and a program of the reader's own.
    [/npx -y (?:weather|@acme\/server)@[\d.]+/g, `node ${join(folder, "dist/server.js")}`],
    [/'https:\/\/\[\^ \]\*'/g, "'http://[^ ]*'"],
    [/since=41/g, "since=1"],
    // It wants the compiler's API of TypeScript 6, and beside it lies 7.
    [
      /npx openapi-typescript/g,
      `NODE_OPTIONS='--import ${join(root, "test/architecture/typescript-6-hook.mjs")}' npx openapi-typescript`,
    ],
    [/(?<=OPENMCP_(?:ADMIN_)?TOKEN=)…/g, ADMIN],
    [/--signature sha256=… --secret …/g, `--signature ${await sign("s", BODY)} --secret s`],
  ];
  await furnish(folder, { everything, weather: weather.url, name });
  const restock = async () => {
    for (const url of [weather.url, board.url, server.url]) await client.register(url);
  };
  await restock();
  await using second = new CatalogClient(other.url);
  for (const { url } of [weather, board]) await second.register(url);
  const { servers } = (await (await fetch(`${catalog.url}/v0.1/servers`)).json()) as {
    servers: { server: { name: string } }[];
  };
  const published = servers.find(({ server: { name } }) => name.endsWith(ids.board))?.server.name ?? "";
  await (await startCatalog(parseServeOptions({ ...quiet, db: join(folder, "stopped.db") }))).close();
  return {
    folder,
    catalog: catalog.url,
    env: {
      PATH: [join(folder, "bin"), dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
      HOME: join(folder, "home"),
      OPENMCP_CATALOG: catalog.url,
      OPENMCP_PORT: "0",
      OPENMCP_LOG_LEVEL: "silent",
      TOKEN: "mine",
      WEATHER_KEY: "mine",
      NO_COLOR: "1",
    },
    restock,
    installed: `openmcp install ${ids.weather} --client claude-desktop`,
    async here(given) {
      const named = given.replaceAll("example.catalog%2Fboard.example", encodeURIComponent(published));
      let text = places.reduce((told, [is, here]) => told.replace(is, here), named);
      if (/<job>/.test(text)) {
        const { jobs } = await client.imports();
        text = text.replaceAll("<job>", jobs[0]?.id ?? "none");
      }
      if (/webhook.*<id>/.test(text)) {
        const { webhook } = await client.subscribe({ url: received });
        const { delivery } = await client.testWebhook(webhook.id);
        text = text.replaceAll("<id>", webhook.id).replaceAll("<delivery>", delivery);
      }
      return text.replaceAll("<id>", ids.weather).replaceAll("<tool>", "forecast");
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const BODY = JSON.stringify({
  id: "1",
  event: "relay.offline",
  at: "2026-09-12T18:04:11.000Z",
  catalog: "https://catalog.example",
  relay: null,
});

const weatherTools: readonly ToolDefinition[] = [
  {
    name: "forecast",
    description: "The weather forecast of a city, for the next days.",
    inputSchema: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer" } },
      required: ["city"],
    },
  },
  { name: "order", description: "Orders something.", inputSchema: { type: "object" } },
];

/** The files that the pages speak of, and the command. */
async function furnish(
  folder: string,
  {
    everything,
    weather,
    name,
  }: { readonly everything: string; readonly weather: string; readonly name: string },
): Promise<void> {
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const script = join(folder, "openmcp/dist/cli/main.js");
  await buildCommand(dirname(script));
  await symlink(join(root, "package.json"), join(folder, "openmcp/package.json"));
  await symlink(join(root, "dist/web"), join(folder, "openmcp/dist/web"), "dir");
  await put("bin/openmcp", `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`);
  await chmod(join(folder, "bin/openmcp"), 0o755);
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  await put("package.json", '{ "type": "module" }\n');
  await put("dist/server.js", `process.argv[2] = "stdio";\nawait import(${JSON.stringify(everything)});\n`);
  await put("urls.txt", `${weather}\n`);
  await put("notes.md", `The weather: ${weather} and more.\n`);
  await put("relays.txt", `# mine\n${weather}\n`);
  await put("home/.cursor/mcp.json", JSON.stringify({ mcpServers: { weather: { url: weather } } }));
  await put("public/.well-known/openmcp.json", JSON.stringify({ openmcp: "0.1", mcp: "/mcp" }));
  await put("card.json", JSON.stringify(card("com.example/weather", weather)));
  await put("body.json", BODY);
  await put("new.json", JSON.stringify({ tools: weatherTools }));
  await put("test/__snapshots__/weather.tools.json", JSON.stringify({ tools: weatherTools }));
  await put(`home/.config/Claude/logs/mcp-server-${name}.log`, "started\n");
  await put("home/.config/Claude/logs/mcp.log", "started\n");
  await put("backups/.keep", "");
  await put(".vscode/.keep", "");
}
