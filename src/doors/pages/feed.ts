/** Changes as an Atom feed (RFC 4287). Pure. All foreign text is plain text, escaped, without what XML has no place for. */
import type { CatalogIdentity } from "../../catalog/index.ts";
import { escapeXml } from "../../http/index.ts";
import type { RecentChange } from "../../spec/index.ts";
import { detailWords, partText } from "./change-list.ts";
import { cut, relayPath } from "./markup.ts";
import { eventWords } from "./words.ts";

export const FEED_TYPE = "application/atom+xml; charset=utf-8";

export interface Feed {
  readonly identity: CatalogIdentity;
  /** The relay that it is about; null: all. */
  readonly relay: string | null;
  /** Newest first. */
  readonly changes: readonly RecentChange[];
  /** Milliseconds since the epoch; said of a feed without entries. */
  readonly now: number;
}

export function feed({ identity, relay, changes, now }: Feed): string {
  const home = relay === null ? `${identity.url}/` : `${identity.url}${relayPath(relay)}`;
  const self = relay === null ? `${identity.url}/feed.atom` : `${home}/feed.atom`;
  const title = relay === null ? `What changed in ${identity.name}` : `What changed: ${cut(relay, 120)}`;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeXml(self)}</id>
<title>${escapeXml(title)}</title>
<updated>${changes[0]?.at ?? new Date(now).toISOString()}</updated>
<author><name>${escapeXml(identity.name)}</name></author>
<generator version="${escapeXml(identity.version)}">OpenMCP</generator>
<link rel="self" type="application/atom+xml" href="${escapeXml(self)}"/>
<link rel="alternate" type="text/html" href="${escapeXml(home)}"/>
${changes.map((change) => entry(change, identity.url)).join("")}</feed>
`;
}

function entry({ id, event, at, relay, detail }: RecentChange, url: string): string {
  const parts = detail === null ? [] : detailWords(detail).map(partText);
  const page = `${url}${relayPath(relay)}`;
  return `<entry>
<id>${escapeXml(`${url}/feed.atom#${encodeURIComponent(id)}`)}</id>
<title>${escapeXml(`${cut(relay, 120)}: ${eventWords[event].toLowerCase()}`)}</title>
<updated>${at}</updated>
<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>
<category term="${event}"/>
<content type="text">${escapeXml(parts.length === 0 ? `${eventWords[event]}.` : `${parts.join("\n")}`)}</content>
</entry>
`;
}
