/**
 * What an Explorer's page is served for, as JSON in its `<meta name="openmcp-explorer">`: written by whoever serves it (http/explorer.ts),
 * read by the page (web/explorer). Nothing here is a secret.
 */
export interface ExplorerSettings {
  /** The endpoint to speak to, relative to the page's folder; null: the person names it, or the catalog forwards. */
  readonly endpoint: string | null;
  /** What copied commands name: the endpoint as the world sees it; null where there is none (a command over stdio). */
  readonly shown: string | null;
  /** The command behind the endpoint, when it is one. */
  readonly command: readonly string[] | null;
  readonly title: string | null;
  /** The OpenAPI document, relative to the page's folder. */
  readonly openapi: string | null;
  /** The catalog's base, relative to the page's folder; null where no catalog is. */
  readonly catalog: string | null;
}
