/**
 * The catalog's own AI Catalog and MCP Catalog (discovery.md "Catalogs", "Serving"): its own card first, then its relays. Where they
 * are many they come in pages, each a block of places, so that a relay stays on its page. An AI Catalog nests its pages; the MCP
 * Catalog of the draft has entries of cards only, so its pages are told in a `Link` header (RFC 8288, `next`).
 */
import {
  AI_CATALOG_PATH,
  type AiCatalog,
  type CatalogListing,
  MCP_CATALOG_PATH,
  type McpCatalog,
  type NestedCatalog,
  OpenMcpError,
  type RawJson,
  toAiCatalog,
  toMcpCatalog,
} from "../../spec/index.ts";
import type { CatalogContext } from "../context.ts";
import { catalogListing, checkPublishable } from "./describe-catalog.ts";
import { keptDocument } from "./kept-documents.ts";
import { AI_CATALOG_BLOCK, MCP_CATALOG_BLOCK } from "./limits.ts";
import { listedBlock } from "./listed-block.ts";

/** Pages are numbered from 1, as blocks lie; there may be holes. Undefined: the document itself. */
export type Page = number | undefined;

/** @throws OpenMcpError `not-found` for a page that has no relay. */
export async function publishedAiCatalog(context: CatalogContext, page: Page): Promise<RawJson<AiCatalog>> {
  const { identity } = context;
  const { url } = identity;
  checkPublishable(identity);
  const host = { displayName: identity.name, documentationUrl: identity.url };
  const size = AI_CATALOG_BLOCK;
  if (page !== undefined) {
    await checkPage(context, { size, page });
    return keptDocument(context, `ai-catalog ${page}`, async () =>
      toAiCatalog(await listedBlock(context, { size, number: page - 1 }), { host, url }),
    ) as Promise<RawJson<AiCatalog>>;
  }
  return keptDocument(context, "ai-catalog", async () => {
    const own = catalogListing(identity);
    const blocks = await context.store.relays.blocks(size);
    if (blocks.length > 1) return toAiCatalog([own], { host, url, nested: blocks.map(nestedPage(context)) });
    const [number = 0] = blocks;
    return toAiCatalog([own, ...(await listedBlock(context, { size, number }))], { host, url });
  }) as Promise<RawJson<AiCatalog>>;
}

export interface PublishedMcpCatalog {
  readonly document: RawJson<McpCatalog>;
  /** Null on the last page. */
  readonly next: string | null;
}

/** @throws OpenMcpError `not-found` for a page that has no relay. */
export async function publishedMcpCatalog(context: CatalogContext, page: Page): Promise<PublishedMcpCatalog> {
  const { identity } = context;
  checkPublishable(identity);
  const size = MCP_CATALOG_BLOCK;
  if (page !== undefined) await checkPage(context, { size, page });
  const blocks = await context.store.relays.blocks(size);
  const number = page === undefined ? (blocks[0] ?? 0) : page - 1;
  const following = blocks.find((block) => block > number);
  const document = await keptDocument(context, `mcp-catalog ${page ?? ""}`, async () => {
    const listings = await listedBlock(context, { size, number });
    const own = page === undefined ? [catalogListing(identity)] : [];
    return toMcpCatalog(withoutDoubles([...own, ...listings]), { url: identity.url });
  });
  return {
    document: document as RawJson<McpCatalog>,
    next: following === undefined ? null : pageUrl(`${identity.url}${MCP_CATALOG_PATH}`, following),
  };
}

/** The draft's identifier is the name: of relays of one owner that go by one name, the first. */
function withoutDoubles(listings: readonly CatalogListing[]): readonly CatalogListing[] {
  return [...new Map(listings.toReversed().map((listing) => [listing.name, listing])).values()].reverse();
}

function nestedPage({ identity }: CatalogContext): (block: number) => NestedCatalog {
  return (block) => ({
    url: pageUrl(`${identity.url}${AI_CATALOG_PATH}`, block),
    displayName: `Relays of this catalog, page ${block + 1}`,
  });
}

function pageUrl(url: string, block: number): string {
  return `${url}?page=${block + 1}`;
}

async function checkPage(
  { store }: CatalogContext,
  { size, page }: { readonly size: number; readonly page: number },
): Promise<void> {
  if ((await store.relays.blocks(size)).includes(page - 1)) return;
  throw new OpenMcpError("not-found", `there is no page ${page} of this catalog; begin without "page"`, {
    data: { field: "page" },
  });
}
