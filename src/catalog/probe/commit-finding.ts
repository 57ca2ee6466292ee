/**
 * Writes one finding: finds the record it belongs to, merges, computes the events, and saves all in one transaction.
 * Other writers may come between; then it reads again. Two registrations that race end as one record.
 */
import {
  describeChange,
  diffRecords,
  distinctRelayId,
  type EventName,
  OpenMcpError,
  type RelayRecord,
  relayId,
} from "../../spec/index.ts";
import type { Store, StoredRelay } from "../../store/index.ts";
import { sha256Of } from "../content-hash.ts";
import type { CatalogContext } from "../context.ts";
import { type Look, recordLook } from "../history/record-look.ts";
import { MAX_COMMIT_TRIES } from "../limits.ts";
import { isOwnIdentifier } from "../publishing/names.ts";
import { placeOf } from "../watch/place-of.ts";
import { unplanned } from "../watch/rules.ts";
import type { Finding } from "./finding.ts";
import { type MergedRelay, mergeFinding } from "./merge-finding.ts";

export interface CommitOptions {
  readonly attempts?: number;
  /** The relay as it was read before the look: written upon unless another write came first. */
  readonly before?: StoredRelay;
  /** The owner of the lease under which a planned look was made; absent: it was made by hand. */
  readonly lease?: string;
  /**
   * The catalog it was learned from: then it is listed anew or not at all, as a peer never changes a record that is here
   * (OpenMCP 0.1 "Peering"). Null makes the record direct; absent keeps what was.
   */
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
  /** Listed already, and the finding was learned from a peer. */
  | { readonly kind: "known" }
  /** Its owner asks catalogs not to list it; `removed` when it was listed. */
  | { readonly kind: "opted-out"; readonly removed: boolean }
  /** Neither vouched for nor reached. */
  | { readonly kind: "not-listable" }
  /** `of` is gone, or the endpoint it moved to is another relay's. */
  | { readonly kind: "no-place" };

/** @throws OpenMcpError `conflict` when other writes came through at every try. */
export async function commitFinding(
  context: CatalogContext,
  found: Finding,
  options: CommitOptions = {},
): Promise<Committed> {
  const finding = await ownIdentifierOnly(found);
  const { store, clock, newId, logger, meter } = context;
  const place = await placeOf(finding.endpoint);
  const rules = context.watch ?? unplanned;
  let idTaken = false;
  for (let attempt = 0; attempt < MAX_COMMIT_TRIES; attempt += 1) {
    const before =
      attempt === 0 && options.before?.endpoint === finding.endpoint
        ? options.before
        : await locate(store, finding, options.of);
    if (before === "no-place") return { kind: "no-place" };
    if (before !== null && before.record.aliases?.includes(finding.endpoint) === true) {
      return { kind: "alias", of: before };
    }
    if (before !== null && typeof options.via === "string") return { kind: "known" };
    if (!finding.mayBeListed) return optOut(context, before);
    const now = clock.now();
    const id = await nameFor(finding, { before, idTaken });
    const merged = mergeFinding(before, finding, {
      ...options,
      rules,
      planned: options.lease !== undefined,
      now,
      id,
    });
    if (merged === null) return { kind: "not-listable" };
    const events = diffRecords(before?.record ?? null, merged.record);
    const written = await store.relays.save({
      ...merged,
      revision: before?.revision ?? null,
      unchanged: before !== null && isUnchanged(before, merged),
      place,
      ...(options.lease === undefined ? {} : { lease: options.lease }),
      history: recordLook(before?.pulse ?? null, lookOf(merged.record, now)),
      events: events.map((event) => ({
        id: newId(),
        event,
        ...(event === "relay.updated" && before !== null
          ? { detail: describeChange(before.record, merged.record, { hash: sha256Of }) }
          : {}),
      })),
      now,
    });
    if (written.ok) {
      for (const event of events) meter.count("changes_total", { event });
      if (events.length > 0)
        logger.info({ relay: merged.record.id, events, state: finding.verdict.state }, "a relay changed");
      return { kind: "saved", relay: merged.record, events, created: before === null };
    }
    if (written.conflict === "lease") {
      throw new OpenMcpError("conflict", `${finding.endpoint} was taken over by another look`);
    }
    idTaken ||= written.conflict === "id";
  }
  throw new OpenMcpError("conflict", `${finding.endpoint} is being written by others: try again`);
}

/** True when a look found what is stored already, save for what every look writes. */
function isUnchanged({ record: was, endpoint }: StoredRelay, merged: MergedRelay): boolean {
  const { record } = merged;
  return (
    was.tools === record.tools &&
    was.descriptor === record.descriptor &&
    was.source === record.source &&
    was.verified === record.verified &&
    was.online === record.online &&
    // Lists tell these of a relay too.
    was.via === record.via &&
    was.server?.name === record.server?.name &&
    endpoint === merged.endpoint &&
    was.aliases?.length === record.aliases?.length
  );
}

/** A publisher names what is its own: of another domain's relay its word is nothing. */
async function ownIdentifierOnly(finding: Finding): Promise<Finding> {
  const { identifier, ...rest } = finding;
  if (identifier === undefined || (await isOwnIdentifier(identifier, finding.endpoint))) return finding;
  return rest;
}

/** Nothing is kept of a relay whose owner wants no listing. */
async function optOut(
  { store, clock, newId, logger, meter }: CatalogContext,
  before: StoredRelay | null,
): Promise<Committed> {
  if (before === null) return { kind: "opted-out", removed: false };
  const { id } = before.record;
  const removed = await store.relays.remove(id, { id: newId() }, clock.now());
  if (removed) {
    meter.count("changes_total", { event: "relay.removed" });
    logger.info({ relay: id }, "a relay was removed: its owner asks catalogs not to list it");
  }
  return { kind: "opted-out", removed };
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

function lookOf({ online, probe }: RelayRecord, now: number): Look {
  const { state, latencyMs, nextAt } = probe;
  return {
    state: online ? "online" : state,
    answered: state === "online",
    at: now,
    nextAt: nextAt === null ? null : Date.parse(nextAt),
    latencyMs,
  };
}

async function nameFor(
  finding: Finding,
  known: { readonly before: StoredRelay | null; readonly idTaken: boolean },
): Promise<string> {
  if (known.before !== null) return known.before.record.id;
  return known.idTaken ? distinctRelayId(finding.endpoint) : relayId(finding.endpoint);
}
