/**
 * A client of one catalog, over REST or over its MCP endpoint: the same methods, the same answers (OpenMCP 0.1 "The client").
 * It keeps no records and no credentials; a relay's credential travels in the call that needs it.
 */
import {
  type AddPeerOutput,
  type BulkInput,
  type BulkJob,
  type BulkOutput,
  type CallToolInput,
  type CallToolOutput,
  type ChangesInput,
  type ClaimsOutput,
  type DeliveryOutput,
  type FindToolsInput,
  type FindToolsOutput,
  type HistoryOutput,
  type ImportInput,
  type ImportJob,
  type ImportOutput,
  type ImportResult,
  type ImportResultsOutput,
  type ImportsOutput,
  type JsonObject,
  type ListRelaysInput,
  OpenMcpError,
  type PeersOutput,
  type RedeliverInput,
  type RelayChange,
  type RelayRecord,
  type RelaySummary,
  type RelayToolsOutput,
  type RemoveOutput,
  type RemovePeerOutput,
  recordEndpoint,
  type SubscribeInput,
  type SubscribeOutput,
  type SyncPeersOutput,
  type UnsubscribeOutput,
  type WebhookOutput,
} from "../spec/index.ts";
import type { ProbeAnswer, RegisterAnswer, RelayList } from "./answers.ts";
import { type ConnectOptions, connect } from "./connect.ts";
import type { WatchInput, WatchOptions } from "./follow-events.ts";
import { PAGE_SIZE } from "./limits.ts";
import { createMcpTransport } from "./mcp-transport.ts";
import { createRestTransport } from "./rest-transport.ts";
import type { McpClient } from "./session/ready-client.ts";
import { type CatalogClientOptions, type Fetch, type RequestOptions, readBase } from "./settings.ts";
import type { CatalogTransport } from "./transport.ts";

/**
 * Every method rejects with `OpenMcpError`: what the catalog said, or `catalog-unreachable`, `catalog-answer`, `timeout`,
 * `aborted`, `unsupported-transport`, `invalid-input`.
 *
 * @example
 * ```ts
 * import { CatalogClient } from "openmcp/client";
 *
 * await using catalog = new CatalogClient("http://127.0.0.1:8790");
 * const { tools } = await catalog.find({ q: "list open pull requests" });
 * const best = tools[0];
 * if (best) {
 *   const { result } = await catalog.call({ relay: best.relay, tool: best.name, arguments: {}, token: "mine" });
 *   console.log(result.content);
 * }
 * ```
 */
export class CatalogClient implements AsyncDisposable {
  /** The catalog's base URL, without a trailing slash. */
  readonly base: string;
  readonly #transport: CatalogTransport;
  readonly #fetch: Fetch;
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #closing: Promise<void> | undefined;

  /** @param base the catalog's site; its `/v1` or `/mcp` will do as well. Throws `invalid-input` when it is no URL. */
  constructor(base: string | URL, options: CatalogClientOptions = {}) {
    this.base = readBase(String(base));
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#signal =
      options.signal === undefined ? this.#stop.signal : AbortSignal.any([this.#stop.signal, options.signal]);
    const settings = {
      base: this.base,
      token: options.token,
      fetch: this.#fetch,
      signal: this.#signal,
      timeoutMs: options.timeoutMs,
      exactNumbers: options.exactNumbers === true,
    };
    this.#transport =
      options.transport === "mcp" ? createMcpTransport(settings) : createRestTransport(settings);
  }

  /** How this client speaks to the catalog. */
  get transport(): "rest" | "mcp" {
    return this.#transport.kind;
  }

  /** One page of relays, as summaries. */
  list(input: ListRelaysInput = {}, options?: RequestOptions): Promise<RelayList> {
    return this.#transport.list(input, options);
  }

  /** All relays that match, page after page. A catalog without cursors gives what it has on one page. */
  async *relays(
    input: Omit<ListRelaysInput, "cursor"> = {},
    options?: RequestOptions,
  ): AsyncGenerator<RelaySummary> {
    yield* entriesOf(input, (page) => this.list(page, options));
  }

