/**
 * Reads a peer's list to its end and keeps what is not listed here, a piece at a time: whatever stops it, what came before
 * is kept, and pages that stay the same cost a 304 the next time. It looks at no relay; that is learn.ts.
 */
import { canonicalEndpoint } from "../../spec/index.ts";
import type { CatalogContext } from "../context.ts";
import {
  MAX_PEER_BYTES,
  MAX_PEER_PAGE_BYTES,
  MAX_PEER_PAGES,
  MAX_PEER_RELAYS,
  PEER_PAGE_RELAYS,
  PEER_READ_MS,
  REMOVED_KEPT_OUT_MS,
} from "./limits.ts";
import { findPeerApi } from "./peer-api.ts";
import { readPage } from "./read-page.ts";

export interface PeerReading {
  /** Why it did not come to the end, a sentence; null when it did. */
  readonly error: string | null;
  /** What the peer asked to be left alone for. */
  readonly retryAfterMs?: number;
}

/** @throws OpenMcpError `aborted`, and whatever the store does; what the peer does never rejects. */
export async function readPeer(
  context: CatalogContext,
  peer: string,
  { signal }: { readonly signal: AbortSignal },
): Promise<PeerReading> {
  const { store, clock } = context;
  const started = clock.now();
  const found = await findPeerApi(context, peer, { signal });
  if (found.kind === "self") return { error: "it is this catalog itself" };
  if (found.kind === "blocked") return { error: found.problem };

  const own = canonicalEndpoint(`${context.identity.url}/mcp`);
  const cursors = new Set<string>();
  let bytes = 0;
  let relays = 0;
  let cursor: string | null = null;
  let view: View = "endpoints";
  for (let pages = 0; pages < MAX_PEER_PAGES; pages += 1) {
    if (clock.now() - started > PEER_READ_MS) return { error: "its list takes too long to read" };
    if (bytes >= MAX_PEER_BYTES) return { error: "its list is too large" };
    if (relays >= MAX_PEER_RELAYS) return { error: `it lists more than ${MAX_PEER_RELAYS} relays` };
    const url = pageUrl(found.api, { cursor, view });
    const known = await store.peers.page(peer, url);
    const page = await readPage(context, url, {
      etag: known?.etag ?? null,
      maxBytes: Math.min(MAX_PEER_PAGE_BYTES, MAX_PEER_BYTES - bytes),
      signal,
      async onPiece(piece) {
        bytes += piece.bytes;
        relays += piece.entries;
        const offers = piece.offers.filter(({ endpoint }) => endpoint !== own);
        if (offers.length === 0) return;
        await store.peers.offer(peer, offers, {
          page: url,
          now: clock.now(),
          keptOutMs: REMOVED_KEPT_OUT_MS,
          most: MAX_PEER_RELAYS,
        });
      },
    });
    if (page.kind === "failed") {
      // A catalog that takes no question it does not know is asked as OpenMCP 0.1 has it.
      if (page.status !== 400 || view === "records" || cursor !== null) return page;
      view = "records";
      continue;
    }
    let next: string | null;
    if (page.kind === "unchanged") {
      next = known?.next ?? null;
      await store.peers.seePage(peer, url, clock.now());
    } else {
      next = page.next;
      if (page.etag !== null) await store.peers.keepPage(peer, { url, etag: page.etag, next }, clock.now());
    }
    if (next === null) {
      await store.peers.forgetUnseen(peer, started);
      return { error: null };
    }
    if (cursors.has(next)) return { error: "its pages go round in a circle" };
    cursors.add(next);
    cursor = next;
  }
  return { error: `its list has more than ${MAX_PEER_PAGES} pages` };
}

/** `endpoints`: without what each look changes, so that a page of a busy catalog is the same as before. Who knows no views gives records. */
type View = "endpoints" | "records";

function pageUrl(
  api: string,
  { cursor, view }: { readonly cursor: string | null; readonly view: View },
): string {
  const url = new URL(`${api}/relays`);
  url.searchParams.set("limit", String(PEER_PAGE_RELAYS));
  if (view !== "records") url.searchParams.set("view", view);
  if (cursor !== null) url.searchParams.set("cursor", cursor);
  return url.href;
}
