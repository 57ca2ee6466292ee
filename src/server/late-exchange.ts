/**
 * The network, loaded when the first exchange needs it: the HTTP client is the largest part of what a catalog loads,
 * and a start with no outbound traffic should not wait for it. Adds nothing to the policy and nothing to an exchange.
 */
import type { ExchangeIdentity, NetworkPolicy, OwnedExchange } from "../net/index.ts";
import type { Exchange } from "../spec/index.ts";

export interface LateExchange extends AsyncDisposable {
  readonly exchange: Exchange;
  /** Loads it now. */
  warm(): Promise<void>;
  /** Idempotent. */
  close(): Promise<void>;
}

export function createLateExchange(policy: NetworkPolicy, identity: ExchangeIdentity): LateExchange {
  let loading: Promise<OwnedExchange> | null = null;
  let loaded: OwnedExchange | null = null;

  function load(): Promise<OwnedExchange> {
    loading ??= import("../net/index.ts").then(({ createExchange }) => {
      loaded = createExchange(policy, identity);
      return loaded;
    });
    return loading;
  }

  const close = async (): Promise<void> => {
    if (loading !== null) await (await loading).close();
  };
  return {
    exchange: async (request, limits) => (loaded ?? (await load())).exchange(request, limits),
    async warm() {
      await load();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
