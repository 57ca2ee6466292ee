/** A `fetch` whose answers end with `too-large` past a limit of bytes: for the catalog over MCP, where the SDK reads the body. */
import { tooLarge } from "./bounded-text.ts";
import type { Fetch } from "./settings.ts";

export function boundedFetch(fetch: Fetch, maxBytes: number): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    let bytes = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(part, controller) {
          bytes += part.byteLength;
          if (bytes > maxBytes) controller.error(tooLarge(maxBytes));
          else controller.enqueue(part);
        },
      }),
    );
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}
