/** The page's settings (spec/explorer-settings.ts), and the relay that its URL may name. */
import type { ExplorerSettings } from "../../src/spec/index.ts";

const nothing: ExplorerSettings = {
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

export function readSettings(document: Holder): ExplorerSettings {
  const meta = document.querySelector('meta[name="openmcp-explorer"]') as { content?: string } | null;
  const text = meta?.content ?? "";
  try {
    return { ...nothing, ...(JSON.parse(text) as Partial<ExplorerSettings>) };
  } catch {
    return nothing;
  }
}
