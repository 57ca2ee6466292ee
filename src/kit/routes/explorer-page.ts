/**
 * `/explorer`: the place of the page by which a person tries the relay. The page itself is not built yet, and this one says so; it
 * shows no tool, so it is nobody's secret.
 */
import { readReply, withoutRead } from "../../http/index.ts";

export interface ExplorerFacts {
  readonly title: string;
  readonly version: string;
  /** URL of the endpoint. */
  readonly endpoint: string;
  /** URL of the OpenAPI document; null where there is none. */
  readonly openapi: string | null;
}

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

export function explorerReply(request: Request, facts: ExplorerFacts): Response {
  const other = withoutRead(request);
  if (other !== null) return other;
  const reply = readReply(request, page(facts), {
    type: "text/html; charset=utf-8",
    headers: { "content-security-policy": POLICY, "referrer-policy": "no-referrer" },
  });
  return request.method === "HEAD"
    ? new Response(null, { status: reply.status, headers: reply.headers })
    : reply;
}

function page({ title, version, endpoint, openapi }: ExplorerFacts): string {
  const document =
    openapi === null
      ? "The relay publishes no OpenAPI document."
      : `What its tools are stands in its <a href="${escaped(openapi)}">OpenAPI document</a>.`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>${escaped(title)} <small>${escaped(version)}</small></h1>
<p>An MCP server. Its endpoint is <code>${escaped(endpoint)}</code>.</p>
<p>${document}</p>
<p>The page by which tools can be tried here is not part of this version of the kit.</p>
</html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
