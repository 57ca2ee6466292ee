/**
 * The onion round tool calls. Each layer sees the call before the tool does and its result after; the innermost is the SDK's own
 * handler, so that refusals (no such tool, wrong arguments) pass through every layer too. Without a layer nothing is put round
 * anything.
 */
import type {
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  RegisteredTool,
  ServerContext,
} from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "../spec/index.ts";
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
 * A layer: calls `next` once, or not at all, and gives its result or another.
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
  { layers, era }: { readonly layers: readonly Middleware[]; readonly era: Era },
): void {
  const server = protocolOf(built);
  const inner = handlerOf(server, "tools/call");
  if (inner === undefined || layers.length === 0) return;
  server.setRequestHandler("tools/call", (request, context) => {
    const call = callOf(built, { request, context, era });
    return run(layers, call, () => inner(request as never, context as never) as Promise<ToolResult>) as never;
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
  layers: readonly Middleware[],
  call: ToolCall,
  inner: () => Promise<ToolResult>,
): Promise<ToolResult> {
  const enter = async (depth: number): Promise<ToolResult> => {
    const layer = layers[depth];
    if (layer === undefined) return inner();
    let entered = false;
    return layer(call, () => {
      // A tool may do what can't be done twice.
      if (entered) return Promise.reject(new Error("a middleware called next() twice"));
      entered = true;
      return enter(depth + 1);
    });
  };
  return enter(0);
}
