/**
 * A relay's answer on its way to one reader: pulled, never pushed, so that a slow reader pauses the relay's socket and fills no memory
 * (net/ holds a quarter of a MiB before it does). A reader that takes nothing for a while is cut: it holds a place that others wait for.
 */
import { type Clock, isOpenMcpError } from "../../spec/index.ts";
import { SLOW_READER_MS } from "./limits.ts";

/** `broken`: the relay's end, or a limit on it. */
export type EndOfPassage = "whole" | "left" | "slow" | "broken" | "closed";

export interface PassageStreamOptions {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly clock: Clock;
  /** Drops the reader's connection, so that what broke off is not taken for whole; false where there is none to drop. */
  readonly cut: () => boolean;
  /** Called once; `error` only with `broken`. */
  readonly onEnd: (how: EndOfPassage, error?: unknown) => void;
}

export interface PassageStream {
  readonly body: ReadableStream<Uint8Array>;
  /** Ends it where it is. Idempotent. */
  close(): void;
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

export function createPassageStream({ chunks, clock, cut, onEnd }: PassageStreamOptions): PassageStream {
  const iterator = chunks[Symbol.asyncIterator]();
  /** Aborted when the reader takes what was written last. */
  let untaken = new AbortController();
  let controller: Controller | null = null;
  let over = false;

  function end(how: EndOfPassage, error?: unknown): boolean {
    if (over) return false;
    over = true;
    untaken.abort();
    onEnd(how, error);
    return true;
  }

  function breakOff(how: EndOfPassage, error?: unknown): void {
    if (!end(how, error)) return;
    if (cut()) controller?.close();
    else controller?.error(new Error("the answer broke off"));
  }

  async function expectReader(): Promise<void> {
    untaken = new AbortController();
    try {
      await clock.sleep(SLOW_READER_MS, untaken.signal);
    } catch {
      // It took it, or the stream has ended in another way.
      return;
    }
    breakOff("slow");
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      async pull(to) {
        untaken.abort();
        try {
          const { done, value } = await iterator.next();
          if (over) return;
          if (done === true) {
            end("whole");
            to.close();
          } else {
            to.enqueue(value);
            void expectReader();
          }
        } catch (error) {
          // Who hung up reads no more; what was aborted without that is our own stopping.
          breakOff(isOpenMcpError(error, "aborted") ? "left" : "broken", error);
        }
      },
      cancel() {
        end("left");
      },
    },
    { highWaterMark: 0 },
  );
  return { body, close: () => breakOff("closed") };
}
