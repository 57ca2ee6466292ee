/** What `/` says to a program: the same as to a person, as JSON, and where everything is. */
import type { CatalogIdentity } from "../../catalog/index.ts";
import type { CountsOutput } from "../../spec/index.ts";

export function catalogFacts(
  identity: CatalogIdentity,
  { counts, aiCatalog }: { readonly counts: CountsOutput; readonly aiCatalog: string },
): string {
  const { name, description, version, url } = identity;
  return JSON.stringify({
    ok: true,
    name,
    description,
    version,
    ...counts,
    api: `${url}/v1`,
    mcp: `${url}/mcp`,
    openapi: `${url}/v1/openapi.json`,
    descriptor: `${url}/.well-known/openmcp.json`,
    aiCatalog,
  });
}
