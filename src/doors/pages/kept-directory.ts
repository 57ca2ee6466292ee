/**
 * The directory as bytes, put together from pieces that are kept: the rows of its relays, what stands around them, and whole pages. There
 * is no time in a page, so what it is made from names it, and names its tag. An answer to a question is made for it and not kept: there
 * are as many as there are words.
 */
import type { CatalogIdentity } from "../../catalog/index.ts";
import { strongEtag } from "../../http/index.ts";
import type { RawArray, RelaySummary } from "../../spec/index.ts";
import { type DirectoryPage, directoryPage } from "./directory-page.ts";
import { createKeep } from "./keep.ts";
import { MAX_KEPT_PAGES_BYTES, MAX_KEPT_PIECES_BYTES } from "./limits.ts";
import { relayRows } from "./relay-rows.ts";

export interface DirectoryBytes {
  readonly bytes: Uint8Array;
  /** The strong tag, quotes included; absent: only the bytes tell. */
  readonly etag?: string;
}

/** All of a page but its relays, which are told beside it, and the catalog, which is always the same. */
export type AroundRelays = Omit<DirectoryPage, "identity" | "shown">;

/** Gives the page of what the operations answered. */
export function createKeptDirectory(
  identity: CatalogIdentity,
): (around: AroundRelays, relays: RawArray<RelaySummary>) => DirectoryBytes {
  const pieces = createKeep(MAX_KEPT_PIECES_BYTES);
  const pages = createKeep(MAX_KEPT_PAGES_BYTES);

  return (around, { version, entries }) => {
    const facts = { ...around, shown: entries.length };
    const { q } = facts.query;
    const name = JSON.stringify(facts);
    let made: ReturnType<typeof directoryPage> | null = null;

    function part(which: "before" | "after"): Uint8Array {
      const make = (): Uint8Array => {
        made ??= directoryPage({ ...facts, identity });
        return Buffer.from(made[which].toString());
      };
      return q === "" ? pieces.of(`${which} ${name}`, make) : make();
    }
    const whole = (): Uint8Array =>
      Buffer.concat([part("before"), ...relayRows(entries, { q, pieces }), part("after")]);

    if (version === null || q !== "") return { bytes: whole() };
    // The relays' revisions name them.
    const etag = strongEtag(`${version} ${name}`);
    return { bytes: pages.of(etag, whole), etag };
  };
}
