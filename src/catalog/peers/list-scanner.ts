/**
 * Takes a catalog's `{relays: […], nextCursor}` apart while it comes in: each entry is a text of its own, so that one that
 * is broken hides none after it, and no more than one is held. It checks no grammar beyond where things begin and end;
 * whoever gets an entry parses it.
 */
import { MAX_PEER_CURSOR_CHARS } from "./limits.ts";

export interface ListScanner {
  /** The entries that ended in this piece; null for one that is larger than it may be. */
  push(piece: Uint8Array): readonly (string | null)[];
  /** True once the document has closed. */
  readonly complete: boolean;
  /** True once `relays` was seen to be a list. */
  readonly hasList: boolean;
  /** A text that is not empty, else null. */
  readonly nextCursor: string | null;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

const MAX_KEY_BYTES = 100;
/** Every character escaped (`\u0041`), and the quotes. */
const MAX_CURSOR_BYTES = 6 * MAX_PEER_CURSOR_CHARS + 2;

export function createListScanner({ maxEntryBytes }: { readonly maxEntryBytes: number }): ListScanner {
  const captured = createCapture();
  let depth = 0;
  let inString = false;
  let escaped = false;
  let key: unknown = null;
  let inList = false;
  let complete = false;
  let hasList = false;
  let nextCursor: string | null = null;

  function endMember(piece: Uint8Array, at: number): void {
    const text = captured.end(piece, at);
    if (key !== "nextCursor") return;
    const value = text === null ? null : parsed(text);
    nextCursor = typeof value === "string" && value !== "" ? value : null;
  }

  function push(piece: Uint8Array): readonly (string | null)[] {
    const entries: (string | null)[] = [];
    const endEntry = (at: number): void => {
      const text = captured.end(piece, at);
      if (text === null || text.trim() !== "") entries.push(text);
    };
    for (let at = 0; at < piece.length && !complete; at += 1) {
      const byte = piece[at] as number;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === 0x7b || byte === 0x5b) {
        depth += 1;
        if (depth === 1) captured.begin(at + 1, MAX_KEY_BYTES);
        else if (depth === 2 && byte === 0x5b && key === "relays") {
          inList = true;
          hasList = true;
          captured.begin(at + 1, maxEntryBytes);
        }
      } else if (byte === 0x7d || byte === 0x5d) {
        depth -= 1;
        if (depth === 1 && inList) {
          endEntry(at);
          inList = false;
        } else if (depth <= 0) {
          endMember(piece, at);
          complete = true;
        }
      } else if (byte === COMMA && depth === 2 && inList) {
        endEntry(at);
        captured.begin(at + 1, maxEntryBytes);
      } else if (byte === COMMA && depth === 1) {
        endMember(piece, at);
        key = null;
        captured.begin(at + 1, MAX_KEY_BYTES);
      } else if (byte === COLON && depth === 1) {
        key = parsed(captured.end(piece, at) ?? "");
        if (key === "nextCursor") captured.begin(at + 1, MAX_CURSOR_BYTES);
      }
    }
    captured.hold(piece);
    return entries;
  }

  return {
    push,
    get complete() {
      return complete;
    },
    get hasList() {
      return hasList;
    },
    get nextCursor() {
      return nextCursor;
    },
  };
}

/** Bytes between two places that may lie in different pieces, up to a limit. */
function createCapture() {
  let held: Uint8Array[] = [];
  let size = 0;
  let most = 0;
  /** Where it goes on in the piece at hand; -1: nothing is captured. */
  let from = -1;

  function take(piece: Uint8Array, to: number): void {
    size += to - from;
    if (size > most) held = [];
    else held.push(piece.slice(from, to));
  }

  return {
    begin(at: number, maxBytes: number): void {
      held = [];
      size = 0;
      most = maxBytes;
      from = at;
    },
    /** The text up to `at`; null when it is over the limit or nothing was captured. */
    end(piece: Uint8Array, at: number): string | null {
      if (from < 0) return null;
      take(piece, at);
      from = -1;
      return size > most ? null : Buffer.concat(held).toString("utf8");
    },
    /** Keeps what the piece has of it: the next one goes on at its start. */
    hold(piece: Uint8Array): void {
      if (from < 0) return;
      take(piece, piece.length);
      from = 0;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
