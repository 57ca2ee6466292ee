/**
 * The schemas that the fluent form takes: zod 4 and every other Standard Schema that knows its JSON Schema, one that does not and has it
 * beside, or plain JSON Schema. What is made of one is made once for all requests: the SDK asks a new server for it each time.
 */
import {
  fromJsonSchema,
  type JsonSchemaType,
  type jsonSchemaValidator,
  type StandardSchemaV1,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";
import { OpenMcpError } from "../../spec/index.ts";
import type { FromJsonSchema, JsonSchemaLiteral } from "./json-schema-type.ts";

export type AnySchema = StandardSchemaV1 | JsonSchemaLiteral;

/** What a handler is given, or gives: the value after the schema read it. */
export type ValueOf<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : Schema extends JsonSchemaLiteral
    ? FromJsonSchema<Schema>
    : undefined;

/**
 * A Standard Schema that does not know its JSON Schema, with it.
 * @example
 * ```ts
 * import { server, withJsonSchema } from "openmcp/kit";
 * import { z } from "zod";
 *
 * const page = withJsonSchema(z.object({ text: z.string() }), { type: "object" });
 * server("paper", "1.0.0").tool("print", { input: page }, ({ text }) => text);
 * ```
 */
export function withJsonSchema<Schema extends StandardSchemaV1>(
  schema: Schema,
  json: JsonSchemaLiteral,
): Schema & StandardSchemaWithJSON {
  const standard = schema["~standard"];
  const convert = (): Record<string, unknown> => json;
  return {
    "~standard": { ...standard, jsonSchema: { input: convert, output: convert } },
  } as unknown as Schema & StandardSchemaWithJSON;
}

/**
 * @throws OpenMcpError `invalid-input`, `data.field` is `where`, for what is no schema, or has no JSON Schema.
 */
export function compileSchema(schema: AnySchema, where: string): StandardSchemaWithJSON {
  try {
    if (!("~standard" in schema)) return fromJsonSchema(schema as JsonSchemaType);
    const standard = (schema as StandardSchemaWithJSON)["~standard"];
    if (standard.jsonSchema === undefined) {
      throw new OpenMcpError(
        "invalid-input",
        `the schema library ${standard.vendor} does not tell its JSON Schema: give it with withJsonSchema()`,
      );
    }
    const input = once(() => standard.jsonSchema.input({ target: "draft-2020-12" }));
    const output = once(() => standard.jsonSchema.output({ target: "draft-2020-12" }));
    return { "~standard": { ...standard, jsonSchema: { input, output } } };
  } catch (error) {
    throw new OpenMcpError("invalid-input", `${where} can't be used: ${reasonOf(error)}`, {
      data: { field: where },
      cause: error,
    });
  }
}

/** One for all servers of a relay, and made when something is validated: the SDK would make one each. */
export const sharedValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType) {
    const compiled = fromJsonSchema<T>(schema)["~standard"];
    return (input: unknown) => {
      const result = compiled.validate(input) as StandardSchemaV1.Result<T>;
      return result.issues === undefined
        ? { valid: true, data: result.value, errorMessage: undefined }
        : {
            valid: false,
            data: undefined,
            errorMessage: result.issues.map(({ message }) => message).join("; "),
          };
    };
  },
};

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
