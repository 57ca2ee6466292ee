/**
 * Where a document's operations stand: the server and the path before `/{tool}`, from where MCP is spoken. Nothing is assumed of
 * the endpoint: below a mount prefix, at the root or as a whole URL, the same rules give the place. Pure.
 */
import type { JsonObject } from "../spec/index.ts";
import { trimEndOf } from "../spec/index.ts";
import type { ToolsToOpenApiOptions } from "./types.ts";

export interface DocumentPlaces {
  readonly servers: readonly JsonObject[];
  /** What `/{segment}` follows. */
  readonly toolsPath: string;
}

export function documentPlaces(
  endpoint: string,
  { pathStyle = "absolute", servers, http }: ToolsToOpenApiOptions,
): DocumentPlaces {
  if (http !== undefined) {
    return { servers: servers ?? [{ url: http.server ?? "/" }], toolsPath: literal(http.toolsPath) };
  }
  const { base, name } = split(endpoint);
  if (pathStyle === "server-relative") {
    return { servers: servers ?? [{ url: base + name || "/" }], toolsPath: "/tools" };
  }
  return { servers: servers ?? [{ url: base || "/" }], toolsPath: `${name}/tools` };
}

/** `https://host/a/mcp` is `https://host/a` and `/mcp`; an endpoint at the root has no name. */
function split(endpoint: string): { readonly base: string; readonly name: string } {
  const [, origin = "", rest = ""] = /^([a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i.exec(endpoint) ?? [];
  const path = literal(trimEndOf(rest, "/"));
  const at = path.lastIndexOf("/");
  const name = path.slice(at + 1);
  return { base: origin + path.slice(0, Math.max(at, 0)), name: name === "" ? "" : `/${name}` };
}

/** Braces would be a variable, in a path and in a server's URL. */
function literal(path: string): string {
  return path.replaceAll("{", "%7B").replaceAll("}", "%7D");
}
