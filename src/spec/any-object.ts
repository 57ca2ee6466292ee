/**
 * A result schema for the SDK's `request()` that keeps every key and value: its own schemas strip what they don't know,
 * and a server's result is to come whole (OpenMCP 0.1, `POST /v1/relays/:id/call`).
 */
import { isJsonObject, type JsonObject } from "./json.ts";

/** The part of the Standard Schema interface (standardschema.dev) that is needed to name such a schema here. */
export interface AnyObjectSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => { readonly value: JsonObject } | { readonly issues: readonly { readonly message: string }[] };
    readonly types?: { readonly input: unknown; readonly output: JsonObject } | undefined;
  };
}

/** Any JSON object, untouched. */
export const anyObject: AnyObjectSchema = {
  "~standard": {
    version: 1,
    vendor: "openmcp",
    validate: (value) =>
      isJsonObject(value) ? { value } : { issues: [{ message: "the result is not a JSON object" }] },
  },
};
