/**
 * The shape of one of the catalog's MCP tools: an operation under the name, the arguments and the answer that wire.md
 * gives it. The table is tools.ts.
 */
import { z } from "zod";
import { type CallContext, type CatalogContext, type Operation, runOperation } from "../../catalog/index.ts";
import type { JsonObject } from "../../spec/index.ts";

/** As `tools/list` shows it; built once, at start. */
export interface ToolListing {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonObject & { readonly type: "object" };
  readonly outputSchema?: JsonObject & { readonly type: "object" };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** `structured`: the catalog's own answer, may hold `RawJson`. `relay`: another server's result, to be passed on as it is. */
export type ToolAnswer =
  | { readonly kind: "structured"; readonly value: object }
  | { readonly kind: "relay"; readonly result: JsonObject };

export interface CatalogTool {
  readonly listing: ToolListing;
  run(context: CatalogContext, input: unknown, call: CallContext): Promise<ToolAnswer>;
}

export interface ToolEntry<Input, Output> {
  readonly name: string;
  readonly title: string;
  /** For agents: when to use it, what to do with the answer. */
  readonly description: string;
  readonly operation: Operation<string, Input, Output>;
  /** The operation's input fields that this tool takes; the schema comes from the operation. */
  readonly takes: readonly string[];
  readonly outputSchema?: ToolListing["outputSchema"];
  /** Goes out to relays, beyond the catalog's own store. */
  readonly openWorld: boolean;
  readonly idempotent: boolean;
  /** What a call may do is the relay's business: it may destroy. */
  readonly destructive?: true;
  readonly answer: (output: Output) => ToolAnswer;
}

export function catalogTool<Input, Output>(entry: ToolEntry<Input, Output>): CatalogTool {
  const { operation } = entry;
  return {
    listing: {
      name: entry.name,
      title: entry.title,
      description: entry.description,
      inputSchema: inputSchemaOf(entry),
      ...(entry.outputSchema === undefined ? {} : { outputSchema: entry.outputSchema }),
      annotations: {
        readOnlyHint: operation.readOnly,
        destructiveHint: entry.destructive === true,
        idempotentHint: entry.idempotent,
        openWorldHint: entry.openWorld,
      },
    },
    async run(context, input, call) {
      return entry.answer(await runOperation(operation, { context, input, call }));
    },
  };
}

function inputSchemaOf<Input, Output>({
  operation,
  takes,
}: ToolEntry<Input, Output>): ToolListing["inputSchema"] {
  const schema = z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" }) as {
    readonly properties?: Readonly<Record<string, JsonObject>>;
    readonly required?: readonly string[];
  };
  const required = (schema.required ?? []).filter((name) => takes.includes(name));
  return {
    type: "object",
    properties: Object.fromEntries(takes.map((name) => [name, schema.properties?.[name] ?? {}])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}
