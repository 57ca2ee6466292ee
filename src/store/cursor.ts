/**
 * Cursors of relay lists: the place in the order of first listing after which the next page starts.
 * Opaque to callers and the same for every adapter; they hold no filter, so a page may be asked anew with another.
 */
import { OpenMcpError } from "../spec/index.ts";

const MARK = "relays:";

/** The cursor for what comes after `place`, a positive safe integer. */
export function cursorAfter(place: number): string {
  return Buffer.from(`${MARK}${place}`, "latin1").toString("base64url");
}

/**
 * The place a cursor stands for; 0 without one.
 * @throws OpenMcpError `invalid-input`, field `cursor`, for anything `cursorAfter` didn't make.
 */
export function placeOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const text = Buffer.from(cursor, "base64url").toString("latin1");
  const place = text.startsWith(MARK) ? Number(text.slice(MARK.length)) : Number.NaN;
  if (!Number.isSafeInteger(place) || place < 1 || cursorAfter(place) !== cursor) {
    throw new OpenMcpError(
      "invalid-input",
      "cursor is not one that a list gave; leave it out for the first page, then pass nextCursor as it came.",
      { data: { field: "cursor" } },
    );
  }
  return place;
}
