/** Changes in the words of Server-Sent Events (HTML standard, section 9.2). Pure; JSON has no line ends of its own. */
import type { ToldChange } from "../../catalog/index.ts";
import { stringifyRaw } from "../../spec/index.ts";
import { RETRY_MS } from "./limits.ts";

/** The texts of changes that many readers are told at once are made once. */
const written = new WeakMap<ToldChange, string>();

/** One change: its `seq` as the id to resume from, its event as the type. */
export function changeText(change: ToldChange): string {
  let text = written.get(change);
  if (text === undefined) {
    text = `id: ${change.seq}\nevent: ${change.event}\ndata: ${stringifyRaw(change)}\n\n`;
    written.set(change, text);
  }
  return text;
}

/** The beginning: how long to wait before coming back, and the place, so that a stream without events resumes too. */
export function openingText(seq: number): string {
  return `retry: ${RETRY_MS}\n: changes after ${seq}\nid: ${seq}\n\n`;
}

/** No event, but a sign of life, and the place when only other changes came. */
export function heartbeatText(seq: number): string {
  return `: still here\nid: ${seq}\n\n`;
}

/** The last words to a reader that is cut. */
export function cutText(seq: number): string {
  return `: too slow; come back with Last-Event-ID: ${seq}\nretry: ${RETRY_MS}\n\n`;
}
