/**
 * What one entry of a peer's list means here: an endpoint to look at, and nothing else. Whatever the peer says of the
 * relay is hearsay; this catalog asks the relay itself (OpenMCP 0.1 "Peering"). Pure.
 */
import { canonicalEndpoint, isJsonObject, MAX_JSON_DEPTH, nestsDeeper } from "../../spec/index.ts";
import type { PeerOffer } from "../../store/index.ts";
import { MAX_URL_CHARS } from "../limits.ts";

/** Null for what the peer has learned from another catalog (one hop, wire.md "Peers") and for what names no endpoint. */
export function readOffer(text: string): PeerOffer | null {
  const entry = nestsDeeper(text, MAX_JSON_DEPTH) ? null : parsed(text);
  if (!isJsonObject(entry) || (entry.via ?? null) !== null || !isJsonObject(entry.descriptor)) return null;
  const { mcp } = entry.descriptor;
  const base = typeof entry.source === "string" && URL.canParse(entry.source) ? entry.source : undefined;
  if (typeof mcp !== "string" || !URL.canParse(mcp, base)) return null;
  const url = new URL(mcp, base);
  url.hash = "";
  if (url.username !== "" || url.password !== "" || url.href.length > MAX_URL_CHARS) return null;
  try {
    return { endpoint: canonicalEndpoint(url.href), url: url.href };
  } catch {
    return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
