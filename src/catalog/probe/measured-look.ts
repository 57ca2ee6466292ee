/** A look at an endpoint as relay/ does it, with its span and its numbers. The URL is in neither: it may hold what its owner keeps to itself. */
import { type AskOptions, look } from "../../relay/index.ts";
import type { EndpointVerdict, MetricLabels } from "../../spec/index.ts";
import type { CatalogContext } from "../context.ts";

export function measuredLook(
  { meter, tracer }: CatalogContext,
  url: string,
  options: AskOptions,
): Promise<EndpointVerdict> {
  const attributes = { "server.address": new URL(url).hostname };
  return tracer.span("probe", { kind: "client", attributes }, async (span) => {
    const started = performance.now();
    const verdict = await look(url, options);
    const { state } = verdict;
    const era = eraOf(verdict);
    meter.count("probes_total", { state, era });
    meter.observe("probe_duration_seconds", (performance.now() - started) / 1_000, { state });
    span.set({ "openmcp.state": state, "openmcp.era": era });
    return verdict;
  });
}

function eraOf({ era, hints }: EndpointVerdict): MetricLabels<"probes_total">["era"] {
  return era === null ? "none" : (hints?.era ?? "legacy");
}
