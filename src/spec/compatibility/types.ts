/** The verdict on two lists of tools: which changes break whoever calls them. Types only. */
import type { JsonObject } from "../json.ts";
import type { Node } from "./schema-parts.ts";

/**
 * What changed. docs/testing.md lists the same; a test holds the two equal.
 *
 * Of a tool: `tool-removed`, `tool-renamed`, `tool-added`, `promise` (a hint such as `readOnlyHint`), `text` (what is read and not
 * checked), `output-removed`, `output-added`. Of a schema: `required`, `member-removed`, `member-added`, `closed` (members that are not
 * described), `type`, `values`, `bounds`, `items`, `rule` (any other rule, patterns and formats too), `default`, `too-large` (not compared).
 */
export type CompatibilityCode =
  | "tool-removed"
  | "tool-renamed"
  | "tool-added"
  | "promise"
  | "text"
  | "output-removed"
  | "output-added"
  | "required"
  | "member-removed"
  | "member-added"
  | "closed"
  | "type"
  | "values"
  | "bounds"
  | "items"
  | "rule"
  | "default"
  | "too-large";

export interface CompatibilityChange {
  /** By the name before, where there was one. */
  readonly tool: string;
  readonly code: CompatibilityCode;
  readonly breaking: boolean;
  /** Into the tool's definition (RFC 6901); `""` is the tool. */
  readonly pointer: string;
  /** One sentence without its full stop; names in it are the server's own words. */
  readonly message: string;
}

export interface Compatibility {
  /** No change breaks a caller. */
  readonly compatible: boolean;
  /** What breaks first, then by tool. */
  readonly changes: readonly CompatibilityChange[];
}

/** Which way values go: what callers send, or what they get. */
export type Side = "input" | "output";

/** A place where one schema takes less than another. */
export interface Narrowing {
  readonly code: CompatibilityCode;
  /** Into the schema. */
  readonly pointer: string;
  /** The member's name, or what is told of values, types and bounds. */
  readonly detail: string;
}

/** What one comparison knows on its way down. */
export interface Comparison {
  readonly side: Side;
  readonly roots: { readonly from: JsonObject; readonly to: JsonObject };
  /** Of two nodes below. */
  compare(from: Node, to: Node, pointer: string): readonly Narrowing[];
}
