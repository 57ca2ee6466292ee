/**
 * A look at a relay that is listed, by hand or as planned: by hand it settles at once whether the relay is down, as planned
 * one look is all, and the schedule brings the next. The path is followed when its own origin says that it moved.
 */
import { type EventName, type RelayRecord, recordEndpoint } from "../spec/index.ts";
import type { StoredRelay } from "../store/index.ts";
import type { CatalogContext } from "./context.ts";
import { HAND_LOOKS_MS, MIN_LOOK_MS, PUBLISHED_SEARCH_MS } from "./limits.ts";
import { relayNotFound } from "./not-found.ts";
import { optedOut } from "./not-listed.ts";
import { type CommitOptions, type Committed, commitFinding } from "./probe/commit-finding.ts";
import { knownCardOf, knownDescriptorOf, probeDeps } from "./probe/context-deps.ts";
import type { ProbeDeps } from "./probe/finding.ts";
import { probeRelay, type Relook } from "./probe/probe-relay.ts";
import { mayPass } from "./probe/verdicts.ts";
import { shared } from "./shared.ts";
import { type OnStep, withSteps } from "./step-feed.ts";
import { unplanned } from "./watch/rules.ts";

export interface LookAgainOptions {
  readonly signal: AbortSignal;
  /** The owner of the lease under which a planned look is made; absent: it is made by hand. */
  readonly lease?: string;
  /** Waited for between what the relay answered and what is made of it; absent: nothing is waited for. */
  readonly turn?: () => Promise<void>;
  /** Null makes the record a direct one. */
  readonly via?: null;
  /** Told of each step as it is done, also of a look that somebody else began. */
  readonly onStep?: OnStep | undefined;
}

export interface LookedAgain {
  readonly relay: RelayRecord;
  readonly events: readonly EventName[];
}

/**
 * One probe for all who ask by hand at once.
 * @throws OpenMcpError `not-found`, `aborted`, `conflict`; `not-listed` when its owner wants no listing: it is removed then.
 */
export async function lookAgain(
  context: CatalogContext,
  id: string,
  options: LookAgainOptions,
): Promise<LookedAgain> {
  const stored = await context.store.relays.get(id);
  if (stored === null) throw await relayNotFound(context.store, id);
  // Who asks by hand wants a verdict, and doesn't join a look that leaves it open.
  const byHand = options.via === undefined ? "again" : "again, as registered here";
  const key = options.lease === undefined ? byHand : `planned ${options.lease}`;
  const attributes = { "openmcp.relay": stored.record.id };
  return withSteps(
    shared(context.store),
    { key: `${key} ${stored.endpoint}`, signal: options.signal, onStep: options.onStep },
    (signal, onStep) =>
      context.tracer.span("look", { attributes }, () =>
        look(context, stored, { ...options, signal, onStep }),
      ),
  );
}

async function look(
  context: CatalogContext,
  stored: StoredRelay,
  options: LookAgainOptions,
): Promise<LookedAgain> {
  const { record } = stored;
  const planned = options.lease !== undefined;
  const isSearched = !planned || isSearchDue(record, context.clock.now());
  const known = {
    url: recordEndpoint(record),
    vouchedFor: record.probe.verifiedBy === "openmcp",
    seekIdentifier: isSearched && record.identifier === undefined,
  };
  const deps = (timeoutMs?: number): ProbeDeps =>
    probeDeps(context, options.signal, {
      of: stored,
      leased: planned,
      knownDescriptor: knownDescriptorOf(stored, { trustFreshness: planned }),
      knownCard: knownCardOf(stored, { trustFreshness: planned }),
      searchCard: isSearched,
      timeoutMs,
      onStep: options.onStep,
    });
  const looks = planned ? 1 : (context.watch ?? unplanned).confirmOffline;
  const until = context.clock.now() + HAND_LOOKS_MS;
  let relook = await probeRelay(known, deps());
  let attempts = 1;
  while (attempts < looks && failing(relook)) {
    // What is left of the time is shared out, so that one who hangs is called offline while somebody still waits.
    const left = Math.max(0, until - context.clock.now());
    relook = await probeRelay(known, deps(Math.max(MIN_LOOK_MS, left / (looks - attempts))));
    attempts += 1;
  }
  await options.turn?.();
  const commit: CommitOptions = {
    of: record.id,
    before: stored,
    attempts,
    ...(options.lease === undefined ? {} : { lease: options.lease }),
    ...(options.via === undefined ? {} : { via: options.via }),
  };
  const moved = relook.moved === null ? null : await commitFinding(context, relook.moved, commit);
  const committed = isDone(moved) ? moved : await commitFinding(context, relook.finding, commit);
  if (committed.kind === "opted-out") {
    const { finding } = relook;
    throw optedOut(finding, { removed: committed.removed, steps: finding.verdict.steps });
  }
  if (committed.kind !== "saved") throw await relayNotFound(context.store, record.id);
  return { relay: committed.relay, events: committed.events };
}

/**
 * Once in each day of its life it is asked for what it may publish by now: a card, a name in its AI Catalog. Planned looks cost as
 * little as they can, and who publishes something registers or refreshes.
 */
function isSearchDue({ firstSeenAt, probe }: RelayRecord, now: number): boolean {
  const day = (at: number): number => Math.floor((at - Date.parse(firstSeenAt)) / PUBLISHED_SEARCH_MS);
  return day(now) !== day(Date.parse(probe.at));
}

function isDone(committed: Committed | null): committed is Committed {
  return committed?.kind === "saved" || committed?.kind === "opted-out";
}

function failing({ finding, moved }: Relook): boolean {
  return mayPass((moved ?? finding).verdict);
}
