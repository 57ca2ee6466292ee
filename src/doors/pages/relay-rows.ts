/**
 * Relays as rows of the directory, from the JSON that the store answered with, as bytes that go into the page as they are. Without a
 * question a row is made of that JSON alone, with no time in it, so that the JSON is its key: a look that found the same leaves the
 * row, and none can go stale.
 */
import type { RelaySummary } from "../../spec/index.ts";
import type { Keep } from "./keep.ts";
import { relayRow } from "./result-rows.ts";

/** In the order of `entries`; `q`: what was asked, "" for nothing. */
export function relayRows(
  entries: readonly Uint8Array[],
  { q, pieces }: { readonly q: string; readonly pieces: Keep },
): readonly Uint8Array[] {
  return entries.map((entry) => {
    const json = Buffer.from(entry.buffer, entry.byteOffset, entry.length);
    const row = (): Uint8Array =>
      Buffer.from(relayRow(JSON.parse(json.toString()) as RelaySummary, q).toString());
    // Byte for byte, which is no reading of it, and tells any two apart.
    return q === "" ? pieces.of(json.toString("latin1"), row) : row();
  });
}
