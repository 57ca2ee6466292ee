/** Exports that another catalog, a registry's client or a web server takes: the same projections that a running catalog publishes. */
import { describeListed, type ListedRelay } from "../../catalog/index.ts";
import {
  LISTING_META_KEY,
  type RelayRecord,
  toAiCatalog,
  toMcpCatalog,
  toRegistryServer,
  toServerCard,
} from "../../spec/index.ts";
import type { ExportContext, ExportFormat } from "./export-format.ts";
import { type JsonEntry, jsonStream } from "./json-stream.ts";
import { withoutSecrets } from "./without-secrets.ts";

export const openmcp: ExportFormat = {
  summary: "the records, as GET /v1/relays lists them",
  write: (records, context) =>
    jsonStream({ key: "relays", holds: "list" }, values(withoutSecrets(records, context))),
};

export const aiCatalog: ExportFormat = {
  summary: "an AI Catalog with the cards in it, for /.well-known/ai-catalog.json",
  write(records, context) {
    const { specVersion } = toAiCatalog([]);
    return jsonStream(
      { before: { specVersion }, key: "entries", holds: "list" },
      listed(records, context, ({ listing, description }) => {
        // With the card in it the file needs nobody to serve that.
        const card = toServerCard(description, { url: context.url });
        return toAiCatalog([{ ...listing, card }], { url: context.url }).entries[0];
      }),
    );
  },
};

export const mcpCatalog: ExportFormat = {
  summary: "an MCP Catalog that names this catalog's cards, for /.well-known/mcp/catalog.json",
  write(records, context) {
    const { specVersion } = toMcpCatalog([]);
    return jsonStream(
      { before: { specVersion }, key: "entries", holds: "list" },
      listed(records, context, ({ listing }) => toMcpCatalog([listing], { url: context.url }).entries[0]),
    );
  },
};

export const registry: ExportFormat = {
  summary: "a list of servers, as the official registry's API gives it",
  write(records, context) {
    let count = 0;
    return jsonStream(
      { key: "servers", holds: "list", after: () => ({ metadata: { count } }) },
      listed(records, context, ({ description, mark }) => {
        count += 1;
        const { meta: _ours, ...server } = description;
        return {
          server: toRegistryServer(server, { url: context.url }),
          _meta: { [LISTING_META_KEY]: mark },
        };
      }),
    );
  },
};

async function* values(records: AsyncIterable<RelayRecord>): AsyncGenerator<JsonEntry> {
  for await (const value of records) yield { value };
}

async function* listed(
  records: AsyncIterable<RelayRecord>,
  { url, remark }: ExportContext,
  project: (relay: ListedRelay) => unknown,
): AsyncGenerator<JsonEntry> {
  for await (const record of records) {
    const relay = await describeListed({ url }, { record, changedAt: undefined });
    if (relay === null) remark({ kind: "left-out", relay: record.id });
    else yield { value: project(relay) };
  }
}
