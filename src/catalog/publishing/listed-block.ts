/**
 * The listings of one block of relays, for a page of a published catalog: read a few hundred records at a time, without their tools,
 * and only the listings kept. Learned relays are not among them: what this catalog has from a peer it does not pass on as its own.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CatalogListing, RelayRecord } from "../../spec/index.ts";
import type { RelayBlock } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { describeListed } from "./describe-listed.ts";
import { MAX_READ_BYTES, RECORDS_PER_READ } from "./limits.ts";

export async function listedBlock(
  context: CatalogContext,
  block: RelayBlock,
): Promise<readonly CatalogListing[]> {
  const { store } = context;
  const listings: CatalogListing[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await store.relays.list(
      {},
      {
        block,
        limit: RECORDS_PER_READ,
        maxBytes: MAX_READ_BYTES,
        withoutTools: true,
        ...(cursor === undefined ? {} : { cursor }),
      },
    );
    const records = JSON.parse(page.relays.text) as readonly RelayRecord[];
    const own = records.filter((record) => record.via === null);
    const changed = await store.changes.lastChanged(own.map((record) => record.id));
    for (const record of own) {
      const listed = await describeListed(context.identity, { record, changedAt: changed.get(record.id) });
      if (listed !== null) listings.push(listed.listing);
    }
    cursor = page.nextCursor;
    await nextTurn();
  }
  return listings;
}
