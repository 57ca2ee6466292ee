/**
 * Writes one finding: finds the record it belongs to, merges, computes the events, and saves all in one transaction.
 * Other writers may come between; then it reads again. Two registrations that race end as one record.
 */
import {
  diffRecords,
  distinctRelayId,
  type EventName,
  OpenMcpError,
  type RelayRecord,
  relayId,
} from "../../spec/index.ts";
import type { Store, StoredRelay } from "../../store/index.ts";
import type { CatalogContext } from "../context.ts";
import { MAX_COMMIT_TRIES } from "../limits.ts";
import type { Finding } from "./finding.ts";
import { mergeFinding } from "./merge-finding.ts";

export interface CommitOptions {
  readonly attempts?: number;
  /** When the next look is planned; ISO 8601. */
  readonly nextAt?: string;
  /** The catalog it was learned from; null makes the record direct; absent keeps what was. */
  readonly via?: string | null;
  /** The listed relay that this finding is of: it is never listed anew, and may have moved. */
  readonly of?: string;
}

export type Committed =
  | {
      readonly kind: "saved";
      readonly relay: RelayRecord;
      readonly events: readonly EventName[];
      readonly created: boolean;
    }
  /** The endpoint is a former one of another relay: evidence about it is none about that relay. */
  | { readonly kind: "alias"; readonly of: StoredRelay }
  /** Neither vouched for nor reached. */
  | { readonly kind: "not-listable" }
  /** `of` is gone, or the endpoint it moved to is another relay's. */
  | { readonly kind: "no-place" };

/** @throws OpenMcpError `conflict` when other writes came through at every try. */
export async function commitFinding(
  context: CatalogContext,
  finding: Finding,
  options: CommitOptions = {},
): Promise<Committed> {
  const { store, clock, newId, logger, meter } = context;
  let idTaken = false;
  for (let attempt = 0; attempt < MAX_COMMIT_TRIES; attempt += 1) {
    const before = await locate(store, finding, options.of);
    if (before === "no-place") return { kind: "no-place" };
    if (before !== null && before.record.aliases?.includes(finding.endpoint) === true) {
      return { kind: "alias", of: before };
    }
    const now = clock.now();
    const id = await nameFor(finding, { before, idTaken });
    const merged = mergeFinding(before, finding, { ...options, now, id });
    if (merged === null) return { kind: "not-listable" };
    const events = diffRecords(before?.record ?? null, merged.record);
    const written = await store.relays.save({
      ...merged,
      revision: before?.revision ?? null,
      events: events.map((event) => ({ id: newId(), event })),
      now,
    });
    if (written.ok) {
      meter.count("findings_written", { state: finding.verdict.state });
      if (events.length > 0)
        logger.info({ relay: merged.record.id, events, state: finding.verdict.state }, "a relay changed");
      return { kind: "saved", relay: merged.record, events, created: before === null };
    }
    idTaken ||= written.conflict === "id";
  }
  throw new OpenMcpError("conflict", `${finding.endpoint} is being written by others: try again`);
}

/** The record that the finding is of; null: it has none yet. */
async function locate(
  store: Store,
  finding: Finding,
  of: string | undefined,
): Promise<StoredRelay | null | "no-place"> {
  const known = await store.relays.findByEndpoint(finding.endpoint);
  if (of === undefined) return known ?? movedRelay(store, finding);
  const own = known?.record.id === of ? known : await store.relays.get(of);
  if (own === null || (known !== null && known.record.id !== of)) return "no-place";
  // Back at a former path: the alias is its own, and becomes its endpoint again.
  return own.record.aliases?.includes(finding.endpoint) === true ? withoutAlias(own, finding.endpoint) : own;
}

/**
 * A relay of the same origin that the origin's descriptor named before: one descriptor speaks for one relay, so the relay
 * has moved here. It is looked for under the ids that such a relay has; one with a stranger id is found by its own refresh.
 */
async function movedRelay(store: Store, finding: Finding): Promise<StoredRelay | null> {
  if (finding.verifiedBy !== "openmcp") return null;
  const { origin } = new URL(finding.endpoint);
  for (const id of new Set([relayId(finding.endpoint), relayId(origin)])) {
    const stored = await store.relays.get(id);
    if (stored?.record.probe.verifiedBy === "openmcp" && new URL(stored.endpoint).origin === origin) {
      return stored;
    }
  }
  return null;
}

function withoutAlias(stored: StoredRelay, endpoint: string): StoredRelay {
  const aliases = (stored.record.aliases ?? []).filter((alias) => alias !== endpoint);
  return { ...stored, record: { ...stored.record, aliases } };
}

async function nameFor(
  finding: Finding,
  known: { readonly before: StoredRelay | null; readonly idTaken: boolean },
): Promise<string> {
  if (known.before !== null) return known.before.record.id;
  return known.idTaken ? distinctRelayId(finding.endpoint) : relayId(finding.endpoint);
}
