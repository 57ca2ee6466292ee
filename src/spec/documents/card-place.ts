/** The place that is reserved for a card: beside its endpoint (Server Card v1, "Hosted Server Card Location"). */
import { OpenMcpError } from "../error.ts";
import { trimEndOf } from "../trim-end.ts";

/**
 * `<endpoint>/server-card`. Query and fragment are no part of the place; slashes at the end of the path are not doubled; an endpoint
 * that is called `server-card` itself has its card below it like every other.
 * @throws OpenMcpError `invalid-input` when `endpoint` is no http or https URL.
 * @example serverCardUrl("https://example.com/mcp/?tenant=a#f") // "https://example.com/mcp/server-card"
 */
export function serverCardUrl(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new OpenMcpError("invalid-input", "an endpoint is an absolute http or https URL", {
      data: { field: "endpoint" },
    });
  }
  return `${url.origin}${trimEndOf(url.pathname, "/")}/server-card`;
}
