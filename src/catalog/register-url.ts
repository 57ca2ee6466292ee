/**
 * One registration: probe the URL, write what was found, answer with the relay that was meant.
 * Concurrent registrations of one URL are one. The operation and the bulk runner both use it.
 */
import { canonicalEndpoint, type RegisterOutput } from "../spec/index.ts";
import type { StoredRelay } from "../store/index.ts";
import type { CatalogContext } from "./context.ts";
import { lookAgain } from "./look-again.ts";
import { notListed, optedOut } from "./not-listed.ts";
import { type Committed, commitFinding } from "./probe/commit-finding.ts";
import { probeDeps } from "./probe/context-deps.ts";
import type { Finding, Probe } from "./probe/finding.ts";
import { probeUrl } from "./probe/probe-url.ts";
import { mayPass } from "./probe/verdicts.ts";
import { shared } from "./shared.ts";
import { type OnStep, withSteps } from "./step-feed.ts";
import { unplanned } from "./watch/rules.ts";

export interface RegisterUrlOptions {
  readonly signal: AbortSignal;
  /** Told of each step as it is done, also of a registration of this URL that somebody else began. */
  readonly onStep?: OnStep | undefined;
  /** What the publisher of the endpoint at this URL calls it, where that was read; null: it was not. */
  readonly identifier?: string | null;
}

type Saved = Committed & { readonly kind: "saved" };

/**
 * Registers `url`, an absolute URL as `parseGivenUrl` gives it.
 * @throws OpenMcpError `not-listed`, `aborted`, `conflict`.
 */
export async function registerUrl(
  context: CatalogContext,
  url: string,
  { signal, onStep, identifier = null }: RegisterUrlOptions,
): Promise<RegisterOutput> {
  const endpoint = canonicalEndpoint(url);
  // Who knows what it is called joins nobody who does not.
  const key = `register ${endpoint}${identifier === null ? "" : ` as ${identifier}`}`;
  return withSteps(shared(context.store), { key, signal, onStep }, (joint, tell) =>
    register(context, url, { signal: joint, onStep: tell, identifier }),
  );
}

async function register(
  context: CatalogContext,
  url: string,
  { signal, onStep, identifier = null }: RegisterUrlOptions,
): Promise<RegisterOutput> {
  const { store } = context;
  const given = await store.relays.findByEndpoint(canonicalEndpoint(url));
  if (given !== null && given.endpoint !== canonicalEndpoint(url)) {
    // A former URL of a relay that moved: what was meant is the relay where it is now.
    return refreshed(context, given, { signal, onStep });
  }
  const deps = probeDeps(context, signal, { onStep });
  const { confirmOffline } = context.watch ?? unplanned;
  let probe = await probeUrl(url, deps);
  let attempts = 1;
  while (attempts < confirmOffline && mayPass(probe.finding.verdict)) {
    // One failing look takes no relay offline; a URL that nobody listed before gets no second chance here.
    const known = await store.relays.findByEndpoint(probe.finding.endpoint);
    if (known?.record.online !== true) break;
    probe = await probeUrl(url, deps);
    attempts += 1;
  }
  return write(context, named(probe, { endpoint: canonicalEndpoint(url), identifier }), {
    given,
    attempts,
    signal,
    onStep,
  });
}

async function write(
  context: CatalogContext,
  probe: Probe,
  options: RegisterUrlOptions & { readonly given: StoredRelay | null; readonly attempts: number },
): Promise<RegisterOutput> {
  const committed = new Map<Finding, Committed>();
  // The origin's own relay first: it may have moved, and make a given URL one of its former ones.
  const findings = [probe.finding, ...probe.others].sort((a, b) => vouched(b) - vouched(a));
  for (const finding of findings) {
    committed.set(finding, await commitFinding(context, finding, { via: null, attempts: options.attempts }));
  }
  const saved = findings
    .map((finding) => committed.get(finding))
    .filter((one): one is Saved => one?.kind === "saved");
  const main = committed.get(probe.finding);
  // A relay that is listed is what its URL means, also on a day when it does not answer.
  const meant =
    saved.find((one) => one.relay.id === options.given?.record.id) ??
    (main?.kind === "saved" ? main : undefined) ??
    (main?.kind === "alias" ? saved.find((one) => one.relay.id === main.of.record.id) : saved[0]);
  if (meant === undefined) {
    if (main?.kind === "alias") return refreshed(context, main.of, options);
    if (main?.kind === "opted-out") {
      throw optedOut(probe.finding, { removed: main.removed, steps: probe.steps });
    }
    throw notListed(probe);
  }
  const beside = saved.filter((one) => one !== meant).map((one) => one.relay);
  return {
    relay: meant.relay,
    event: meant.events[0] ?? null,
    events: meant.events,
    created: meant.created,
    ...(beside.length === 0 ? {} : { relays: beside }),
    ...(probe.more === 0 ? {} : { more: probe.more }),
  };
}

/** What is called so is the endpoint that was listed, and no other that a registration comes to. */
function named(
  probe: Probe,
  { endpoint, identifier }: { readonly endpoint: string; readonly identifier: string | null },
): Probe {
  if (identifier === null) return probe;
  const name = (finding: Finding): Finding =>
    finding.endpoint === endpoint ? { identifier, ...finding } : finding;
  return { ...probe, finding: name(probe.finding), others: probe.others.map(name) };
}

async function refreshed(
  context: CatalogContext,
  stored: StoredRelay,
  { signal, onStep }: RegisterUrlOptions,
): Promise<RegisterOutput> {
  const { relay, events } = await lookAgain(context, stored.record.id, { signal, onStep, via: null });
  return { relay, event: events[0] ?? null, events, created: false };
}

function vouched(finding: Finding): number {
  return finding.verifiedBy === null ? 0 : 1;
}
