/**
 * Reads a `text/event-stream` as it arrives (HTML standard, section 9.2.6): lines ended by CRLF, LF or CR, several `data:`
 * lines, comments, ids, events cut anywhere by chunks. Linear in its input, however long one event is. Pure; bounds are the
 * caller's, who counts the bytes. What relays answer and what a catalog's client follows is read with it.
 */

export interface StreamEvent {
  /** `message` unless the stream names another. */
  readonly type: string;
  readonly data: string;
}

export interface EventStreamListeners {
  /** The place in the stream, after the event that stands there; also where a block has an id and no event. */
  readonly onId?: (id: string) => void;
  /** Milliseconds to wait before coming back. */
  readonly onRetry?: (ms: number) => void;
}

export interface EventStreamParser {
  /** Decoded text without its byte order mark; calls back for each event that it completes. */
  push(text: string): void;
  /** The last event of a stream that ends without an empty line: servers forget it, and the data is whole. */
  end(): void;
}

export function createEventStreamParser(
  onEvent: (event: StreamEvent) => void,
  { onId, onRetry }: EventStreamListeners = {},
): EventStreamParser {
  /** The pieces of a line that has not ended. */
  let pieces: string[] = [];
  let data: string[] = [];
  let type = "";
  let id: string | null = null;
  /** The last chunk ended in CR: a LF that follows belongs to it. */
  let afterReturn = false;

  function dispatch(): void {
    if (data.length > 0)
      onEvent({
        type: type === "" ? "message" : type,
        data: data.length === 1 ? (data[0] ?? "") : data.join("\n"),
      });
    if (id !== null) onId?.(id);
    data = [];
    type = "";
    id = null;
  }

  function line(text: string): void {
    if (text === "") {
      dispatch();
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon === -1 ? text : text.slice(0, colon);
    if (field !== "data" && field !== "event" && field !== "id" && field !== "retry") return;
    const start = text.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1;
    const value = colon === -1 ? "" : text.slice(start);
    if (field === "data") data.push(value);
    else if (field === "event") type = value;
    else if (field === "retry") {
      if (/^\d{1,9}$/.test(value)) onRetry?.(Number(value));
    } else if (!value.includes("\0")) id = value;
  }

  function push(text: string): void {
    let at = afterReturn && text.startsWith("\n") ? 1 : 0;
    if (text !== "") afterReturn = false;
    // Each mark is looked for again only once it is passed, so a chunk without one of them is searched once for it.
    let feed = text.indexOf("\n", at);
    let back = text.indexOf("\r", at);
    for (;;) {
      if (feed !== -1 && feed < at) feed = text.indexOf("\n", at);
      if (back !== -1 && back < at) back = text.indexOf("\r", at);
      const end = feed === -1 ? back : back === -1 ? feed : Math.min(feed, back);
      if (end === -1) break;
      pieces.push(text.slice(at, end));
      const whole = pieces.length === 1 ? (pieces[0] ?? "") : pieces.join("");
      pieces = [];
      line(whole);
      at = end + 1;
      if (end === back) {
        if (text.charCodeAt(at) === 0x0a) at++;
        else if (at === text.length) afterReturn = true;
      }
    }
    if (at < text.length) pieces.push(text.slice(at));
  }

  function end(): void {
    if (pieces.length > 0) line(pieces.join(""));
    pieces = [];
    dispatch();
  }

  return { push, end };
}
