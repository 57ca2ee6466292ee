/** Peers, one a line, and under it why the last sync did not come to its end. */
import type { Peer } from "../../spec/index.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";
import { wrap } from "../terminal/text-width.ts";
import { ago } from "./facts.ts";

export function peerList(
  peers: readonly Peer[],
  { style, width, now }: { readonly style: Style; readonly width: number; readonly now: number },
): string {
  return peers
    .flatMap((peer) => {
      const synced = peer.syncedAt === null ? "never synced to the end" : `synced ${ago(peer.syncedAt, now)}`;
      const line = `${style.strong(printableLine(peer.url))}  ${synced}`;
      if (peer.lastError === null) return [line];
      return [
        line,
        ...wrap(printableLine(peer.lastError), Math.max(20, width - 2)).map((text) => `  ${style.bad(text)}`),
      ];
    })
    .join("\n");
}
