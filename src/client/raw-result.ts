/**
 * A result schema for the SDK's `request()` that keeps every key and value: its own schemas strip what they don't know,
 * and a relay's result is to come whole (OpenMCP 0.1, `POST /v1/relays/:id/call`).
 */
import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../spec/index.ts";

/** Any JSON object, untouched (the Standard Schema interface, standardschema.dev). */
export const anyObject: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": {
    version: 1,
    vendor: "openmcp",
    validate: (value) =>
      isJsonObject(value) ? { value } : { issues: [{ message: "the result is not a JSON object" }] },
  },
};
