/**
 * Listed relays as the official registry's API has servers (its v0.1, "ServerResponse"): one version each, the one that was last seen.
 * The catalog's facts go under its own key of `_meta`; the official one is for the official registry to fill.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import {
  LISTING_META_KEY,
  type ListingMark,
  type RegistryServer,
  type RelayRecord,
  toRegistryServer,
} from "../../spec/index.ts";
import type { StoreFilter } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { describeListed, namesOf } from "./describe-listed.ts";
import { MAX_READ_BYTES, REGISTRY_NAMED, REGISTRY_READS } from "./limits.ts";
import { domainOfName, idOfName } from "./names.ts";

export interface RegistryServerEntry {
  readonly server: RegistryServer;
  readonly _meta: { readonly [LISTING_META_KEY]: ListingMark };
}

export interface RegistryPageAsk {
  readonly filter: StoreFilter;
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly wanted?: (entry: RegistryServerEntry) => boolean;
}

export interface RegistryEntriesPage {
  readonly entries: readonly RegistryServerEntry[];
  /** Null at the end. A page may have a next one and fewer entries than were asked for. */
  readonly nextCursor: string | null;
}

/** Reads on until the page is full, the list at its end, or enough was read: each reading may look through all words there are. */
export async function registryPage(
  context: CatalogContext,
  { filter, limit, cursor, wanted = () => true }: RegistryPageAsk,
): Promise<RegistryEntriesPage> {
  const entries: RegistryServerEntry[] = [];
  let next: string | null | undefined = cursor;
  for (let reads = 0; next !== null && entries.length < limit && reads < REGISTRY_READS; reads += 1) {
    const page = await context.store.relays.list(filter, {
      limit: limit - entries.length,
      maxBytes: MAX_READ_BYTES,
      withoutTools: true,
      ...(next === undefined ? {} : { cursor: next }),
    });
    const records = JSON.parse(page.relays.text) as readonly RelayRecord[];
    entries.push(...(await entriesOf(context, records)).filter(wanted));
    next = page.nextCursor;
    await nextTurn();
  }
  return { entries, nextCursor: next ?? null };
}

/** All entries under a name; relays may share one that is their own. */
export async function registryEntriesNamed(
  context: CatalogContext,
  name: string,
): Promise<readonly RegistryServerEntry[]> {
  const { store, identity } = context;
  const id = idOfName(identity.url, name);
  const minted = id === null ? null : await store.relays.get(id);
  const named = minted === null ? [] : await entriesOf(context, [minted.record]);
  if (named.some(({ server }) => server.name === name)) return named;
  // A name of its own has a domain in it that the relay's id has too.
  const page = await store.relays.list(
    { q: domainOfName(name) },
    { limit: REGISTRY_NAMED, maxBytes: MAX_READ_BYTES, withoutTools: true },
  );
  const records = JSON.parse(page.relays.text) as readonly RelayRecord[];
  const entries = await entriesOf(
    context,
    records.filter((record) => namesOf(record).includes(name)),
  );
  return entries.filter(({ server }) => server.name === name);
}

async function entriesOf(
  context: CatalogContext,
  records: readonly RelayRecord[],
): Promise<readonly RegistryServerEntry[]> {
  const changed = await context.store.changes.lastChanged(records.map((record) => record.id));
  const entries: RegistryServerEntry[] = [];
  for (const record of records) {
    const listed = await describeListed(context.identity, { record, changedAt: changed.get(record.id) });
    if (listed === null) continue;
    const { meta: _ours, ...description } = listed.description;
    entries.push({
      server: toRegistryServer(description, { url: context.identity.url }),
      _meta: { [LISTING_META_KEY]: listed.mark },
    });
  }
  return entries;
}
