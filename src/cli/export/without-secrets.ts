/**
 * Leaves out relays whose URL has a credential in it: somebody registered such a one, and a file goes further than the catalog. An
 * address of this machine or its network may be just what is wanted, and stays.
 */
import { type RelayRecord, recordEndpoint, urlFaults } from "../../spec/index.ts";
import type { ExportContext } from "./export-format.ts";

export async function* withoutSecrets(
  records: AsyncIterable<RelayRecord>,
  { remark }: ExportContext,
): AsyncGenerator<RelayRecord> {
  for await (const record of records) {
    const urls = [recordEndpoint(record), record.source, ...(record.aliases ?? [])];
    if (urls.every((url) => urlFaults(url, { local: true }).length === 0)) yield record;
    else remark({ kind: "left-out", relay: record.id });
  }
}
