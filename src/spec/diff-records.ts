/**
 * What changed between two states of one relay, as events (OpenMCP 0.1 "Webhooks, out"; wire.md "The record").
 * Content (`relay.registered`, `relay.updated`) and reachability (`relay.online`, `relay.offline`) are apart:
 * one probe may give one of each, content first. Times, latencies and failure counts are no change.
 */
import { canonicalJson } from "./canonical-json.ts";
import type { EventName } from "./event.ts";
import type { JsonValue } from "./json.ts";
import type { RelayRecord } from "./record.ts";

/** The events of going from `before` (null: not listed yet) to `after` (null: removed). */
export function diffRecords(before: RelayRecord | null, after: RelayRecord | null): readonly EventName[] {
  if (after === null) return before === null ? [] : ["relay.removed"];
  if (before === null) return ["relay.registered"];
  const events: EventName[] = [];
  if (!isSame(before, after) && contentOf(before) !== contentOf(after)) events.push("relay.updated");
  if (before.online !== after.online) events.push(after.online ? "relay.online" : "relay.offline");
  return events;
}

/** True when there is nothing to compare: most looks find what was there, and hand it on as it was. */
function isSame(before: RelayRecord, after: RelayRecord): boolean {
  return (
    before.tools === after.tools &&
    before.descriptor === after.descriptor &&
    before.verified === after.verified
  );
}

/**
 * What counts as content: the descriptor and the tools, in a form in which key order and the order of tools do not count.
 * Where the tools come from does not count either: a relay that goes down keeps them.
 */
function contentOf(record: RelayRecord): string {
  const tools = record.tools.map((tool) => canonicalJson(tool)).sort();
  return canonicalJson({ descriptor: record.descriptor, verified: record.verified, tools } as JsonValue);
}
