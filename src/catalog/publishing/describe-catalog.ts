/** The catalog itself as its own card and its entry in its own catalogs describe it. */
import {
  type CatalogListing,
  isOpenMcpError,
  OpenMcpError,
  type RelayDescription,
  type ServerCard,
  serverCardUrl,
  toListing,
  toServerCard,
} from "../../spec/index.ts";
import type { CatalogIdentity } from "../context.ts";
import { MAX_CARD_TEXT } from "./limits.ts";
import { catalogName } from "./names.ts";

/** The revisions that its endpoint answers, newest first. */
const PROTOCOL_VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"];

/** @throws OpenMcpError `not-found` as `checkPublishable`. */
export function catalogCard(identity: CatalogIdentity): ServerCard {
  const { url } = identity;
  try {
    return toServerCard(describeCatalog(identity), { url });
  } catch (error) {
    if (!isOpenMcpError(error, "invalid-input")) throw error;
    throw new OpenMcpError(
      "not-found",
      "this catalog publishes no card and no catalog of its own: for that its public URL has to be https, or on loopback",
      { cause: error },
    );
  }
}

/** @throws OpenMcpError `not-found` where the catalog's URL is none that a card may have. */
export function checkPublishable(identity: CatalogIdentity): void {
  catalogCard(identity);
}

export function catalogListing(identity: CatalogIdentity): CatalogListing {
  const cardUrl = serverCardUrl(`${identity.url}/mcp`);
  // A host may have several catalogs, on ports and under paths, which all have its name.
  const { pathname, port } = new URL(identity.url);
  const shared = pathname !== "/" || port !== "";
  return toListing(describeCatalog(identity), { cardUrl, ...(shared ? { identifier: cardUrl } : {}) });
}

function describeCatalog({ url, name, description, version, operator }: CatalogIdentity): RelayDescription {
  return {
    name: catalogName(url),
    title: cut(name),
    description: cut(description),
    version,
    websiteUrl: url,
    remotes: [{ type: "streamable-http", url: `${url}/mcp`, supportedProtocolVersions: PROTOCOL_VERSIONS }],
    auth: { kind: "none" },
    tags: ["catalog", "mcp"],
    ...(operator === null ? {} : { operator }),
  };
}

/** To what a card may hold, in code points. */
function cut(text: string): string {
  const points = Array.from(text);
  return points.length <= MAX_CARD_TEXT ? text : `${points.slice(0, MAX_CARD_TEXT - 1).join("")}…`;
}
