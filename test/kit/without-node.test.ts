/**
 * A relay in a runtime that has web standards and nothing of Node's, as Workers are: bundled for a browser, with all in one file as
 * `wrangler` does, and run in a context without `process`, `Buffer` and `require`, where no code is made of strings.
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { isBuiltin } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join, relative } from "node:path";
import { createContext, runInContext } from "node:vm";
import { getRequestListener } from "@hono/node-server";
import { build } from "rolldown";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sha256 as portableSha256 } from "../../src/http/portable-sha256.ts";
import { sha256 } from "../../src/http/sha256.ts";
import { verifies } from "../requirements.ts";
import { clientNames, officialClients } from "./kit-fixture.ts";

const root = join(import.meta.dirname, "../..");

/** The application, as docs/kit.md has it, and one tool with a schema that is no zod's: its validator may make no code. */
const APPLICATION = `
import { server } from ${JSON.stringify(join(root, "src/kit/index.ts"))};
import { z } from "zod";

const kit = server("greet", "1.0.0")
  .tool("greet", { input: z.object({ name: z.string() }), output: z.object({ message: z.string() }) }, ({ name }) => ({ message: "Hello, " + name + "!" }))
  .tool("double", { input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } }, ({ n }) => String(2 * n))
  .serve();

export default { fetch: (request) => kit.fetch(request), listen: () => kit.listen(8080), serveStdio: () => kit.serveStdio() };
`;

const EXPLORER = "explorer-files.js";
const PAGE = '<title>Explorer</title><meta name="openmcp-explorer" content="{}">';

/** What a runtime of web standards has; and no more, so that what is missed is missed here too. */
const STANDARDS = [
  ...[
    "AbortController",
    "AbortSignal",
    "Blob",
    "DOMException",
    "Event",
    "EventTarget",
    "FormData",
    "Headers",
  ],
  ...["ReadableStream", "Request", "Response", "TextDecoder", "TextEncoder", "TransformStream", "URL"],
  ...[
    "URLSearchParams",
    "WritableStream",
    "atob",
    "btoa",
    "clearInterval",
    "clearTimeout",
    "console",
    "crypto",
  ],
  ...["performance", "queueMicrotask", "structuredClone"],
] as const;

interface Application {
  fetch(request: Request): Promise<Response>;
  listen(): Promise<unknown>;
  serveStdio(): Promise<unknown>;
}

const builtins: string[] = [];
let application: Application;
let origin: string;
const socket = createServer((incoming, outgoing) => void listener(incoming, outgoing));
const listener = getRequestListener((request) => application.fetch(request));

beforeAll(async () => {
  const code = await bundle();
  const globals = Object.fromEntries(STANDARDS.map((name) => [name, globalThis[name]]));
  // A number, as elsewhere: Node's own timers are objects.
  const setTimer = (start: typeof setTimeout) => (run: () => void, ms?: number) => Number(start(run, ms));
  const context = createContext(
    { ...globals, setTimeout: setTimer(setTimeout), setInterval: setTimer(setInterval as never) },
    { codeGeneration: { strings: false, wasm: false } },
  );
  application = runInContext(`${code}\nworker.default`, context) as Application;
  await new Promise<void>((resolve) => {
    socket.listen(0, "127.0.0.1", resolve);
  });
  origin = `http://127.0.0.1:${(socket.address() as AddressInfo).port}`;
}, 30_000);
afterAll(() => {
  socket.closeAllConnections();
  socket.close();
});

/** The `browser` map of package.json is of the built files; here it is read for their sources. */
async function bundle(): Promise<string> {
  const { browser } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly browser: Readonly<Record<string, string>>;
  };
  const built = (path: string) => path.replace(/^src\//, "./dist/").replace(/\.ts$/, ".js");
  const source = (path: string) => path.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts");
  const { output } = await build({
    input: "application.js",
    cwd: root,
    platform: "browser",
    write: false,
    logLevel: "silent",
    output: { format: "iife", name: "worker", codeSplitting: false, exports: "named" },
    plugins: [
      {
        name: "without-node",
        resolveId(id, importer = "") {
          // The built Explorer is the package test's: this one needs no build.
          if (id === "application.js" || id.endsWith(EXPLORER)) return join(root, id.replace(/^.*\//, ""));
          if (isBuiltin(id)) builtins.push(`${id} from ${relative(root, importer)}`);
          if (!id.startsWith(".")) return null;
          const instead = browser[built(relative(root, join(dirname(importer), id)))];
          return instead === undefined ? null : join(root, source(instead));
        },
        load(id) {
          if (id === join(root, "application.js")) return APPLICATION;
          return id === join(root, EXPLORER)
            ? `export const files = { "index.html": ${JSON.stringify(PAGE)} };`
            : null;
        },
      },
    ],
  });
  return output[0].code;
}

it("imports no module of Node's, not even for what is loaded late", verifies("kit.any-runtime"), () => {
  expect(builtins).toEqual([]);
});

it("is served to clients of both eras", verifies("kit.any-runtime"), async () => {
  for (const client of clientNames) {
    await using caller = await officialClients[client](`${origin}/mcp`);
    const { tools } = await caller.client.listTools();
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual(["greet", "double"]);
    const call = (name: string, given: object) => caller.client.callTool({ name, arguments: given });
    expect((await call("greet", { name: "Bo" })).structuredContent).toEqual({ message: "Hello, Bo!" });
    expect((await call("double", { n: 4 })).content).toEqual([{ type: "text", text: "8" }]);
    expect((await call("double", { n: "four" })).isError).toBe(true);
  }
});

it.each([
  "/mcp/openapi.json",
  "/mcp/server-card",
  "/.well-known/openmcp.json",
  "/.well-known/mcp/catalog.json",
  "/.well-known/ai-catalog.json",
  "/health",
  "/explorer",
])("publishes %s", verifies("kit.any-runtime"), async (path) => {
  const read = await fetch(origin + path);
  expect([read.status, (await read.text()).length > 10]).toEqual([200, true]);
  const etag = read.headers.get("etag");
  expect((await fetch(origin + path, { method: "HEAD" })).headers.get("etag")).toBe(etag);
  if (etag === null) return;
  expect((await fetch(origin + path, { headers: { "if-none-match": etag } })).status).toBe(304);
});

it("says that a socket and standard input are not to be had", verifies("kit.any-runtime"), async () => {
  await expect(application.listen()).rejects.toMatchObject({
    code: "unavailable",
    data: { part: "listener" },
  });
  await expect(application.serveStdio()).rejects.toMatchObject({
    code: "unavailable",
    data: { part: "stdio" },
  });
});

it("tags as Node does", () => {
  for (let length = 0; length < 300; length += 1) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 31 + length) % 256);
    expect(portableSha256(bytes)).toBe(sha256(bytes));
  }
  expect(portableSha256("Grüße, 世界 🌍")).toBe(sha256("Grüße, 世界 🌍"));
});
