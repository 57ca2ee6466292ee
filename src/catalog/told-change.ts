/** A stored change as it goes out: the store's own JSON texts, without what is not said. */
import type { ChangeDetail, RawJson, RelayRecord } from "../spec/index.ts";
import type { Change } from "../store/index.ts";

export interface ToldChange extends Omit<Change, "detail" | "relayId"> {
  readonly relay: RawJson<RelayRecord | { readonly id: string }>;
  readonly detail?: RawJson<ChangeDetail>;
}

export function toldChange({ detail, relayId: _relayId, ...change }: Change): ToldChange {
  return detail === null ? change : { ...change, detail };
}
