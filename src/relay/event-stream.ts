/**
 * Reads a `text/event-stream` as it arrives (HTML standard, section 9.2.6): lines ended by CRLF, LF or CR, several `data:`
 * lines, comments, events cut anywhere by chunks. Linear in its input, however long one event is. Pure; bounds are the
 * caller's, who counts the bytes.
 */

export interface StreamEvent {
  /** `message` unless the stream names another. */
  readonly type: string;
  readonly data: string;
}

export interface EventStreamParser {
  /** Decoded text without its byte order mark; calls back for each event that it completes. */
  push(text: string): void;
  /** The last event of a stream that ends without an empty line: servers forget it, and the data is whole. */
  end(): void;
}

export function createEventStreamParser(onEvent: (event: StreamEvent) => void): EventStreamParser {
  /** The pieces of a line that has not ended. */
  let pieces: string[] = [];
  let data: string[] = [];
  let type = "";
  /** The last chunk ended in CR: a LF that follows belongs to it. */
  let afterReturn = false;

  function dispatch(): void {
    if (data.length > 0)
      onEvent({
        type: type === "" ? "message" : type,
        data: data.length === 1 ? (data[0] ?? "") : data.join("\n"),
      });
    data = [];
    type = "";
  }

  function line(text: string): void {
    if (text === "") {
      dispatch();
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon === -1 ? text : text.slice(0, colon);
    if (field !== "data" && field !== "event") return;
    const start = text.charCodeAt(colon + 1) === 0x20 ? colon + 2 : colon + 1;
    const value = colon === -1 ? "" : text.slice(start);
    if (field === "data") data.push(value);
    else type = value;
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
