/**
 * A `fetch` that writes down what goes through it: each request with its message, each answer, each event of a stream as it comes,
 * before the client reads it. Bodies go on as they came.
 */
import type { Wire } from "./wire.ts";

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

export interface RecordOptions {
  readonly wire: Wire;
  /** What is sent with every request: the credential and headers that the person typed. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly now: () => number;
}

export function recordingFetch(fetch: Fetch, { wire, headers: own, now }: RecordOptions): Fetch {
  return async (input, init = {}) => {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(own())) headers.set(name, value);
    const started = now();
    const via = init.method ?? "GET";
    wire.add({
      at: started,
      direction: "out",
      via,
      status: null,
      ms: null,
      headers: [...headers],
      text: typeof init.body === "string" ? init.body : "",
    });
    let response: Response;
    try {
      response = await fetch(input, { ...init, headers });
    } catch (error) {
      const aborted = init.signal?.aborted === true;
      wire.add({
        at: now(),
        direction: "in",
        via: aborted ? "ended" : "failed",
        status: null,
        ms: now() - started,
        headers: [],
        text: "",
      });
      throw error;
    }
    const came = (via: string, text: string): void =>
      wire.add({
        at: now(),
        direction: "in",
        via,
        status: response.status,
        ms: now() - started,
        headers: [...response.headers],
        text,
      });
    if (response.body === null) {
      came("http", "");
      return response;
    }
    if (/^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "")) {
      came("stream", "");
      return passedOn(response, response.body.pipeThrough(eventReader((text) => came("event", text))));
    }
    const text = await response.text();
    came(text === "" ? "http" : "answer", text);
    return passedOn(response, text);
  };
}

/** A constructed answer has no URL; readers of redirects need one. */
function passedOn(answer: Response, body: ConstructorParameters<typeof Response>[0]): Response {
  const { status, statusText, headers } = answer;
  return Object.defineProperty(new Response(body, { status, statusText, headers }), "url", {
    value: answer.url,
  });
}

/** Tells the `data` of each event, lines joined (HTML standard, "Server-sent events"), before the bytes go on. */
function eventReader(
  event: (text: string) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  return new TransformStream({
    transform(chunk, controller) {
      // A line's end may come in two halves: what has none yet waits for the next chunk.
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? "";
      for (const line of lines) {
        if (line === "") {
          if (data.length > 0) event(data.join("\n"));
          data = [];
        } else if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
      }
      controller.enqueue(chunk);
    },
  });
}
