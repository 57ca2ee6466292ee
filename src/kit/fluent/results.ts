/** What handlers of the fluent form may give, and the protocol's results that it becomes. Pure. */
import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  InputRequiredResult,
  PromptMessage,
  ReadResourceResult,
} from "@modelcontextprotocol/server";
import { isInputRequiredResult } from "@modelcontextprotocol/server";

const whole = new WeakSet<object>();

declare const isWhole: unique symbol;

/** What `result()` gives, and what asks the caller for more (the SDK's `inputRequired`). */
export type WholeResult = { readonly [isWhole]: true } | InputRequiredResult;

// By name: the SDK's types are open to any member, and a literal would lose its type among them.
type Plain = Pick<CallToolResult, "content" | "structuredContent" | "isError" | "_meta">;

/**
 * A tool's result as the protocol has it, from a tool with an output schema: to give content beside the output, or to fail with
 * `isError`. A tool that throws fails with its error's message.
 */
export function result(given: CallToolResult): WholeResult {
  whole.add(given);
  return given as unknown as WholeResult;
}

/** Of a tool without an output schema: a text, content, the protocol's own result, or nothing. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that only does something gives nothing.
export type PlainOutput = string | ContentBlock | readonly ContentBlock[] | Plain | undefined | void;

export function toolResult(value: unknown, hasOutput: boolean): CallToolResult | InputRequiredResult {
  if (isInputRequiredResult(value)) return value;
  if (typeof value === "object" && value !== null && whole.has(value)) return value as CallToolResult;
  if (hasOutput) {
    return {
      content: [{ type: "text", text: JSON.stringify(value) ?? "null" }],
      structuredContent: value as Record<string, unknown>,
    };
  }
  if (value === undefined || value === null) return { content: [] };
  if (typeof value === "string") return { content: [{ type: "text", text: value }] };
  if (Array.isArray(value)) return { content: value as ContentBlock[] };
  if (typeof value === "object" && Array.isArray((value as CallToolResult).content))
    return value as CallToolResult;
  if (typeof value === "object" && typeof (value as ContentBlock).type === "string") {
    return { content: [value as ContentBlock] };
  }
  return { content: [{ type: "text", text: JSON.stringify(value) ?? "" }] };
}

export type ResourceOutput = string | Uint8Array | ReadResourceResult | InputRequiredResult;

export function resourceResult(
  value: ResourceOutput,
  { uri, mimeType }: { readonly uri: string; readonly mimeType: string | undefined },
): ReadResourceResult | InputRequiredResult {
  const about = { uri, ...(mimeType === undefined ? {} : { mimeType }) };
  if (typeof value === "string") return { contents: [{ ...about, text: value }] };
  if (value instanceof Uint8Array) return { contents: [{ ...about, blob: base64(value) }] };
  return value;
}

export type PromptOutput = string | readonly PromptMessage[] | GetPromptResult | InputRequiredResult;

export function promptResult(
  value: PromptOutput,
  description: string | undefined,
): GetPromptResult | InputRequiredResult {
  if (isInputRequiredResult(value)) return value;
  const about = description === undefined ? {} : { description };
  if (typeof value === "string") {
    return { ...about, messages: [{ role: "user", content: { type: "text", text: value } }] };
  }
  if (Array.isArray(value)) return { ...about, messages: [...(value as PromptMessage[])] };
  return value as GetPromptResult;
}

/** In pieces: the whole as arguments of one call would be too many. */
function base64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 8_192) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)));
  }
  return btoa(pieces.join(""));
}
