/**
 * An `Exchange` over a WHATWG `fetch`, for who has one of those: a browser, an edge runtime. Time and bytes are bounded here;
 * where it may go is the fetch's own policy, and so are redirects, which a browser follows without asking.
 */
import { type Exchange, type ExchangeResponse, isOpenMcpError, OpenMcpError } from "../spec/index.ts";

/** The shape of `fetch` that is needed. */
export type Fetch = (input: string, init?: RequestInit) => Promise<Response>;

export function exchangeOf(fetch: Fetch): Exchange {
  return async (request, limits) => {
    const timer = AbortSignal.timeout(limits.timeoutMs);
    const dropped = new AbortController();
    const signals = [timer, dropped.signal, ...(request.signal === undefined ? [] : [request.signal])];
    const failed = (cause: unknown): OpenMcpError => {
      if (request.signal?.aborted === true) {
        return new OpenMcpError("aborted", "the request was given up", { cause });
      }
      if (isOpenMcpError(cause)) return cause;
      const { host } = new URL(request.url);
      if (timer.aborted) {
        const seconds = limits.timeoutMs / 1_000;
        return new OpenMcpError("timeout", `no whole answer from ${host} within ${seconds} s`, { cause });
      }
      // A browser does not say which of these it was.
      return new OpenMcpError("unreachable", `${host} could not be reached, or does not allow to be read`, {
        cause,
      });
    };
    try {
      const response = await fetch(request.url, {
        method: request.method,
        headers: { ...request.headers },
        signal: AbortSignal.any(signals),
        redirect: limits.maxRedirects === 0 ? "manual" : "follow",
        ...(request.body === undefined ? {} : { body: request.body as string | Uint8Array<ArrayBuffer> }),
      });
      const url = response.url === "" ? request.url : response.url;
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        url,
        hops: url === request.url ? [url] : [request.url, url],
        body: bounded(response, { maxBytes: limits.maxBodyBytes, failed }),
        cancel: () => dropped.abort(),
      } satisfies ExchangeResponse;
    } catch (cause) {
      throw failed(cause);
    }
  };
}

/** Leaving the loop early drops the body. */
async function* bounded(
  response: Response,
  { maxBytes, failed }: { readonly maxBytes: number; readonly failed: (cause: unknown) => OpenMcpError },
): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        throw new OpenMcpError("too-large", `the answer is larger than the ${maxBytes} bytes allowed for it`);
      }
      yield value;
    }
  } catch (cause) {
    throw failed(cause);
  } finally {
    // It may be broken already; that it can't be cancelled then says nothing new.
    await reader.cancel().catch(() => undefined);
  }
}
