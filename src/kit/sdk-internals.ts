/**
 * The only place where the kit reads what the SDK keeps to itself: the tools that an `McpServer` has registered, by name, and the
 * handler of a method. Everything else goes by the SDK's public names. What is read here is checked each time, so that an SDK that
 * moved it is an error with a reason and never a tool that is shown to the wrong user.
 */
import { McpServer, type RegisteredTool, type Server } from "@modelcontextprotocol/server";
import { OpenMcpError } from "../spec/index.ts";

/** What a factory gives. */
export type BuiltServer = McpServer | Server;

type Handler = (request: never, context: never) => Promise<object>;

/** The low-level server behind either. */
export function protocolOf(built: BuiltServer): Server {
  return built instanceof McpServer ? built.server : built;
}

/** The live registry of tools, in the order of `tools/list`; null for a low-level `Server`, which has none. */
export function registeredTools(built: BuiltServer): Record<string, RegisteredTool> | null {
  if (!(built instanceof McpServer)) return null;
  const registry: unknown = Reflect.get(built, "_registeredTools");
  if (typeof registry !== "object" || registry === null) throw moved("the registry of tools");
  return registry as Record<string, RegisteredTool>;
}

/** The handler that answers `method` now; undefined where there is none. */
export function handlerOf(server: Server, method: string): Handler | undefined {
  const read: unknown = Reflect.get(server, "_getRequestHandler");
  if (typeof read !== "function") throw moved("the handlers of requests");
  return read.call(server, method) as Handler | undefined;
}

/** @throws OpenMcpError when `built` is not of the SDK that the kit uses: a second copy of it, most often. */
export function assertServer(built: unknown): asserts built is BuiltServer {
  if (built instanceof McpServer) return;
  const low = built as Partial<Server> | null;
  if (typeof low?.connect === "function" && typeof low.getCapabilities === "function") return;
  const looksLike = typeof (built as { server?: unknown } | null)?.server === "object";
  throw new OpenMcpError(
    "invalid-input",
    looksLike
      ? "`server` gave an McpServer of another copy of @modelcontextprotocol/server: install one version of it, the one that openmcp depends on"
      : "`server` has to give an McpServer",
    { data: { field: "server" } },
  );
}

function moved(what: string): OpenMcpError {
  return new OpenMcpError(
    "internal",
    `this version of @modelcontextprotocol/server keeps ${what} where the kit does not find it; use the version that openmcp depends on`,
  );
}