  /**
   * The same as whole records, tools and all; over MCP one by one. Another catalog's may lack what ours always has.
   *
   * @example
   * ```ts
   * import { CatalogClient } from "openmcp/client";
   *
   * await using catalog = new CatalogClient("http://127.0.0.1:8790");
   * for await (const { id, tools } of catalog.records({ online: true })) console.log(id, tools.length);
   * ```
   */
  async *records(
    input: Omit<ListRelaysInput, "cursor"> = {},
    options?: RequestOptions,
  ): AsyncGenerator<RelayRecord> {
    yield* entriesOf(input, (page) => this.#transport.records(page, options));
  }

  /** One relay's record. `not-found` when the catalog has none of this id. */
  async get(id: string, options?: RequestOptions): Promise<RelayRecord> {
    return (await this.#transport.get({ id: checkId(id) }, options)).relay;
  }

  /** One relay's tools, with their schemas. */
  async tools(id: string, options?: RequestOptions): Promise<RelayToolsOutput> {
    return this.#transport.tools({ id: checkId(id) }, options);
  }

  /** One relay's tools as an OpenAPI 3.1 document, whose operations call them through the catalog; REST only. */
  async openapi(id: string, options?: RequestOptions): Promise<JsonObject> {
    return this.#transport.openapi({ id: checkId(id) }, options);
  }

  /** Tools that fit what is wanted, best first, over all relays. */
  find(input: FindToolsInput, options?: RequestOptions): Promise<FindToolsOutput> {
    return this.#transport.find(input, options);
  }

  /** Calls a relay's tool through the catalog. A result with `isError` is a result; what kept the call from the tool rejects. */
  async call(input: CallToolInput, options?: RequestOptions): Promise<CallToolOutput> {
    checkId(input.relay);
    return this.#transport.call(input, options);
  }

  /** Registers by any URL of a relay. `not-listed`, with `data.probe`, when the probe found nothing to list. */
  register(url: string, options?: RequestOptions): Promise<RegisterAnswer> {
    return this.#transport.register({ url }, options);
  }

  /** Registers up to 1,000 URLs as a job that the catalog works through; REST only. */
  bulk(input: BulkInput, options?: RequestOptions): Promise<BulkOutput> {
    return this.#transport.bulk(input, options);
  }

  /** How far a job is; REST only. */
  bulkJob(job: string, options?: RequestOptions): Promise<BulkJob> {
    return this.#transport.bulkJob({ job }, options);
  }

  /**
   * Has the catalog take the relays of a registry, an AI Catalog or a list of URLs, as a job; needs the admin token, REST only.
   * `conflict`, with `data.job`, when it is reading that list already.
   *
   * @example
   * ```ts
   * import { CatalogClient } from "openmcp/client";
   *
   * await using catalog = new CatalogClient("http://127.0.0.1:8790", { token: "the admin token" });
   * const { job } = await catalog.importRelays({ from: "registry", dryRun: true });
   * console.log((await catalog.importJob(job)).report.seen);
   * ```
   */
  importRelays(input: ImportInput, options?: RequestOptions): Promise<ImportOutput> {
    return this.#transport.importRelays(input, options);
  }

  /** Imports under way and those of the last week, the newest first; needs the admin token, REST only. */
  imports(options?: RequestOptions): Promise<ImportsOutput> {
    return this.#transport.imports({}, options);
  }

  /** How far an import has come; needs the admin token, REST only. */
  async importJob(job: string, options?: RequestOptions): Promise<ImportJob> {
    return this.#transport.importJob({ job: checkId(job, "an import's id") }, options);
  }

  /** What became of each URL that an import took, page after page; needs the admin token, REST only. */
  async *importResults(job: string, options?: RequestOptions): AsyncGenerator<ImportResult, void> {
    checkId(job, "an import's id");
    let cursor: string | null = null;
    do {
      const input = { job, limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
      const page: ImportResultsOutput = await this.#transport.importResults(input, options);
      yield* page.results;
      // Places only grow: a cursor that stays would give the same page for ever.
      if (page.nextCursor === cursor) return;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** Ends an import where it is; needs the admin token, REST only. */
  async cancelImport(job: string, options?: RequestOptions): Promise<ImportJob> {
    return this.#transport.cancelImport({ job: checkId(job, "an import's id") }, options);
  }

  /** Names under which lists that the catalog imported have a relay: hearsay; REST only. */
  async claims(id: string, options?: RequestOptions): Promise<ClaimsOutput> {
    return this.#transport.claims({ id: checkId(id) }, options);
  }

  /** Probes a relay now. */
  async refresh(id: string, options?: RequestOptions): Promise<ProbeAnswer> {
    return this.#transport.refresh({ id: checkId(id) }, options);
  }

  /** Removes a relay; needs the admin token, REST only. */
  async remove(id: string, options?: RequestOptions): Promise<RemoveOutput> {
    return this.#transport.remove({ id: checkId(id) }, options);
  }

  /**
   * What changed, in the order of its commit, from `since` (default: the oldest that is kept) up to now, page after page;
   * REST only. `gone` when `since` is no longer kept: list the relays anew, and go on from its `data.latest`.
   */
  async *changes(input: ChangesInput = {}, options?: RequestOptions): AsyncGenerator<RelayChange, void> {
    let since = input.since;
    for (;;) {
      const page = await this.#transport.changes(
        { ...input, ...(since === undefined ? {} : { since }) },
        options,
      );
      if (page.changes.length === 0 || page.next === since) return;
      yield* page.changes;
      since = page.next;
    }
  }

  /**
   * Follows what changes, from `since` or from now on, until its signal or the client ends it; REST only. It comes back by
   * itself after a connection was lost, and goes on from where it was: no change is lost or told twice.
   * Rejects with `gone` when it was away for longer than changes are kept.
   *
   * @example
   * ```ts
   * import { CatalogClient } from "openmcp/client";
   *
   * await using catalog = new CatalogClient("http://127.0.0.1:8790");
   * for await (const change of catalog.watch({ events: ["relay.updated"] })) {
   *   for (const tool of change.detail?.tools?.changed ?? []) console.log(change.relay.id, tool.name, tool.fields);
   * }
   * ```
   */
  watch(input: WatchInput = {}, options?: WatchOptions): AsyncGenerator<RelayChange, void> {
    return this.#transport.watch(input, options);
  }

  /** What a relay was found to be and when, and how quickly it answered; REST only. */
  async history(id: string, options?: RequestOptions): Promise<HistoryOutput> {
    return this.#transport.history({ id: checkId(id) }, options);
  }

  /** The other catalogs that this one learns relays from. */
  peers(options?: RequestOptions): Promise<PeersOutput> {
    return this.#transport.peers({}, options);
  }

  /** Adds a peer, by its site, its descriptor or its `/v1`; needs the admin token, REST only. */
  addPeer(url: string, options?: RequestOptions): Promise<AddPeerOutput> {
    return this.#transport.addPeer({ url }, options);
  }

  /** Removes a peer; what was learned from it stays. Needs the admin token, REST only. */
  removePeer(url: string, options?: RequestOptions): Promise<RemovePeerOutput> {
    return this.#transport.removePeer({ url }, options);
  }

  /** Has the catalog learn from all its peers now, and waits; needs the admin token, REST only. */
  syncPeers(options?: RequestOptions): Promise<SyncPeersOutput> {
    return this.#transport.syncPeers({}, options);
  }

  /** Subscribes a URL to the catalog's events. The secret in the answer is shown this once; the id is the only handle. */
  subscribe(input: SubscribeInput, options?: RequestOptions): Promise<SubscribeOutput> {
    return this.#transport.subscribe(input, options);
  }

  /** A subscription and what became of its last deliveries; REST only. */
  async webhook(id: string, options?: RequestOptions): Promise<WebhookOutput> {
    return this.#transport.webhook({ id: checkId(id, "a subscription's id") }, options);
  }

  /** Ends a subscription. */
  async unsubscribe(id: string, options?: RequestOptions): Promise<UnsubscribeOutput> {
    return this.#transport.unsubscribe({ id: checkId(id, "a subscription's id") }, options);
  }

  /** Has the catalog send a delivery of the event `webhook.test`; REST only. */
  async testWebhook(id: string, options?: RequestOptions): Promise<DeliveryOutput> {
    return this.#transport.testWebhook({ id: checkId(id, "a subscription's id") }, options);
  }

  /** Has the catalog deliver something once more, under its own id; REST only. */
  async redeliver(input: RedeliverInput, options?: RequestOptions): Promise<DeliveryOutput> {
    checkId(input.id, "a subscription's id");
    checkId(input.delivery, "a delivery's id");
    return this.#transport.redeliver(input, options);
  }

  /**
   * Goes direct: reads the record, then connects to the relay's own endpoint. The credential given here goes to the relay
   * and never to the catalog; the catalog's admin token never goes to the relay.
   */
  async connect(id: string, options: ConnectOptions = {}): Promise<McpClient> {
    const relay = await this.get(id, options);
    let endpoint: string;
    try {
      endpoint = recordEndpoint(relay);
    } catch (cause) {
      throw new OpenMcpError("catalog-answer", `The record of "${id}" names no usable endpoint.`, { cause });
    }
    const signal =
      options.signal === undefined ? this.#signal : AbortSignal.any([this.#signal, options.signal]);
    return connect(endpoint, { fetch: this.#fetch, ...options, signal });
  }

  /** Ends what is under way and the MCP session, if there is one. Idempotent. */
  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#stop.abort();
      this.#closing = this.#transport.close();
    }
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Page after page of a list. */
async function* entriesOf<Entry>(
  input: ListRelaysInput,
  read: (
    page: ListRelaysInput,
  ) => Promise<{ readonly relays: readonly Entry[]; readonly nextCursor: string | null }>,
): AsyncGenerator<Entry> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const page = await read({ limit: PAGE_SIZE, ...input, ...(cursor === null ? {} : { cursor }) });
    yield* page.relays;
    if (cursor !== null) seen.add(cursor);
    cursor = page.nextCursor;
    // A cursor that comes back would walk the same pages for ever.
  } while (cursor !== null && !seen.has(cursor));
}

/** An id becomes part of a path: one that would be another path is refused here. */
function checkId(id: string, what?: string): string {
  if (id !== "" && id !== "." && id !== "..") return id;
  const cure = what === undefined ? "a relay's id. List them with list()" : what;
  throw new OpenMcpError("invalid-input", `"${id}" is not ${cure}.`, {
    data: { field: "id" },
  });
}
