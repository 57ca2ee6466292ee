/**
 * A change as it is told (wire.md "REST", `GET /v1/changes`): one event with the record after it and, for an update, what
 * exactly is other than before. Facts only: nothing here scores a change or calls it good or bad.
 */
import type { EventName } from "./event.ts";
import type { RelayRecord } from "./record.ts";

/** What an update changed; a part is absent where nothing of it changed. */
export interface ChangeDetail {
  readonly tools?: ToolDiff;
  /** JSON Pointers (RFC 6901) into the descriptor. */
  readonly descriptor?: readonly string[];
  /** Whether the relay is verified now, where that changed. */
  readonly verified?: boolean;
  /**
   * Where the tools come from now, where a list from the relay itself took the place of one from its descriptor or the
   * other way: then tools differ because somebody else describes them.
   */
  readonly toolsFrom?: RelayRecord["toolsFrom"];
}

export interface ToolDiff {
  /** Names, in the new list's order. */
  readonly added: readonly string[];
  /** Names, in the old list's order. */
  readonly removed: readonly string[];
  readonly changed: readonly ToolChange[];
  /** In neither `added` nor `removed`. */
  readonly renamed: readonly ToolRename[];
}

export interface ToolChange {
  readonly name: string;
  /** JSON Pointers into the tool's definition; `""`, the whole of it, where they would be too many. */
  readonly fields: readonly string[];
  /** Of the definition before and after: `sha256:<hex>` over its canonical JSON, to be held against one that was trusted. */
  readonly hash: { readonly from: string; readonly to: string };
}

export interface ToolRename {
  readonly from: string;
  readonly to: string;
  /** What changed beside the name; empty for the same definition under another name. */
  readonly fields: readonly string[];
  readonly hash: { readonly from: string; readonly to: string };
}

export interface RelayChange {
  /** Grows by commit; what a reader goes on from. */
  readonly seq: number;
  /** Unguessable; the id of a webhook's delivery of it begins with it. */
  readonly id: string;
  readonly event: EventName;
  /** ISO 8601. */
  readonly at: string;
  /** The record after the change, or `{id}` when removed. */
  readonly relay: RelayRecord | { readonly id: string };
  /** Only of `relay.updated`. */
  readonly detail?: ChangeDetail;
}

/** Which changes are meant. */
export interface ChangesFilter {
  /** Ids; only changes of these relays. */
  readonly relays?: readonly string[];
  readonly events?: readonly EventName[];
}

export interface ChangesInput extends ChangesFilter {
  /** The `seq` of the last change that is known; absent: from the oldest that is kept. */
  readonly since?: number;
  /** 1 to 500; default 100. */
  readonly limit?: number;
}

export interface ChangesOutput {
  /** In the order of their commit. */
  readonly changes: readonly RelayChange[];
  /** Give it as `since` for what comes after; nothing more for now when `changes` is empty. */
  readonly next: number;
}
