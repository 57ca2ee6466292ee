/**
 * A look at a relay that is listed, by hand or by a sweep: one probe for all who ask at once, a second look before a
 * relay is called offline, and the path followed when its own origin says that it moved.
 */
import { type EventName, type RelayRecord, recordEndpoint } from "../spec/index.ts";
import type { StoredRelay } from "../store/index.ts";
import type { CatalogContext } from "./context.ts";
import { relayNotFound } from "./not-found.ts";
import { type CommitOptions, commitFinding } from "./probe/commit-finding.ts";
import { probeDeps } from "./probe/context-deps.ts";
import { probeRelay, type Relook } from "./probe/probe-relay.ts";
import { mayPass } from "./probe/verdicts.ts";
import { shared } from "./shared.ts";

export interface LookAgainOptions {
  readonly signal: AbortSignal;
  /** True: a failing look is always followed by a second; else only where the relay was online. */
  readonly byHand: boolean;
  /** When the next look is planned; ISO 8601. */
  readonly nextAt?: string;
  /** Null makes the record a direct one. */
  readonly via?: null;
}

export interface LookedAgain {
  readonly relay: RelayRecord;
  readonly events: readonly EventName[];
}

/** @throws OpenMcpError `not-found`, `aborted`, `conflict`. */
export async function lookAgain(
  context: CatalogContext,
  id: string,
  options: LookAgainOptions,
): Promise<LookedAgain> {
  const stored = await context.store.relays.get(id);
  if (stored === null) throw await relayNotFound(context.store, id);
  return shared(context.store).probes.run(`again ${stored.endpoint}`, options.signal, (signal) =>
    look(context, stored, { ...options, signal }),
  );
}

async function look(
  context: CatalogContext,
  stored: StoredRelay,
  options: LookAgainOptions,
): Promise<LookedAgain> {
  const { record } = stored;
  const known = {
    url: recordEndpoint(record),
    vouchedFor: record.probe.verifiedBy === "openmcp",
  };
  const deps = probeDeps(context, options.signal);
  let relook = await probeRelay(known, deps);
  let attempts = 1;
  if (failing(relook) && (options.byHand || record.online)) {
    relook = await probeRelay(known, deps);
    attempts = 2;
  }
  const commit: CommitOptions = {
    of: record.id,
    attempts,
    ...(options.nextAt === undefined ? {} : { nextAt: options.nextAt }),
    ...(options.via === undefined ? {} : { via: options.via }),
  };
  const moved = relook.moved === null ? null : await commitFinding(context, relook.moved, commit);
  const committed = moved?.kind === "saved" ? moved : await commitFinding(context, relook.finding, commit);
  if (committed.kind !== "saved") throw await relayNotFound(context.store, record.id);
  return { relay: committed.relay, events: committed.events };
}

function failing({ finding, moved }: Relook): boolean {
  return mayPass((moved ?? finding).verdict);
}
