/**
 * The real servers of docs/real-servers.md: how each is started, and what it must be seen as.
 * `add` and `greet` are every server's tools, but for server-everything, which brings its own.
 */
import { join } from "node:path";

export interface RealServer {
  readonly name: string;
  /** Arguments of `node`. */
  readonly args: (port: number) => readonly string[];
  readonly env?: (port: number) => Readonly<Record<string, string>>;
  /** The era that the probe finds. */
  readonly era: string;
  /** A session is opened (and must be deleted). */
  readonly session: boolean;
  readonly tools: number;
  readonly call: {
    readonly tool: string;
    readonly arguments: Record<string, number | string>;
    readonly text: string;
  };
}

const here = import.meta.dirname;
const modules = join(here, "..", "..", "node_modules");
const script = (name: string) => join(here, "servers", name);
const add = { tool: "add", arguments: { a: 2, b: 40 }, text: "42" };
const stdio = `${process.execPath} ${script("stdio.ts")}`;

const sdk1 = (sessions: "stateful" | "stateless", answers: "json" | "sse"): RealServer => ({
  name: `SDK 1.x, ${sessions}, ${answers === "json" ? "JSON" : "SSE"}`,
  args: (port) => [script("sdk1.ts"), String(port), sessions, answers],
  era: "2025-11-25",
  session: sessions === "stateful",
  tools: 2,
  call: add,
});

const mcpProxy = (
  name: string,
  flags: readonly string[],
  seen: { readonly era: string; readonly session: boolean },
): RealServer => ({
  name,
  args: (port) => [
    join(modules, "mcp-proxy/dist/bin/mcp-proxy.mjs"),
    "--port",
    String(port),
    "--server",
    "stream",
    ...flags,
    "--",
    process.execPath,
    script("stdio.ts"),
  ],
  ...seen,
  tools: 2,
  call: add,
});

export const realServers: readonly RealServer[] = [
  {
    name: "server-everything",
    args: () => [join(modules, "@modelcontextprotocol/server-everything/dist/index.js"), "streamableHttp"],
    env: (port) => ({ PORT: String(port) }),
    era: "2025-11-25",
    session: true,
    tools: 13,
    call: { tool: "echo", arguments: { message: "hello" }, text: "Echo: hello" },
  },
  sdk1("stateful", "json"),
  sdk1("stateful", "sse"),
  sdk1("stateless", "json"),
  sdk1("stateless", "sse"),
  {
    name: "SDK 2.x, both eras",
    args: (port) => [script("sdk2.ts"), String(port), "both"],
    era: "2026-07-28",
    session: false,
    tools: 2,
    call: add,
  },
  {
    name: "SDK 2.x, 2026-07-28 only",
    args: (port) => [script("sdk2.ts"), String(port), "modern"],
    era: "2026-07-28",
    session: false,
    tools: 2,
    call: add,
  },
  {
    name: "fastmcp",
    args: (port) => [script("fastmcp.ts"), String(port)],
    era: "2025-11-25",
    session: true,
    tools: 2,
    call: add,
  },
  {
    name: "fastmcp, stateless",
    args: (port) => [script("fastmcp.ts"), String(port), "stateless"],
    era: "2025-11-25",
    session: false,
    tools: 2,
    call: add,
  },
  {
    name: "mcp-lite",
    args: (port) => [script("mcp-lite.ts"), String(port)],
    era: "2025-03-26",
    session: false,
    tools: 2,
    call: add,
  },
  {
    name: "mcp-lite, stateful",
    args: (port) => [script("mcp-lite.ts"), String(port), "stateful"],
    era: "2025-03-26",
    session: true,
    tools: 2,
    call: add,
  },
  {
    name: "@hono/mcp",
    args: (port) => [script("hono-mcp.ts"), String(port)],
    era: "2025-11-25",
    session: false,
    tools: 2,
    call: add,
  },
  {
    name: "stdio behind supergateway",
    args: (port) => [
      join(modules, "supergateway/dist/index.js"),
      "--stdio",
      stdio,
      "--outputTransport",
      "streamableHttp",
      "--port",
      String(port),
    ],
    era: "2025-11-25",
    session: false,
    tools: 2,
    call: add,
  },
  {
    name: "stdio behind supergateway, stateful",
    args: (port) => [
      join(modules, "supergateway/dist/index.js"),
      "--stdio",
      stdio,
      "--outputTransport",
      "streamableHttp",
      "--stateful",
      "--port",
      String(port),
    ],
    era: "2025-11-25",
    session: true,
    tools: 2,
    call: add,
  },
  mcpProxy("stdio behind mcp-proxy", [], { era: "2026-07-28", session: false }),
  mcpProxy("stdio behind mcp-proxy, 2025 only", ["--no-modern"], { era: "2025-11-25", session: true }),
];
