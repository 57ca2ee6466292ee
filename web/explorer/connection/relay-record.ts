/** What a catalog's record says of where a relay is: for copied commands, and for going there directly. */
import { isJsonObject, type JsonObject } from "../../../src/spec/index.ts";
import { text } from "./read-lists.ts";

export interface RecordOptions {
  readonly fetch: (input: URL, init?: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
}

/**
 * Null where the record does not say.
 * @throws Error where the catalog has no such relay, or gives no answer that is read; its own words are on the wire.
 */
export async function endpointOf(record: URL, { fetch, signal }: RecordOptions): Promise<string | null> {
  const answer = await fetch(record, { signal });
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error(`The catalog answered ${answer.status}.`);
  const { relay } = body as JsonObject;
  if (!isJsonObject(relay)) throw new Error("The catalog's answer is no record of a relay.");
  const { descriptor, source } = relay;
  return (isJsonObject(descriptor) ? text(descriptor.mcp) : null) ?? text(source);
}
