/**
 * The onion round tool calls. Each layer sees the call before the tool does and its result after; the innermost is the SDK's own
 * handler, so that refusals (no such tool, wrong arguments) pass through every layer too. Without a layer nothing is put round
 * anything.
 */
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type RegisteredTool,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject, type Logger } from "../spec/index.ts";
import { type Caller, callerOf, type Era } from "./call-scope.ts";
import { type BuiltServer, handlerOf, protocolOf, registeredTools } from "./sdk-internals.ts";

/** What a layer may know of a call. */
export interface ToolCall<User = unknown, State = unknown> extends Caller<User, State> {
  /** As it was called, which may be anything; `tool` is null when there is no such tool for this user. */
  readonly name: string;
  /** What the server says of the tool; null also where a low-level `Server` keeps that to itself. */
  readonly tool: Pick<RegisteredTool, "title" | "description" | "annotations" | "_meta"> | null;
  /** As they came: not checked yet. */
  readonly arguments: JsonObject;
  readonly meta: JsonObject;
  readonly era: Era;
  /** Aborts when the caller cancels. */
  readonly signal: AbortSignal;
  /** The SDK's own context, for progress and log messages. */
  readonly context: ServerContext;
}

export type ToolResult = CallToolResult | InputRequiredResult;

/**
 * A layer: calls `next` once, or not at all, and gives its result or another. To refuse a call it gives a result with `isError`, or
 * throws the SDK's `ProtocolError`; what else it throws is logged, and its caller is told nothing of it.
 * @example
 * ```ts
 * import { type Middleware, server } from "openmcp/kit";
 *
 * const timed: Middleware = async (call, next) => {
 *   const begun = performance.now();
 *   try {
 *     return await next();
 *   } finally {
 *     console.error(call.tool === null ? "an unknown tool" : call.name, performance.now() - begun);
 *   }
 * };
 * server("greet", "1.0.0").use(timed);
 * ```
 */
export type Middleware<User = unknown, State = unknown> = (
  call: ToolCall<User, State>,
  next: () => Promise<ToolResult>,
) => ToolResult | Promise<ToolResult>;

/** Puts the layers round the calls of one server, the first outermost. Before it is connected. */
export function wrapCalls(
  built: BuiltServer,
  {
    layers,
    era,
    logger,
  }: { readonly layers: readonly Middleware[]; readonly era: Era; readonly logger: Logger },
): void {
  const server = protocolOf(built);
  const inner = handlerOf(server, "tools/call");
  if (inner === undefined || layers.length === 0) return;
  server.setRequestHandler("tools/call", (request, context) => {
    const call = callOf(built, { request, context, era });
    const go = () => inner(request as never, context as never) as Promise<ToolResult>;
    return run(call, { layers, inner: go, logger }) as never;
  });
}

function callOf(
  built: BuiltServer,
  {
    request,
    context,
    era,
  }: { readonly request: CallToolRequest; readonly context: ServerContext; readonly era: Era },
): ToolCall {
  const { name, arguments: given } = request.params;
  const registry = registeredTools(built);
  const tool = registry !== null && Object.hasOwn(registry, name) ? registry[name] : undefined;
  const { _meta: meta } = context.mcpReq;
  return {
    ...callerOf(context),
    name,
    tool: tool === undefined || !tool.enabled ? null : tool,
    arguments: (given ?? {}) as JsonObject,
    meta: isJsonObject(meta) ? meta : {},
    era,
    signal: context.mcpReq.signal,
    context,
  };
}

async function run(
  call: ToolCall,
  {
    layers,
    inner,
    logger,
  }: {
    readonly layers: readonly Middleware[];
    readonly inner: () => Promise<ToolResult>;
    readonly logger: Logger;
  },
): Promise<ToolResult> {
  /** What the SDK itself told: it passes through as it is. */
  const told = new Set<unknown>();
  const enter = async (depth: number): Promise<ToolResult> => {
    const layer = layers[depth];
    if (layer === undefined) {
      return inner().catch((error: unknown) => {
        told.add(error);
        throw error;
      });
    }
    let entered = false;
    return layer(call, () => {
      // A tool may do what can't be done twice.
      if (entered) return Promise.reject(new Error("a middleware called next() twice"));
      entered = true;
      return enter(depth + 1);
    });
  };
  try {
    const result: unknown = await enter(0);
    if (typeof result !== "object" || result === null) throw new Error("a middleware gave no result");
    return result as ToolResult;
  } catch (error) {
    if (error instanceof ProtocolError || told.has(error)) throw error;
    logger.error({ err: error, tool: call.tool === null ? null : call.name }, "a middleware failed");
    throw new ProtocolError(ProtocolErrorCode.InternalError, "Internal server error");
  }
}
