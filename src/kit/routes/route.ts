/**
 * Which part of the relay a path is, wherever the relay is mounted: what comes before a known ending is the mount's prefix. Paths
 * are compared as they stand; nothing is decoded.
 */

/** A part of the relay. */
export type Part =
  | "endpoint"
  | "openapi"
  | "explorer"
  | "root"
  | "descriptor"
  | "server-card"
  | "draft-card"
  | "mcp-catalog"
  | "ai-catalog"
  | "oauth"
  | "health";

export interface Route {
  readonly part: Part;
  /** Before the part: `""`, or `/tools`; without a slash at its end. */
  readonly prefix: string;
}

/** The path of each part that is on, under the mount, in the order in which they are tried. */
export type Paths = ReadonlyMap<Part, string>;

/** `prefix`: the only one that may stand before; null: any. */
export function findRoute(
  pathname: string,
  { paths, prefix: only }: { readonly paths: Paths; readonly prefix: string | null },
): Route | null {
  const path = pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  for (const [part, ending] of paths) {
    const prefix = before(path, ending, part);
    if (prefix !== null && (only === null || only === prefix)) return { part, prefix };
  }
  return null;
}

/** Parts that have paths below them. */
const FOLDERS: ReadonlySet<Part> = new Set(["explorer", "draft-card", "oauth"]);

function before(path: string, ending: string, part: Part): string | null {
  if (part === "root") return path === "/" ? "" : null;
  if (path.endsWith(ending)) return path.slice(0, -ending.length);
  if (!FOLDERS.has(part)) return null;
  const at = path.lastIndexOf(`${ending}/`);
  return at === -1 ? null : path.slice(0, at);
}
