/**
 * A WHATWG `fetch` over an exchange, for libraries that take one (the official SDK, executors of OpenAPI operations).
 * Differences to a browser's: no cookies, no cache, no CORS; request bodies are read whole before they are sent;
 * a failure rejects with `OpenMcpError` and not with a bare `TypeError`, as its code is what callers need.
 */
import {
  type Exchange,
  type ExchangeLimits,
  type ExchangeRequest,
  type ExchangeResponse,
  OpenMcpError,
} from "../spec/index.ts";

const methods: ReadonlySet<string> = new Set<ExchangeRequest["method"]>([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** Statuses that a `Response` must not have a body with (Fetch standard, "null body status"). */
const bodiless = new Set([204, 205, 304]);

/**
 * Makes a `fetch` whose every call has these limits. `redirect: "manual"` answers the 3xx itself, `"error"` rejects with
 * `too-many-redirects`; an aborted signal rejects with its own reason, as fetch does.
 */
export function createFetch(exchange: Exchange, limits: ExchangeLimits): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method, signal } = request;
    if (!methods.has(method)) {
      throw new OpenMcpError("invalid-input", `method ${JSON.stringify(method)} is not one that can be sent`);
    }
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    try {
      const answer = await exchange(
        {
          method: method as ExchangeRequest["method"],
          url: request.url,
          headers: Object.fromEntries(request.headers),
          signal,
          ...(body === undefined ? {} : { body }),
        },
        request.redirect === "follow" ? limits : { ...limits, maxRedirects: 0 },
      );
      if (
        request.redirect === "error" &&
        answer.status >= 300 &&
        answer.status < 400 &&
        answer.headers.location
      ) {
        answer.cancel();
        throw new OpenMcpError("too-many-redirects", "the answer is a redirect, and none was to be followed");
      }
      return asResponse(answer, request);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  };
}

/** @throws RangeError or TypeError when the answer is nothing that a `Response` can hold; its connection is closed. */
function asResponse(answer: ExchangeResponse, { method, signal }: Request): Response {
  const empty = method === "HEAD" || bodiless.has(answer.status);
  try {
    const response = new Response(empty ? null : asStream(answer.body, signal), {
      status: answer.status,
      headers: answer.headers,
    });
    if (empty) answer.cancel();
    // A constructed Response has no URL; readers of redirects and relative links need one.
    return Object.defineProperties(response, {
      url: { value: answer.url },
      redirected: { value: answer.hops.length > 1 },
    });
  } catch (error) {
    answer.cancel();
    throw error;
  }
}

/** Pulled chunk by chunk: what nobody reads stays in the socket. */
function asStream(
  body: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value as Uint8Array<ArrayBuffer>);
        } catch (error) {
          controller.error(signal.aborted ? signal.reason : error);
        }
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
