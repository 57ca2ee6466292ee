/**
 * One reader's stream: pulled, never pushed, so that what is in memory for a reader is what it is being sent and no more.
 * A reader that takes nothing for a while is told where to resume, and cut when it does not take that either.
 */
import type { ChangeFeed, ToldChange } from "../../catalog/index.ts";
import { type ChangesFilter, type Clock, isOpenMcpError } from "../../spec/index.ts";
import { HEARTBEAT_MS, LAST_WORD_MS, PIECE_BYTES, SLOW_READER_MS } from "./limits.ts";
import { changeText, cutText, heartbeatText, openingText } from "./write-event.ts";

/** `outrun`: what it was to be sent next is no longer kept. */
export type EndOfStream = "left" | "slow" | "outrun" | "closed" | "failed";

export interface EventStreamOptions {
  readonly feed: ChangeFeed;
  readonly clock: Clock;
  readonly since: number;
  readonly filter: ChangesFilter;
  /** Drops the connection of a reader that takes nothing any more. */
  readonly cut: () => void;
  /** Called once; `error` only with `failed`. */
  readonly onEnd: (how: EndOfStream, error?: unknown) => void;
}

export interface EventStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Ends it between two events. Idempotent. */
  close(): void;
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

export function createEventStream(options: EventStreamOptions): EventStream {
  const { clock, cut, onEnd } = options;
  const encoder = new TextEncoder();
  const over = new AbortController();
  /** Aborted when the reader takes what was written last. */
  let untaken = new AbortController();
  /** Of one record that is larger than a piece. */
  let unsent = new Uint8Array();
  let controller: Controller | null = null;
  const teller = createTeller(options, over.signal);

  function end(how: EndOfStream, error?: unknown): boolean {
    if (over.signal.aborted) return false;
    over.abort();
    if (how !== "slow") untaken.abort();
    onEnd(how, error);
    return true;
  }

  async function expectReader(to: Controller): Promise<void> {
    untaken.abort();
    untaken = new AbortController();
    const { signal } = untaken;
    try {
      await clock.sleep(SLOW_READER_MS, signal);
      if (!end("slow")) return;
      // In the middle of an event it would be a part of it; the end alone says as much.
      if (unsent.length === 0) to.enqueue(encoder.encode(cutText(teller.place())));
      to.close();
      await clock.sleep(LAST_WORD_MS, signal);
      cut();
    } catch {
      // It took it, or the stream has ended in another way.
    }
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      async pull(to) {
        untaken.abort();
        try {
          if (unsent.length === 0) unsent = encoder.encode(await teller.next());
          if (over.signal.aborted) return;
          to.enqueue(unsent.subarray(0, PIECE_BYTES));
          unsent = unsent.subarray(PIECE_BYTES);
          void expectReader(to);
        } catch (error) {
          // Who comes back to a place that is no longer there is told so by its 410.
          const how = isOpenMcpError(error, "gone") ? "outrun" : "failed";
          if (end(how, error)) to.close();
        }
      },
      cancel() {
        untaken.abort();
        end("left");
      },
    },
    { highWaterMark: 0 },
  );

  return {
    body,
    close() {
      untaken.abort();
      if (end("closed")) controller?.close();
    },
  };
}

interface Teller {
  /** The next piece of text, when there is one. */
  next(): Promise<string>;
  /** What the reader has been sent up to. */
  place(): number;
}

/** What a reader is told, piece by piece: the opening, changes, heartbeats. */
function createTeller({ feed, since, filter }: EventStreamOptions, signal: AbortSignal): Teller {
  let place = since;
  let opened = false;
  /** Read and not yet sent. */
  let waiting: readonly ToldChange[] = [];
  let placeAfter = since;

  function piece(): string {
    let text = "";
    let sent = 0;
    for (const change of waiting) {
      const more = changeText(change);
      if (sent > 0 && text.length + more.length > PIECE_BYTES) break;
      text += more;
      sent += 1;
      place = change.seq;
    }
    waiting = waiting.slice(sent);
    if (waiting.length === 0) place = placeAfter;
    return text;
  }

  return {
    place: () => place,
    async next() {
      if (!opened) {
        opened = true;
        return openingText(place);
      }
      if (waiting.length === 0) {
        const read = await feed.follow(place, { ...filter, waitMs: HEARTBEAT_MS, signal });
        waiting = read.changes;
        placeAfter = read.next;
      }
      if (waiting.length > 0) return piece();
      place = placeAfter;
      return heartbeatText(place);
    },
  };
}
