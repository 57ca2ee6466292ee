/**
 * Published documents as they were last made: made anew when a change was committed since, once for all who ask meanwhile, and not
 * again before it has rested. A few of them stay in memory, as bytes; what is asked for less is made again.
 */
import { RawJson } from "../../spec/index.ts";
import type { Store } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { DOCUMENT_KEPT_MS, DOCUMENT_REST, DOCUMENTS_KEPT } from "./limits.ts";

interface Kept {
  readonly revision: number;
  readonly madeAt: number;
  /** Milliseconds; set once it is made. */
  tookMs: number;
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
  const kept =
    known !== undefined && isFresh(known, { revision, now })
      ? known
      : { revision, madeAt: now, tookMs: 0, document: make().then(encoded) };
  documents.delete(key);
  documents.set(key, kept);
  const [oldest] = documents.keys();
  if (documents.size > DOCUMENTS_KEPT && oldest !== undefined) documents.delete(oldest);
  try {
    const document = await kept.document;
    if (kept !== known) kept.tookMs = clock.now() - now;
    return document;
  } catch (error) {
    if (documents.get(key) === kept) documents.delete(key);
    throw error;
  }
}

/** Not every write is a change that is told, so nothing is kept for long; a clock may be set back. */
function isFresh(
  kept: Kept,
  { revision, now }: { readonly revision: number; readonly now: number },
): boolean {
  const age = Math.abs(now - kept.madeAt);
  return kept.revision === revision ? age < DOCUMENT_KEPT_MS : age < kept.tookMs * DOCUMENT_REST;
}

function encoded(document: object): RawJson {
  return new RawJson([new TextEncoder().encode(JSON.stringify(document))]);
}
