/**
 * What a tool promised of itself by its hints, and promises no more: who called it without asking because it changes nothing, may not
 * any more. Pure. The defaults of absent hints are the specification's ("ToolAnnotations").
 */
import { isJsonObject } from "../json.ts";
import type { ToolDefinition } from "../record.ts";
import { own } from "./schema-parts.ts";
import type { Narrowing } from "./types.ts";

/** The value that is the promise, and what holds when nothing is said. */
const HINTS = [
  { hint: "readOnlyHint", promise: true, absent: false },
  { hint: "destructiveHint", promise: false, absent: true },
  { hint: "idempotentHint", promise: true, absent: false },
  { hint: "openWorldHint", promise: false, absent: true },
] as const;

export function lostPromises(was: ToolDefinition, is: ToolDefinition): readonly Narrowing[] {
  const said = (tool: ToolDefinition, hint: string, absent: boolean): boolean => {
    const annotations = isJsonObject(tool.annotations) ? tool.annotations : {};
    const value = own(annotations, hint);
    return typeof value === "boolean" ? value : absent;
  };
  const readOnly = said(is, "readOnlyHint", false);
  return HINTS.filter(({ hint, promise, absent }) => {
    // The two in the middle say nothing of a tool that only reads.
    if (readOnly && (hint === "destructiveHint" || hint === "idempotentHint")) return false;
    return said(was, hint, absent) === promise && said(is, hint, absent) !== promise;
  }).map(({ hint }) => ({ code: "promise", pointer: `/${hint}`, detail: hint }));
}
