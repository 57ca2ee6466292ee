/**
 * A `fetch` for connections that stand for days: no limit for silence, which Node's own has at five minutes. Proxies are the
 * environment's (HTTPS_PROXY and its like).
 */
import { EnvHttpProxyAgent, fetch } from "undici";
import type { BridgeOptions } from "../../client/index.ts";

export interface SteadyFetch extends AsyncDisposable {
  readonly fetch: NonNullable<BridgeOptions["fetch"]>;
}

export function steadyFetch(): SteadyFetch {
  const dispatcher = new EnvHttpProxyAgent({ bodyTimeout: 0, headersTimeout: 0 });
  return {
    fetch: ((input: string | URL, init: object) =>
      fetch(input, { ...init, dispatcher })) as unknown as SteadyFetch["fetch"],
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}
