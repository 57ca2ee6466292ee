/** What a catalog's record says of where a relay is: for copied commands, and for going there directly. */
import { type GetRelayOutput, recordEndpoint } from "../../../src/spec/index.ts";

export interface RecordOptions {
  readonly fetch: (input: URL, init?: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
}

/** Null where that is not known, also where the catalog has no such relay: speaking to it says why. Never rejects. */
export async function endpointOf(record: URL, { fetch, signal }: RecordOptions): Promise<string | null> {
  try {
    const { relay } = (await (await fetch(record, { signal })).json()) as GetRelayOutput;
    return recordEndpoint(relay);
  } catch {
    return null;
  }
}
