/**
 * The shape of one of the catalog's MCP tools: an operation under the name, the arguments and the answer that wire.md
 * gives it. The table is tools.ts.
 */
import { z } from "zod";
import { type CallContext, type CatalogContext, type Operation, runOperation } from "../../catalog/index.ts";
import { type CallToolInput, isJsonObject, type JsonObject, type RawJson } from "../../spec/index.ts";

/** Which of MCP's two eras a request is of: 2026-07-28, or `initialize`. */
export type Era = "modern" | "legacy";

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
  | { readonly kind: "relay"; readonly result: RawJson<JsonObject>; readonly parsed: JsonObject };

/** What the protocol, not the model, says of a call: its second round, and what its caller can be asked for. */
export type CallRound = Pick<CallToolInput, "inputResponses" | "requestState" | "clientCapabilities">;

export interface CatalogTool {
  readonly listing: ToolListing;
  /** `round` is for a tool that forwards; the others have no use for it. */
  run(
    context: CatalogContext,
    asked: { readonly args: unknown; readonly round: CallRound },
    call: CallContext,
  ): Promise<ToolAnswer>;
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
  /** Forwards a call: takes its round. */
  readonly forwards?: true;
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
    async run(context, { args, round }, call) {
      const taken = isJsonObject(args) ? pick(args, entry.takes) : args;
      const input = entry.forwards === true && isJsonObject(taken) ? { ...taken, ...round } : taken;
      return entry.answer(await runOperation(operation, { context, input, call }));
    },
  };
}

/** The arguments that the tool's schema names: the operation may know more, for other doors. */
function pick(args: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
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
