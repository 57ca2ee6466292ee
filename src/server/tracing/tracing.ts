/**
 * Traces on OpenTelemetry's API: spans that know what they belong to, without touching the process's global tracer, so
 * that two catalogs in one process, or a catalog in a traced application, don't mix. Which SDK writes them is not known here.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import type * as OpenTelemetry from "@opentelemetry/api";
import {
  isOpenMcpError,
  readTraceContext,
  type Span,
  type SpanOptions,
  type TraceContext,
  type Tracer,
} from "../../spec/index.ts";

export interface RequestFacts {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly requestId: string;
  readonly callerLeft?: boolean;
}

/** The span of an HTTP request to the catalog. */
export interface RequestSpan {
  /** Work that `work` starts belongs to the request. */
  run<T>(work: () => T): T;
  /** Once, when the answer is out. */
  end(facts: RequestFacts): void;
}

export interface Tracing extends AsyncDisposable {
  readonly tracer: Tracer;
  /** True inside a span. */
  active(): boolean;
  /** Begins a request's span; its caller's is in the W3C headers, where there are any. */
  request(headers: IncomingHttpHeaders): RequestSpan;
  /** Sends what has not been sent, in bounded time. Idempotent. */
  close(): Promise<void>;
}

export interface TracingParts {
  readonly api: typeof OpenTelemetry;
  readonly tracer: OpenTelemetry.Tracer;
  /** Sends what has not been sent. */
  readonly shutdown?: () => Promise<void>;
}

/** Traces on a tracer of OpenTelemetry; for an application that brings its own. */
export function createTracing({ api, tracer, shutdown }: TracingParts): Tracing {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const here = new AsyncLocalStorage<OpenTelemetry.Context>();

  function begin(name: string, options: OpenTelemetry.SpanOptions, parent: OpenTelemetry.Context): Begun {
    const span = tracer.startSpan(name, options, parent);
    return { span, context: trace.setSpan(parent, span) };
  }

  function remote(given: TraceContext): OpenTelemetry.Context {
    const [, traceId = "", spanId = "", flags = "00"] = given.traceparent.split("-");
    const traceFlags = Number.parseInt(flags, 16) & api.TraceFlags.SAMPLED;
    const traceState = given.tracestate === undefined ? undefined : api.createTraceState(given.tracestate);
    return trace.setSpanContext(ROOT_CONTEXT, {
      traceId,
      spanId,
      traceFlags,
      isRemote: true,
      ...(traceState === undefined ? {} : { traceState }),
    });
  }

  async function span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const current = here.getStore();
    const under = current === undefined ? undefined : trace.getSpanContext(current);
    const { parent } = options;
    const { span: own, context } = begin(
      name,
      {
        kind: options.kind === "client" ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes: { ...options.attributes },
        // Work that belongs to what the caller named is still part of the HTTP request that brought it.
        links: parent === undefined || under === undefined ? [] : [{ context: under }],
      },
      parent === undefined ? (current ?? ROOT_CONTEXT) : remote(parent),
    );
    let failed: string | null = null;
    try {
      return await here.run(context, () =>
        work({
          set: (attributes) => void own.setAttributes({ ...attributes }),
          fail(kind) {
            failed = kind;
          },
        }),
      );
    } catch (error) {
      // The message may quote what a caller or a relay sent: the code alone.
      failed ??= isOpenMcpError(error) ? error.code : "internal";
      throw error;
    } finally {
      if (failed !== null) {
        own.setAttribute("error.type", failed);
        own.setStatus({ code: SpanStatusCode.ERROR });
      }
      own.end();
    }
  }

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (shutdown ?? (async () => {}))();
    return closing;
  };
  return {
    tracer: {
      span,
      context() {
        const current = here.getStore();
        const own = current === undefined ? undefined : trace.getSpanContext(current);
        return own === undefined ? null : passedOn(own);
      },
    },
    active: () => here.getStore() !== undefined,
    request(headers) {
      const given = readTraceContext(headers);
      const { span: own, context } = begin(
        "request",
        { kind: SpanKind.SERVER },
        given === null ? ROOT_CONTEXT : remote(given),
      );
      return {
        run: (work) => here.run(context, work),
        end({ method, route, status, requestId, callerLeft = false }) {
          own.updateName(`${method} ${route}`);
          own.setAttributes({
            "http.request.method": method,
            "http.route": route,
            "http.response.status_code": status,
            "openmcp.request_id": requestId,
            ...(callerLeft ? { "openmcp.caller_left": true } : {}),
          });
          if (status >= 500) own.setStatus({ code: SpanStatusCode.ERROR });
          own.end();
        },
      };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Begun {
  readonly span: OpenTelemetry.Span;
  readonly context: OpenTelemetry.Context;
}

function passedOn({ traceId, spanId, traceFlags, traceState }: OpenTelemetry.SpanContext): TraceContext {
  const flags = traceFlags.toString(16).padStart(2, "0");
  const tracestate = traceState?.serialize() ?? "";
  return {
    traceparent: `00-${traceId}-${spanId}-${flags}`,
    ...(tracestate === "" ? {} : { tracestate }),
  };
}
