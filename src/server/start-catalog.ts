/**
 * The composition root: the one place where store, network, operations, workers, doors and socket meet.
 * It decides nothing that a room decides; it picks the parts, hands each the narrow interface it takes, and closes them
 * in the order that loses nothing: intake, requests under way, workers, network, store.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type CatalogContext, createSecretBox, isOwnUrl } from "../catalog/index.ts";
import { type Clock, type Exchange, silentMeter, silentTracer } from "../spec/index.ts";
import type { Store } from "../store/index.ts";
import { openSqliteStore } from "../store/sqlite/index.ts";
import { createCallers } from "./callers.ts";
import { type CatalogApp, createCatalogApp } from "./catalog-app.ts";
import { closeAll } from "./close-all.ts";
import { createLateExchange, type LateExchange } from "./late-exchange.ts";
import { STREAM_GRACE_MS, WARM_UP_MS } from "./limits.ts";
import { type Listener, listen } from "./listener.ts";
import { type CatalogLog, createLog } from "./log.ts";
import { isLoopbackHost } from "./loopback.ts";
import { type CatalogMeter, createMeter } from "./metrics/create-meter.ts";
import { createGauges } from "./metrics/gauges.ts";
import { createReadiness } from "./readiness.ts";
import type { ServeOptions } from "./serve-options.ts";
import { tracedStore } from "./tracing/traced-store.ts";
import type { Tracing } from "./tracing/tracing.ts";
import { clearLeftovers, createVault } from "./vault.ts";
import { version } from "./version.ts";
import { createWorkers, type Workers } from "./workers.ts";

export interface CatalogParts {
  /** Default: JSON lines on standard error. */
  readonly log?: CatalogLog;
  /** Milliseconds that no outbound exchange may pass, whatever its own limit: for impatient catalogs, and tests. */
  readonly exchangeTimeoutMs?: number;
  /** Milliseconds that requests under way have at a stop. */
  readonly drainMs?: number;
  /** False: nothing is counted, and there is no /metrics. For an application with numbers of its own, and to measure what counting costs. */
  readonly metrics?: boolean;
  /** Where traces go; default: nowhere. Whoever opened it closes it, after the catalog. */
  readonly tracing?: Tracing | null;
}

export interface RunningCatalog extends AsyncDisposable {
  /** Public base URL without a trailing slash. */
  readonly url: string;
  /** What it is bound to, `http://address:port`. */
  readonly origin: string;
  readonly options: ServeOptions;
  /** True when probes and calls may reach loopback. */
  readonly loopbackAllowed: boolean;
  /** Idempotent. Takes no more requests, drains in bounded time, then closes the store. */
  close(): Promise<void>;
}

/**
 * Starts a catalog; resolves when it answers.
 * @throws OpenMcpError `unavailable` (address, database), `schema-too-new`.
 * @example
 * ```ts
 * await using catalog = await startCatalog(parseServeOptions({ port: 0, db: ":memory:" }));
 * console.log(catalog.url);
 * ```
 */
