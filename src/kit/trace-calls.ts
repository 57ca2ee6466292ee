/**
 * Spans of tool calls, on OpenTelemetry's API (its semantic conventions for MCP). A call continues the trace that its caller names,
 * in `_meta` or else in the HTTP headers. Names only: neither arguments nor results, nor a name that is no tool's, are recorded.
 */
import type * as OpenTelemetry from "@opentelemetry/api";
import { readTraceContext, type TraceContext } from "../spec/index.ts";
import type { Middleware, ToolCall } from "./middleware.ts";

export interface TraceCallsOptions {
  /** The API itself, `import * as api from "@opentelemetry/api"`: whoever traces has it, and nobody else loads it. */
  readonly api: typeof OpenTelemetry;
  /** Default: the tracer `openmcp/kit` of the global provider. */
  readonly tracer?: OpenTelemetry.Tracer;
}

/** A layer that makes each call a span; spans that the tool begins lie in it, where the application has a context manager. */
export function traceCalls({
  api,
  tracer = api.trace.getTracer("openmcp/kit"),
}: TraceCallsOptions): Middleware {
  const { SpanKind, SpanStatusCode, context, trace } = api;

  function parentOf(call: ToolCall): OpenTelemetry.Context {
    const given = readTraceContext(call.meta) ?? readTraceContext(headersOf(call.request));
    return given === null ? context.active() : trace.setSpanContext(api.ROOT_CONTEXT, remote(api, given));
  }

  return async (call, next) => {
    const known = call.tool !== null;
    const parent = parentOf(call);
    const span = tracer.startSpan(
      known ? `tools/call ${call.name}` : "tools/call",
      {
        kind: SpanKind.SERVER,
        attributes: {
          "mcp.method.name": "tools/call",
          ...(known ? { "gen_ai.tool.name": call.name } : {}),
          "openmcp.era": call.era,
        },
      },
      parent,
    );
    const fail = (kind: string): void => {
      span.setAttribute("error.type", kind);
      span.setStatus({ code: SpanStatusCode.ERROR });
    };
    try {
      const result = await context.with(trace.setSpan(parent, span), next);
      if ("isError" in result && result.isError === true) fail("tool_error");
      return result;
    } catch (error) {
      // The message may quote an argument: the code alone.
      const { code } = error as { readonly code?: unknown };
      fail(typeof code === "number" || typeof code === "string" ? String(code) : "internal");
      throw error;
    } finally {
      span.end();
    }
  };
}

function headersOf(request: Request | null): Readonly<Record<string, unknown>> {
  return {
    traceparent: request?.headers.get("traceparent") ?? undefined,
    tracestate: request?.headers.get("tracestate") ?? undefined,
  };
}

function remote(api: typeof OpenTelemetry, given: TraceContext): OpenTelemetry.SpanContext {
  const [, traceId = "", spanId = "", flags = "00"] = given.traceparent.split("-");
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & api.TraceFlags.SAMPLED,
    isRemote: true,
    ...(given.tracestate === undefined ? {} : { traceState: api.createTraceState(given.tracestate) }),
  };
}
