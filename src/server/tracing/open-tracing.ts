/**
 * Traces as the standard variables of OpenTelemetry ask for them (OTEL_EXPORTER_OTLP_ENDPOINT and its kin), sent over
 * OTLP/HTTP. The SDK is an optional part of an installation, and is loaded only when traces are asked for.
 */
import type { Sampler } from "@opentelemetry/sdk-trace";
import type { Logger } from "../../spec/index.ts";
import { TRACES_CLOSE_MS, TRACES_EXPORT_MS } from "../limits.ts";
import { createTracing, type Tracing } from "./tracing.ts";

export interface OpenTracingOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly logger: Logger;
}

/** Null when traces are not asked for, or the SDK is not installed; the log says so then. */
export async function openTracing({ env, version, logger }: OpenTracingOptions): Promise<Tracing | null> {
  if (!asked(env)) return null;
  const sdk = await load();
  if (sdk === null) {
    logger.warn(
      { packages: SDK },
      `traces are asked for, but OpenTelemetry's SDK is not installed; install it beside openmcp: npm install ${SDK.join(" ")}`,
    );
    return null;
  }
  const { api, trace, exporter, resources } = sdk;
  const named = resources.resourceFromAttributes({ "service.name": "openmcp", "service.version": version });
  const resource = named.merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const provider = new trace.TracerProvider({
    resource,
    sampler: samplerOf(env, trace),
    spanProcessors: [
      new trace.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter(patience(env)) }),
    ],
  });
  api.diag.setLogger(quietDiagnostics(logger), {
    logLevel: api.DiagLogLevel.WARN,
    suppressOverrideMessage: true,
  });
  return createTracing({
    api,
    tracer: provider.getTracer("openmcp", version),
    shutdown: () => bounded(provider.shutdown(), logger),
  });
}

const SDK = [
  "@opentelemetry/sdk-trace",
  "@opentelemetry/resources",
  "@opentelemetry/exporter-trace-otlp-http",
] as const;

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
function asked(env: OpenTracingOptions["env"]): boolean {
  const set = (name: string): string => env[name]?.trim() ?? "";
  if (set("OTEL_SDK_DISABLED").toLowerCase() === "true" || set("OTEL_TRACES_EXPORTER") === "none")
    return false;
  return set("OTEL_EXPORTER_OTLP_ENDPOINT") !== "" || set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") !== "";
}

async function load() {
  try {
    const [api, trace, exporter, resources] = await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
    return { api, trace, exporter, resources };
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND") return null;
    throw error;
  }
}

/** The SDK's own 10 s would keep a process that has stopped alive for as long. */
function patience(env: OpenTracingOptions["env"]): { readonly timeoutMillis?: number } {
  const told = env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT;
  return told === undefined ? { timeoutMillis: TRACES_EXPORT_MS } : {};
}

/** All that the caller sampled and all that has no caller, unless OTEL_TRACES_SAMPLER says otherwise. */
function samplerOf(
  env: OpenTracingOptions["env"],
  trace: typeof import("@opentelemetry/sdk-trace"),
): Sampler {
  const share = Number(env.OTEL_TRACES_SAMPLER_ARG ?? "1");
  const roots: Readonly<Record<string, () => Sampler>> = {
    always_on: () => new trace.AlwaysOnSampler(),
    always_off: () => new trace.AlwaysOffSampler(),
    traceidratio: () => new trace.TraceIdRatioBasedSampler(Number.isFinite(share) ? share : 1),
  };
  const name = env.OTEL_TRACES_SAMPLER?.trim().toLowerCase() ?? "";
  const own = roots[name];
  if (own !== undefined) return own();
  const root = (roots[name.replace(/^parentbased_/, "")] ?? roots.always_on) as () => Sampler;
  return new trace.ParentBasedSampler({ root: root() });
}

/** The SDK's own troubles, such as a collector that does not answer. */
function quietDiagnostics(logger: Logger) {
  const say =
    (level: "debug" | "warn" | "error") =>
    (message: string): void =>
      logger[level]({ detail: message.slice(0, 300) }, "traces");
  return {
    verbose: say("debug"),
    debug: say("debug"),
    info: say("debug"),
    warn: say("warn"),
    error: say("warn"),
  };
}

/** A collector that hangs does not hold up a stop. */
async function bounded(work: Promise<void>, logger: Logger): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), TRACES_CLOSE_MS);
  try {
    if ((await Promise.race([work, late])) === "late") {
      logger.warn({}, "the last traces could not be sent in time");
    }
  } catch (error) {
    logger.warn({ err: error }, "the last traces could not be sent");
  } finally {
    clearTimeout(timer);
  }
}
