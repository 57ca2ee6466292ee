/** A probe's dependencies from a catalog's context: what is remembered comes from the store, and looks shared with whoever looks too. */
import {
  descriptorUrl,
  type KnownDescriptor,
  readCard,
  readDescriptor,
  readIdentifier,
  readOrigin,
} from "../../discovery/index.ts";
import { canonicalEndpoint, recordEndpoint } from "../../spec/index.ts";
import type { StoredRelay } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { shared } from "../shared.ts";
import type { ProbeDeps } from "./finding.ts";
import { measuredLook } from "./measured-look.ts";

export interface ProbeDepsOptions {
  /** The relay that is looked at, as it was read just now. */
  readonly of?: StoredRelay;
  readonly knownDescriptor?: KnownDescriptor | null;
  readonly knownCard?: ProbeDeps["knownCard"];
  /** False: no card is searched for where none is known. */
  readonly searchCard?: boolean;
  /** Milliseconds for each look at an endpoint; default as relay/ has it. */
  readonly timeoutMs?: number | undefined;
  /** Told of each step as it is done. */
  readonly onStep?: ProbeDeps["onStep"] | undefined;
  /** True for a look under a lease, which counts it already. */
  readonly leased?: boolean;
}

export function probeDeps(
  context: CatalogContext,
  signal: AbortSignal,
  {
    of,
    knownDescriptor = null,
    knownCard = null,
    searchCard = true,
    leased = false,
    timeoutMs,
    onStep,
  }: ProbeDepsOptions = {},
): ProbeDeps {
  const { store, exchange, clock } = context;
  const { looks, courtesy } = shared(store);
  const politely: typeof courtesy.run = leased ? (_url, _signal, work) => work() : courtesy.run;
  return {
    exchange,
    signal,
    knownDescriptor,
    knownCard,
    searchCard,
    ...(onStep === undefined ? {} : { onStep }),
    now: () => clock.now(),
    async known(endpoint) {
      const stored = of?.endpoint === endpoint ? of : await store.relays.findByEndpoint(endpoint);
      // An alias is another endpoint than the relay's: nothing is known of it.
      if (stored === null || stored.endpoint !== endpoint) return null;
      return { url: recordEndpoint(stored.record), hints: stored.hints };
    },
    look: (url, options) =>
      looks.run(`look ${url}`, options.signal, (joint) =>
        politely(url, joint, () =>
          measuredLook(context, url, {
            ...options,
            signal: joint,
            ...(timeoutMs === undefined ? {} : { timeoutMs }),
          }),
        ),
      ),
    readDescriptor: (url, options) =>
      // Who must ask doesn't join one who may take it for granted.
      looks.run(
        `${options.known?.trustFreshness === true ? "reread" : "read"} ${descriptorUrl(url)}`,
        options.signal,
        (joint) => politely(url, joint, () => readDescriptor(url, { ...options, signal: joint })),
      ),
    readCard: (url, options) =>
      looks.run(
        `${options.known == null ? "card of" : "card again of"} ${canonicalEndpoint(url)}`,
        options.signal,
        (joint) => politely(url, joint, () => readCard(url, { ...options, signal: joint })),
      ),
    readOrigin: (url, options) =>
      looks.run(`published ${url}`, options.signal, (joint) =>
        politely(url, joint, () =>
          // The descriptor and the reserved place of a card are asked for by endpoint.
          readOrigin(url, { ...options, signal: joint, descriptor: false, reserved: false }),
        ),
      ),
    readIdentifier: (url, options) =>
      looks.run(
        `identifier of ${canonicalEndpoint(options.endpoint)} at ${new URL(url).origin}`,
        options.signal,
        (joint) => politely(url, joint, () => readIdentifier(url, { ...options, signal: joint })),
      ),
  };
}

/** The card that a record was verified by, where it may be asked for conditionally: what a 304 stands for is in the record. */
export function knownCardOf(
  { record, document }: StoredRelay,
  { trustFreshness }: { readonly trustFreshness: boolean },
): ProbeDeps["knownCard"] {
  if (document === null || record.probe.verifiedBy !== "server-card") return null;
  const { descriptor, source } = record;
  return { document, trustFreshness, word: { descriptor, source } };
}

/** The descriptor that a record holds, where it may be asked for conditionally: the body of a 304 is the record's. */
export function knownDescriptorOf(
  { record, document }: StoredRelay,
  { trustFreshness }: { readonly trustFreshness: boolean },
): KnownDescriptor | null {
  if (document === null || record.probe.verifiedBy !== "openmcp") return null;
  return {
    document,
    trustFreshness,
    found: {
      outcome: "served",
      descriptor: record.descriptor,
      endpoint: recordEndpoint(record),
      source: record.source,
    },
  };
}
