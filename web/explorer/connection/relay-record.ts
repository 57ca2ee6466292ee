/** What a catalog's record says of where a relay is: for copied commands, and for going there directly. */
import { isJsonObject } from "../../../src/spec/index.ts";
import { text } from "./read-lists.ts";

export interface RecordOptions {
  readonly fetch: (input: URL, init?: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
}

/** Null where that is not known, also where the catalog has no such relay: speaking to it says why. Never rejects. */
export async function endpointOf(record: URL, { fetch, signal }: RecordOptions): Promise<string | null> {
  try {
    const body: unknown = await (await fetch(record, { signal })).json();
    const relay = isJsonObject(body) && isJsonObject(body.relay) ? body.relay : {};
    const { descriptor, source } = relay;
    return (isJsonObject(descriptor) ? text(descriptor.mcp) : null) ?? text(source);
  } catch {
    return null;
  }
}
