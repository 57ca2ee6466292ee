/**
 * A `fetch` whose answers end somewhere: a server that never stops sending takes no tab with it. Of a stream of events each line is
 * bounded, and the whole is not: it may live as long as the page.
 */
type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

const LINE_END = 10;

export function boundedFetch(fetch: Fetch, maxBytes: number): Fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    if (answer.body === null) return answer;
    const stream = /^text\/event-stream\b/i.test(answer.headers.get("content-type") ?? "");
    let bytes = 0;
    const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        const end = stream ? chunk.lastIndexOf(LINE_END) : -1;
        bytes = end === -1 ? bytes + chunk.length : chunk.length - end;
        if (bytes <= maxBytes) controller.enqueue(chunk);
        else
          controller.error(
            new Error(`It sends more than ${maxBytes / 1_000_000} MB at once: that is not read.`),
          );
      },
    });
    const { status, statusText, headers, url } = answer;
    const bounded = new Response(answer.body.pipeThrough(counter), { status, statusText, headers });
    // A constructed answer has no URL; readers of redirects need one.
    return Object.defineProperty(bounded, "url", { value: url });
  };
}
