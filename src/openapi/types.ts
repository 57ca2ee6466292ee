/** What goes into an OpenAPI document of tools, and what comes out of it. */
import type { JsonObject, JsonValue } from "../spec/index.ts";

/** A tool as `tools/list` has it, whatever else it carries. */
export type OpenApiTool = JsonObject & { readonly name: string };

/** An OpenAPI 3.1 document as plain JSON. */
export type OpenApiDocument = JsonObject;

/**
 * Whose tools they are: a server's `Implementation` as it stands, or an OpenAPI Info Object. The title is `title`, else
 * `name`; other members that an Info Object has (`description`, `contact`, `license`, `x-…`) are kept.
 */
export type OpenApiInfo = {
  readonly [key: string]: unknown;
  readonly name?: string;
  readonly title?: string;
  readonly version?: string;
};

/** Operations that can be called by plain HTTP, the arguments as the body. */
export interface HttpOperations {
  /** The path that `/{tool}` follows, as it stands in `paths`: `/v1/relays/example.com/tools`. */
  readonly toolsPath: string;
  /** Where that path begins. Default `/`. */
  readonly server?: string;
  /** The schema of the problem documents that errors come as. */
  readonly problem: JsonObject;
  /** Security Scheme Objects by name, and of which any one requirement is enough. */
  readonly security?: {
    readonly schemes: Readonly<Record<string, JsonValue>>;
    readonly requirements: (tool: OpenApiTool) => readonly JsonObject[];
  };
}

export interface ToolsToOpenApiOptions {
  /** Where MCP is spoken, a path under the mount or a URL; null where by no URL at all (stdio). Default `/mcp`. */
  readonly endpoint?: string | null;
  /** The protocol revision that is spoken there; null leaves it out. Default `2026-07-28`. */
  readonly protocolVersion?: string | null;
  /** `x-mcp.transport`. Default `streamable-http`. */
  readonly transport?: string;
  /**
   * `absolute` (default): paths as `/mcp/tools/{name}`, the mount prefix as the server. `server-relative`: paths as
   * `/tools/{name}`, the endpoint as the server.
   */
  readonly pathStyle?: "absolute" | "server-relative";
  /** Server Objects in place of the one that follows from `endpoint`. */
  readonly servers?: readonly JsonObject[];
  /** What of a tool is told beside its schemas; all of it unless switched off. */
  readonly include?: {
    readonly annotations?: boolean;
    readonly icons?: boolean;
    readonly execution?: boolean;
    readonly meta?: boolean;
  };
  /** Absent: the operations only describe tools, and calls are JSON-RPC to `endpoint`. */
  readonly http?: HttpOperations;
}
