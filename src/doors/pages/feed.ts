/** Changes as an Atom feed (RFC 4287). Pure. All foreign text is plain text, escaped, without what XML has no place for. */
import type { CatalogIdentity } from "../../catalog/index.ts";
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
<id>${xml(self)}</id>
<title>${xml(title)}</title>
<updated>${changes[0]?.at ?? new Date(now).toISOString()}</updated>
<author><name>${xml(identity.name)}</name></author>
<generator version="${xml(identity.version)}">OpenMCP</generator>
<link rel="self" type="application/atom+xml" href="${xml(self)}"/>
<link rel="alternate" type="text/html" href="${xml(home)}"/>
${changes.map((change) => entry(change, identity.url)).join("")}</feed>
`;
}

function entry({ id, event, at, relay, detail }: RecentChange, url: string): string {
  const parts = detail === null ? [] : detailWords(detail).map(partText);
  const page = `${url}${relayPath(relay)}`;
  return `<entry>
<id>${xml(`${url}/feed.atom#${encodeURIComponent(id)}`)}</id>
<title>${xml(`${cut(relay, 120)}: ${eventWords[event].toLowerCase()}`)}</title>
<updated>${at}</updated>
<link rel="alternate" type="text/html" href="${xml(page)}"/>
<category term="${event}"/>
<content type="text">${xml(parts.length === 0 ? `${eventWords[event]}.` : `${parts.join("\n")}`)}</content>
</entry>
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** As text or in an attribute of XML 1.0. */
function xml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"']/g, (char) => entities[char] as string);
}
