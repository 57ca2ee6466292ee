/**
 * What the page was served for: `<meta name="openmcp-explorer">` holds it as JSON, written by whoever serves (http/explorer.ts), and the
 * URL may name a relay. Nothing here is a secret.
 */

export interface Settings {
  /** The endpoint to speak to, relative to the page or absolute; null: the person names it, or the catalog forwards. */
  readonly endpoint: string | null;
  /** What copied commands name: the endpoint as the world sees it; null where there is none (a command over stdio). */
  readonly shown: string | null;
  /** The command behind the endpoint, when it is one. */
  readonly command: readonly string[] | null;
  readonly title: string | null;
  readonly openapi: string | null;
  /** The catalog's base URL, relative to the page; null where no catalog is. */
  readonly catalog: string | null;
}

const nothing: Settings = {
  endpoint: null,
  shown: null,
  command: null,
  title: null,
  openapi: null,
  catalog: null,
};

/** The part of a document that is used. */
interface Holder {
  querySelector(selector: string): object | null;
}

export function readSettings(document: Holder): Settings {
  const meta = document.querySelector('meta[name="openmcp-explorer"]') as { content?: string } | null;
  const text = meta?.content ?? "";
  try {
    return { ...nothing, ...(JSON.parse(text) as Partial<Settings>) };
  } catch {
    return nothing;
  }
}
