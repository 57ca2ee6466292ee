/**
 * The catalog's operations as plain types: what goes in and what comes out on the wire, whatever the door
 * (wire.md "REST, under /v1" and "MCP, at /mcp"). The zod schemas in catalog/operations/ satisfy the inputs;
 * CatalogClient's methods are these.
 */
import type { AuthKind } from "./descriptor.ts";
import type { EraFilter } from "./era.ts";
import type { EventName } from "./event.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { ProbeState, ProbeStep, RelayRecord, RelaySummary, ToolDefinition } from "./record.ts";

export type AuthFilter = AuthKind | "unknown";

export interface RelayFilter {
  /** Every word of it must occur in the relay's id, name, description, tags or tool names. */
  readonly q?: string;
  readonly tag?: string;
  readonly online?: boolean;
  readonly verified?: boolean;
  readonly auth?: AuthFilter;
  readonly era?: EraFilter;
}

export interface ListRelaysInput extends RelayFilter {
  /** 1 to 500; default 100. */
  readonly limit?: number;
  readonly cursor?: string;
}

export interface ListRelaysOutput {
  readonly relays: readonly RelayRecord[];
  /** All that match, not only this page. */
  readonly total: number;
  readonly nextCursor: string | null;
}

export interface ListSummariesOutput {
  readonly relays: readonly RelaySummary[];
  readonly total: number;
  readonly nextCursor: string | null;
}

export interface RelayIdInput {
  readonly id: string;
}

export interface GetRelayOutput {
  readonly relay: RelayRecord;
}

export interface RelayToolsOutput {
  readonly relay: string;
  readonly online: boolean;
  readonly tools: readonly ToolDefinition[];
}

export interface FindToolsInput {
  readonly q: string;
  /** 1 to 100; default 8. */
  readonly limit?: number;
  /** Absent: online relays only; false: the offline ones too. */
  readonly online?: boolean;
  readonly verified?: boolean;
  readonly tag?: string;
  readonly auth?: AuthFilter;
  readonly era?: EraFilter;
  /** Stops the list before its JSON passes about this many tokens (four characters each); the first hit always stays. */
  readonly maxTokens?: number;
}

export interface FoundTool {
  readonly relay: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: JsonValue;
  readonly auth: AuthFilter;
  readonly online: boolean;
  readonly verified: boolean;
  readonly score: number;
  readonly matched: readonly string[];
}

export interface FindToolsOutput {
  readonly tools: readonly FoundTool[];
  /** Relays listed just now whose tools can't be found yet; absent when there are none. Counted up to some hundreds. */
  readonly indexing?: number;
}

export interface CallToolInput {
  readonly relay: string;
  readonly tool: string;
  readonly arguments?: JsonObject;
  /** The caller's credential for the relay: sent on, never kept. */
  readonly token?: string;
  /** Answers to the `inputRequests` of an `input_required` result, by their keys (MCP 2026-07-28). */
  readonly inputResponses?: JsonObject;
  /** The `requestState` of that result, as it came. */
  readonly requestState?: string;
  /** What the relay may ask the caller for (MCP `ClientCapabilities`): `{elicitation: {}}`; nothing unless given. */
  readonly clientCapabilities?: JsonObject;
}

export interface CallToolOutput {
  readonly relay: string;
  readonly tool: string;
  /** As the relay sent it, unknown keys too; `resultType: "input_required"` when it wants more before it goes on. */
  readonly result: JsonObject;
}

export interface RegisterInput {
  readonly url: string;
}

export interface RegisterOutput {
  readonly relay: RelayRecord;
  readonly event: EventName | null;
  readonly events: readonly EventName[];
  /** True when it was listed for the first time. */
  readonly created: boolean;
  /** Other relays that the same probe listed: beside it on its origin, or in the same catalog. */
  readonly relays?: readonly RelayRecord[];
  /** Servers of that catalog that were not looked at, because one registration looks at so many only; absent when there are none. */
  readonly more?: number;
}

export interface RefreshOutput {
  readonly relay: RelayRecord;
  readonly event: EventName | null;
  readonly events: readonly EventName[];
}

export interface RemoveOutput {
  readonly removed: string;
}

export interface BulkInput {
  readonly urls: readonly string[];
}

export interface BulkOutput {
  readonly job: string;
  /** Lines that are not URLs, with why; they are no part of the job. */
  readonly rejected: readonly { readonly url: string; readonly error: string }[];
}

export interface BulkResult {
  readonly url: string;
  /** `listed`: new; `known`: was listed already; `refused`: nothing to list; `failed`: the catalog could not try. */
  readonly outcome: "listed" | "known" | "refused" | "failed";
  readonly relay: string | null;
  readonly state: ProbeState | null;
  readonly error: string | null;
}

export interface BulkJob {
  readonly id: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly total: number;
  readonly done: number;
  readonly results: readonly BulkResult[];
}

export interface BulkJobInput {
  /** The job's id, as the bulk registration answered it. */
  readonly job: string;
}

export interface GetBulkOutput {
  readonly job: BulkJob;
}

export interface CountsOutput {
  readonly relays: number;
  readonly online: number;
}

/** The evidence that goes with `not-listed`. */
export interface ProbeEvidence {
  readonly url: string;
  readonly state: ProbeState;
  readonly error: string | null;
  readonly httpStatus: number | null;
  readonly steps: readonly ProbeStep[];
}
