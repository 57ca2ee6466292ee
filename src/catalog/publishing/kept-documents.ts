/**
 * Published documents as they were last made: made anew when a change was committed since, once for all who ask meanwhile. A few of
 * them stay in memory, as bytes; what is asked for less is made again.
 */
import { RawJson } from "../../spec/index.ts";
import type { Store } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { DOCUMENT_KEPT_MS, DOCUMENTS_KEPT } from "../limits.ts";

interface Kept {
  readonly revision: number;
  readonly madeAt: number;
  readonly document: Promise<RawJson>;
}

const keptOf = new WeakMap<Store, Map<string, Kept>>();

/** `name` says which document of this catalog it is. */
export async function keptDocument(
  { store, clock, identity }: CatalogContext,
  name: string,
  make: () => Promise<object>,
): Promise<RawJson> {
  const documents = keptOf.get(store) ?? new Map<string, Kept>();
  keptOf.set(store, documents);
  const key = `${identity.url} ${name}`;
  const revision = await store.changes.latest();
  const now = clock.now();
  const known = documents.get(key);
  // Not every write is a change that is told; a clock may be set back.
  const fresh =
    known !== undefined && known.revision === revision && Math.abs(now - known.madeAt) < DOCUMENT_KEPT_MS;
  const kept = fresh ? known : { revision, madeAt: now, document: make().then(encoded) };
  documents.delete(key);
  documents.set(key, kept);
  const [oldest] = documents.keys();
  if (documents.size > DOCUMENTS_KEPT && oldest !== undefined) documents.delete(oldest);
  try {
    return await kept.document;
  } catch (error) {
    if (documents.get(key) === kept) documents.delete(key);
    throw error;
  }
}

function encoded(document: object): RawJson {
  return new RawJson([new TextEncoder().encode(JSON.stringify(document))]);
}
