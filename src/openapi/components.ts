/** What the operations of every document share: a tool's whole result, arguments of no stated form, and the two kinds of error. */
import type { JsonObject } from "../spec/index.ts";

/** A tool without an output schema answers this (MCP 2026-07-28 "CallToolResult"). */
export const CALL_TOOL_RESULT = "#/components/schemas/CallToolResult";
/** A tool without a usable input schema takes this. */
export const ANY_ARGUMENTS = "#/components/schemas/AnyArguments";

export const callToolResult: JsonObject = {
  title: "CallToolResult",
  description: "What a tool answers that declares no output schema.",
  type: "object",
  properties: {
    content: {
      type: "array",
      items: {
        type: "object",
        properties: { type: { type: "string" } },
        required: ["type"],
        additionalProperties: true,
      },
    },
    structuredContent: {},
    isError: { type: "boolean" },
    _meta: { type: "object", additionalProperties: true },
  },
  required: ["content"],
  additionalProperties: true,
};

export const anyArguments: JsonObject = {
  title: "AnyArguments",
  description: "The arguments of a tool that does not say what it takes.",
  type: "object",
  additionalProperties: true,
};

/** The error object of JSON-RPC 2.0, section 5.1. */
export const jsonRpcError: JsonObject = {
  description: "A JSON-RPC error.",
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: {
          jsonrpc: { const: "2.0" },
          id: { type: ["string", "integer", "null"] },
          error: {
            type: "object",
            properties: { code: { type: "integer" }, message: { type: "string" }, data: {} },
            required: ["code", "message"],
          },
        },
        required: ["jsonrpc", "error"],
      },
    },
  },
};

/** RFC 9457. */
export function problemResponse(schema: JsonObject): JsonObject {
  return {
    description: "An error, as a problem document.",
    content: { "application/problem+json": { schema } },
  };
}
