/** Says what a document is, by its content: a path or a media type does not. */
import type { JsonValue } from "../json.ts";

export type DocumentKind =
  | "descriptor"
  | "mcp-catalog"
  | "ai-catalog"
  | "server-card"
  /** A card in an older shape. */
  | "legacy-server-card"
  | "registry-server"
  | "registry-page"
  | "html"
  /** JSON, and none of these. */
  | "unknown"
  /** Neither JSON nor HTML. */
  | "not-json";

/** `document` is the text as it was received, or what was parsed from it. */
export function sniffDocument(document: string | JsonValue): DocumentKind {
  throw new Error(`not yet: ${typeof document}`);
}
