/**
 * A stream of notices whose reader may be slow: what it has not taken is bounded. The SDK writes on without looking, so that a
 * reader that takes nothing would keep in memory whatever the server has to tell; the stream of one that is too far behind
 * ends instead; it opens another, and reads again what changed. A call's own stream ends with its call and is no matter of this file.
 */
import { MAX_STREAM_BACKLOG_BYTES } from "../limits.ts";
import { rebuiltBody } from "./rebuilt-body.ts";

/** The same answer; `onEnd` is called once, when its body has ended, its reader is gone, or is too slow. */
export function boundedStream(response: Response, onEnd: () => void): Response {
  return rebuiltBody(response, onEnd, {
    source: (reader, end) => ({
      start(controller) {
        void pump(reader, controller)
          .catch((error: unknown) => controller.error(error))
          .finally(end);
      },
    }),
    // Written out: not every runtime has `ByteLengthQueuingStrategy`.
    strategy: { highWaterMark: MAX_STREAM_BACKLOG_BYTES, size: (chunk) => chunk?.byteLength ?? 0 },
  });
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  controller: ReadableStreamDefaultController<Uint8Array>,
): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    // One message may be larger than all that may wait.
    const tooSlow = !done && (controller.desiredSize ?? 0) <= 0;
    if (tooSlow) await reader.cancel();
    if (done || tooSlow) return controller.close();
    controller.enqueue(value);
  }
}
