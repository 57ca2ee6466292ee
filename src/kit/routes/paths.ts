/** At which path under the mount each part of the relay is, as its author says. */
import {
  AI_CATALOG_PATH,
  DESCRIPTOR_PATH,
  DRAFT_CARD_PATH,
  MCP_CATALOG_PATH,
  OpenMcpError,
} from "../../spec/index.ts";
import type { ServeOptions } from "../options.ts";
import type { Part, Paths } from "./route.ts";

/**
 * The paths of the parts that are on.
 * @throws OpenMcpError `invalid-input` for what is no path, and where two parts would have one.
 */
export function pathsOf(options: ServeOptions<never, never>): Paths {
  const endpoint = endpointPath(options);
  const below = endpoint === "/" ? "" : endpoint;
  const { openapi, explorer, health } = options;
  const all: readonly (readonly [Part, string | null])[] = [
    [
      "openapi",
      openapi === false ? null : `${below}${rooted(openapi?.path ?? "openapi.json", "openapi.path")}`,
    ],
    ["server-card", options.serverCard === false ? null : `${below}/server-card`],
    ["descriptor", options.descriptor === false ? null : DESCRIPTOR_PATH],
    ["draft-card", options.serverCard === false ? null : DRAFT_CARD_PATH],
    ["mcp-catalog", options.mcpCatalog === false ? null : MCP_CATALOG_PATH],
    ["ai-catalog", options.aiCatalog === false ? null : AI_CATALOG_PATH],
    ["oauth", options.oauth === undefined ? null : "/.well-known/oauth-protected-resource"],
    ["health", health === false ? null : rooted(health ?? "/health", "health")],
    ["endpoint", endpoint],
    ["explorer", explorer === false ? null : rooted(explorer?.path ?? "/explorer", "explorer.path")],
    ["root", explorer !== false && explorer?.redirectRoot === true ? "/" : null],
  ];
  const paths = new Map<Part, string>();
  const taken = new Map<string, Part>();
  for (const [part, path] of all) {
    if (path === null) continue;
    const other = taken.get(path);
    if (other !== undefined) throw wrong(part, `can't be where ${other} is, at ${path}`);
    taken.set(path, part);
    paths.set(part, path);
  }
  return paths;
}

/** @throws OpenMcpError `invalid-input` for what is no path. */
export function endpointPath({ path = "/mcp" }: { readonly path?: string | undefined }): string {
  return path === "" ? "/" : rooted(path, "path");
}

/** With a slash before it and none behind, as it stands in a URL. */
function rooted(path: string, field: string): string {
  const plain = `/${path.replace(/^\/+/, "")}`;
  const own = plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
  const base = "http://localhost";
  const isPath =
    URL.canParse(own, base) && new URL(own, base).href === `${base}${own}` && !own.includes("//");
  if (!isPath || /[?#]/.test(own)) {
    throw wrong(
      field,
      "has to be a path as it stands in a URL, such as /mcp, without a host and without ? and #",
    );
  }
  return own;
}

function wrong(field: string, what: string): OpenMcpError {
  return new OpenMcpError("invalid-input", `${field} ${what}`, { data: { field } });
}
