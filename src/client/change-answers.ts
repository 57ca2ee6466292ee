/** From JSON about changes and history to the client's shapes. Pure. What is no catalog's answer is `catalog-answer`. */
import {
  type EventName,
  eventNames,
  type HistoryOutput,
  isJsonObject,
  type JsonObject,
  type RelayChange,
} from "../spec/index.ts";
import { notACatalogs } from "./answers.ts";

export interface ChangesPage {
  readonly changes: readonly RelayChange[];
  readonly next: number;
}

export function readChanges(body: JsonObject): ChangesPage {
  const { changes, next } = body;
  if (!Array.isArray(changes) || typeof next !== "number") throw notACatalogs('"changes" is missing');
  return { changes: changes.map(readChange).filter((change) => change !== null), next };
}

/** Null for an event that this version does not know: a newer catalog may have more. */
export function readChange(value: unknown): RelayChange | null {
  if (!isJsonObject(value) || typeof value.seq !== "number" || !isJsonObject(value.relay)) {
    throw notACatalogs("a change is not of its form");
  }
  return isEvent(value.event) ? (value as unknown as RelayChange) : null;
}

export function readHistory(body: JsonObject, id: string): HistoryOutput {
  const { relay, uptime, known, spans, latency, toolChanges } = body;
  if (!isJsonObject(uptime) || !Array.isArray(spans)) throw notACatalogs('"uptime" is missing');
  return {
    relay: typeof relay === "string" ? relay : id,
    uptime: uptime as never,
    // Only our catalogs say it: what is not said is taken for known.
    known: (isJsonObject(known) ? known : { day: 1, week: 1, month: 1 }) as never,
    spans: spans as never,
    latency: (isJsonObject(latency) ? latency : { hours: [], days: [] }) as never,
    toolChanges: (Array.isArray(toolChanges) ? toolChanges : []) as never,
  };
}

function isEvent(value: unknown): value is EventName {
  return eventNames.some((name) => name === value);
}
