/**
 * Memory of a catalog process. V8 lets the space for new objects grow to 128 MiB on a machine with memory to spare, and
 * never gives it back; a catalog's garbage is short-lived text, for which what it has after the start is enough.
 * Measured with 500 relays registered and 400 lists read: 190 MiB resident in place of 315, at the same speed.
 * For a process that is a catalog and nothing else: whoever embeds one decides for himself.
 */
import { setFlagsFromString } from "node:v8";

/**
 * Keeps the space for new objects at its present size from now on, and cleans the old ones up when they have grown by half:
 * V8 lets them come to five times what lives (98 MiB for 20, after 20,000 registrations).
 */
export function keepHeapSmall(): void {
  // A factor, not a size: the sizes are read once when the process starts, the factor each time it would grow.
  setFlagsFromString("--semi-space-growth-factor=1");
  // The search index's thread starts later, and has no start in which its space could grow.
  setFlagsFromString("--min-semi-space-size=4");
  setFlagsFromString("--heap-growing-percent=50");
}
