/**
 * Every metric of a catalog, in one table: what it counts, its unit, its labels and all their values (docs/operate.md lists
 * the same; a test holds the two equal). The type of `Meter` is derived from it, so that a label value from outside, such as
 * a relay's id or a caller's text, does not compile. server/ writes them for Prometheus, with `openmcp_` before each name.
 */
import { budgetNames } from "./budget.ts";
import { eventNames } from "./event.ts";
import { probeStates } from "./record.ts";

/** Values that code names, more of them than a table should repeat: routes, operations, status codes. Never what someone sent. */
interface NamedInCode {
  readonly namedInCode: string;
}

const namedInCode = (what: string): NamedInCode => ({ namedInCode: what });

export interface MetricDefinition {
  /** `gauge`: read when someone asks for the metrics, not written by the code that does the work. */
  readonly kind: "counter" | "histogram" | "gauge";
  readonly help: string;
  /** What one of it is. */
  readonly unit: string;
  readonly labels: Readonly<Record<string, readonly string[] | NamedInCode>>;
}

const none = {} as const;

export const metrics = {
  http_requests_total: {
    kind: "counter",
    help: "HTTP requests answered",
    unit: "requests",
    labels: {
      method: ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "other"],
      route: namedInCode("the route's pattern, such as /v1/relays/:id; unmatched: no route"),
      status: namedInCode("the HTTP status; gone: the caller left before the answer"),
    },
  },
  http_request_duration_seconds: {
    kind: "histogram",
    help: "Time from a request's headers to the end of its answer; event streams are left out",
    unit: "seconds",
    labels: { route: namedInCode("as above") },
  },
  operations_total: {
    kind: "counter",
    help: "Operations of the catalog, whatever the door",
    unit: "operations",
    labels: {
      operation: namedInCode("the operation's name, such as register"),
      outcome: namedInCode("ok, or the code of the error"),
    },
  },
  rate_limited_total: {
    kind: "counter",
    help: "Operations refused because a budget was used up; calls-*, streams-*, passages*: too many under way at once",
    unit: "refusals",
    labels: {
      budget: [
        ...budgetNames,
        "calls-of-client",
        "calls-of-relay",
        "streams-of-client",
        "passages",
        "passages-of-client",
        "passages-of-origin",
      ],
    },
  },
  probes_total: {
    kind: "counter",
    help: "Looks at relay endpoints",
    unit: "looks",
    labels: { state: probeStates, era: ["modern", "legacy", "none"] },
  },
  probe_duration_seconds: {
    kind: "histogram",
    help: "Time of a look at an endpoint, all its requests together",
    unit: "seconds",
    labels: { state: probeStates },
  },
  changes_total: {
    kind: "counter",
    help: "Events appended to the log of changes",
    unit: "events",
    labels: { event: eventNames },
  },
  relay_calls_total: {
    kind: "counter",
    help: "Calls forwarded to relays",
    unit: "calls",
    labels: {
      outcome: [
        "result",
        "tool-error",
        "rpc-error",
        "refused",
        "unreachable",
        "timeout",
        "blocked",
        "aborted",
      ],
    },
  },
  relay_call_duration_seconds: {
    kind: "histogram",
    help: "Time of a forwarded call, as the catalog waited for it",
    unit: "seconds",
    labels: none,
  },
  relay_passages_total: {
    kind: "counter",
    help: "Requests of MCP clients passed through to relays, by what came of them until the answer began",
    unit: "requests",
    labels: {
      method: ["POST", "GET", "DELETE"],
      outcome: ["answered", "unreachable", "timeout", "blocked", "aborted"],
    },
  },
  search_duration_seconds: {
    kind: "histogram",
    help: "Time of a search for tools in the store",
    unit: "seconds",
    labels: none,
  },
  search_indexed_relays_total: {
    kind: "counter",
    help: "Relays that the search index has caught up with",
    unit: "relays",
    labels: none,
  },
  peer_syncs_total: {
    kind: "counter",
    help: "Syncs with peers; failed: the list was not read to its end",
    unit: "syncs",
    labels: { outcome: ["read", "failed"] },
  },
  peer_sync_duration_seconds: {
    kind: "histogram",
    help: "Time of a sync with a peer, looks at its relays included",
    unit: "seconds",
    labels: none,
  },
  webhook_deliveries_total: {
    kind: "counter",
    help: "Attempts to deliver an event to a subscriber",
    unit: "attempts",
    labels: { outcome: ["delivered", "attempted", "failed"] },
  },
  webhook_delivery_duration_seconds: {
    kind: "histogram",
    help: "Time of one attempt to deliver",
    unit: "seconds",
    labels: none,
  },
  queue_depth: {
    kind: "gauge",
    help: "Work that waits in the store",
    unit: "entries",
    labels: { queue: ["search-index", "bulk", "imports", "due-relays", "webhooks"] },
  },
  relays: { kind: "gauge", help: "Relays listed", unit: "relays", labels: none },
  relays_online: {
    kind: "gauge",
    help: "Relays that answered at the last look",
    unit: "relays",
    labels: none,
  },
  build_info: {
    kind: "gauge",
    help: "Always 1; the version is its label",
    unit: "none",
    labels: { version: namedInCode("the version of openmcp") },
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

type Metrics = typeof metrics;

export type MetricName = keyof Metrics;

type NameOf<Kind extends MetricDefinition["kind"]> = {
  [Name in MetricName]: Metrics[Name]["kind"] extends Kind ? Name : never;
}[MetricName];

export type CounterName = NameOf<"counter">;
export type HistogramName = NameOf<"histogram">;
export type GaugeName = NameOf<"gauge">;

/** The labels that a metric takes, all of them each time. */
export type MetricLabels<Name extends MetricName> = {
  readonly [Label in keyof Metrics[Name]["labels"]]: Metrics[Name]["labels"][Label] extends readonly (infer Value)[]
    ? Value
    : string;
};