export async function startCatalog(options: ServeOptions, parts: CatalogParts = {}): Promise<RunningCatalog> {
  const log =
    parts.log ??
    createLog({ level: options.logLevel, human: false, write: (line) => void process.stderr.write(line) });
  const opened: AsyncDisposable[] = [];
  try {
    await clearLeftovers(options.db);
    const store = await openSqliteStore({ path: options.db });
    opened.push(store);
    const tracing = parts.tracing ?? null;
    const meter =
      parts.metrics === false
        ? null
        : createMeter({ gauges: createGauges({ store, clock: systemClock, version }), logger: log });
    const listener = await listen({
      host: options.host,
      port: options.port,
      log,
      meter: meter ?? silentMeter,
      tracing,
      ...(parts.drainMs === undefined ? {} : { drainMs: parts.drainMs }),
    });
    opened.push(listener);
    const url = options.url ?? ownUrl(options.host, listener.origin);
    // Loopback is open to a catalog that nobody but this machine can reach (wire.md, "Whom the catalog may call").
    const loopbackAllowed =
      isLoopbackHost(options.host) && isLoopbackHost(new URL(url).hostname) && options.trustProxy === null;
    const exchange = createLateExchange(
      { allowLoopback: loopbackAllowed, allowNetworks: options.allowNetworks },
      // Whoever finds us in a log can look us up, and ask whoever runs us to stop.
      { userAgent: `openmcp/${version} (+${url})` },
    );
    opened.push(exchange);
    const context: CatalogContext = {
      identity: {
        name: options.name,
        description: "Find MCP servers, see which ones answer, and call their tools.",
        url,
        operator: options.operator,
        version,
      },
      store: tracing === null ? store : tracedStore(store, tracing),
      exchange: capped(exchange.exchange, parts.exchangeTimeoutMs),
      clock: systemClock,
      logger: log,
      meter: meter ?? silentMeter,
      tracer: tracing?.tracer ?? silentTracer,
      secrets: createSecretBox(options.secretsKeys),
      newId: randomUUID,
      ...(options.registry === null ? {} : { registry: options.registry }),
      ...(options.budgets === null ? {} : { budgets: options.budgets }),
      watch: {
        periodMs: options.refreshMs,
        confirmOffline: options.confirmOffline,
        random: Math.random,
      },
    };
    await addPeers(context, options.peers);
    const workers = createWorkers(context, options);
    let closing: Promise<void> | null = null;
    const app = createCatalogApp({
      context,
      adminToken: options.adminToken,
      clientOf: createCallers(options, log),
      readiness: createReadiness({ store, workers, stopping: () => closing !== null, logger: log }),
      metrics: meter === null ? null : () => meter.expose(),
      vault: createVault({ db: options.db, store, workers, listener, logger: log }),
    });
    listener.serve(app.fetch);
    workers.start();
    const warmUp = setTimeout(
      () => void warm([app, exchange, ...(meter === null ? [] : [meter])], log),
      WARM_UP_MS,
    );

    const close = (): Promise<void> => {
      clearTimeout(warmUp);
      closing ??= closeInOrder({ listener, app, workers, exchange, store, meter, log });
      return closing;
    };
    return {
      url,
      origin: listener.origin,
      options,
      loopbackAllowed,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    // Why it did not start says more than what could not be closed.
    await closeAll(opened.reverse().map((part) => () => Promise.resolve(part[Symbol.asyncDispose]()))).catch(
      () => {},
    );
    throw error;
  }
}

/** One after the other: each holds up for some 20 ms whoever asks meanwhile. Whoever needs a part that fails meets the failure. */
async function warm(parts: readonly { warm(): Promise<void> }[], log: CatalogLog): Promise<void> {
  for (const part of parts) {
    try {
      await part.warm();
    } catch (error) {
      log.error({ err: error }, "a part of the catalog could not be loaded");
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Peers that `serve` was told of. One that is this catalog itself is left out: several catalogs may share a list. */
async function addPeers({ store, clock, identity }: CatalogContext, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    if (!isOwnUrl(url, identity)) await store.peers.add(url, clock.now());
  }
}

/**
 * Workers stop beside the draining requests: both need the network and the store, which go last. Each part is closed whatever
 * became of the others.
 * @throws what the first part that failed threw, once all had their turn.
 */
async function closeInOrder(parts: {
  readonly listener: Listener;
  readonly app: CatalogApp;
  readonly workers: Workers;
  readonly exchange: LateExchange;
  readonly store: Store;
  readonly meter: CatalogMeter | null;
  readonly log: CatalogLog;
}): Promise<void> {
  const { listener, app, workers, exchange, store, meter, log } = parts;
  const streams = setTimeout(() => void app.close().catch(() => {}), STREAM_GRACE_MS);
  await closeAll([
    () => app.endEvents(),
    () => closeAll([() => listener.close(), () => workers.close()], { sideBySide: true }),
    () => app.close(),
    () => exchange.close(),
    () => store.close(),
    async () => meter?.close(),
  ]).finally(() => {
    clearTimeout(streams);
    log.flush();
  });
}

/** `localhost` stays as it was given; an address is shown as bound. */
function ownUrl(host: string, origin: string): string {
  return host.toLowerCase() === "localhost" ? `http://localhost:${new URL(origin).port}` : origin;
}

function capped(exchange: Exchange, mostMs: number | undefined): Exchange {
  if (mostMs === undefined) return exchange;
  return (request, limits) => exchange(request, { ...limits, timeoutMs: Math.min(limits.timeoutMs, mostMs) });
}

const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
