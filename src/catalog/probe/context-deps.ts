/** A probe's dependencies from a catalog's context: what is remembered comes from the store, and looks shared with whoever looks too. */
import { descriptorUrl, readDescriptor } from "../../discovery/index.ts";
import { look } from "../../relay/index.ts";
import { recordEndpoint } from "../../spec/index.ts";
import type { CatalogContext } from "../context.ts";
import { shared } from "../shared.ts";
import type { ProbeDeps } from "./finding.ts";

export function probeDeps(context: CatalogContext, signal: AbortSignal): ProbeDeps {
  const { store, exchange, clock } = context;
  const { looks } = shared(store);
  return {
    exchange,
    signal,
    now: () => clock.now(),
    async known(endpoint) {
      const stored = await store.relays.findByEndpoint(endpoint);
      // An alias is another endpoint than the relay's: nothing is known of it.
      if (stored === null || stored.endpoint !== endpoint) return null;
      return { url: recordEndpoint(stored.record), hints: stored.hints };
    },
    look: (url, options) =>
      looks.run(`look ${url}`, options.signal, (joint) => look(url, { ...options, signal: joint })),
    readDescriptor: (url, options) =>
      looks.run(`read ${descriptorUrl(url)}`, options.signal, (joint) =>
        readDescriptor(url, { ...options, signal: joint }),
      ),
  };
}
