/**
 * A client that is ready: the SDK's, with what the handshake agreed on as plain values, one error for all that fails, a time and a
 * signal on every call, and a session that the server forgot begun anew once.
 */
import type {
  CallToolRequestParams,
  CallToolResult,
  Client,
  CompleteRequestParams,
  CompleteResult,
  GetPromptRequestParams,
  GetPromptResult,
  Implementation,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  McpSubscription,
  Progress,
  ReadResourceRequestParams,
  ReadResourceResult,
  RequestOptions,
  ServerCapabilities,
  SubscriptionFilter,
} from "@modelcontextprotocol/client";
import { anyObject, isJsonObject, type JsonObject } from "../../spec/index.ts";
import { causes } from "../causes.ts";
import { ConnectError } from "../connect-error.ts";
import { CALL_TIMEOUT_MS } from "../limits.ts";
import { explainCall } from "./explain.ts";
import type { Link } from "./link.ts";
import { createNotificationFeed, type McpNotification } from "./notification-feed.ts";

/** For one call. */
export interface CallOptions {
  /** Ends the call, on the wire too. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call; default 60 s, which start anew with each progress when `onProgress` is given. */
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: Progress) => void;
}

type Call<Params, Result> = (params: Params, options?: CallOptions) => Promise<Result>;
type ListCall<Result> = (params?: undefined, options?: CallOptions) => Promise<Result>;

/** A client that has shaken hands. Calls reject with `ConnectError`. */
export interface McpClient extends AsyncDisposable {
  readonly serverInfo: Implementation | undefined;
  readonly serverCapabilities: ServerCapabilities;
  readonly instructions: string | undefined;
  readonly protocolVersion: string;
  readonly era: "modern" | "legacy";
  /** What the server tells from now on; each reader has a bounded buffer of its own. Newer era: see `listen`. */
  readonly notifications: AsyncIterable<McpNotification>;
  /** All pages. */
  readonly listTools: ListCall<ListToolsResult>;
  /** A tool that failed is a result with `isError`; `unwrap` throws it. */
  readonly callTool: Call<CallToolRequestParams, CallToolResult>;
  readonly listResources: ListCall<ListResourcesResult>;
  readonly listResourceTemplates: ListCall<ListResourceTemplatesResult>;
  readonly readResource: Call<ReadResourceRequestParams, ReadResourceResult>;
  /** Changes of the resource come as notifications, in either era, until the end of what this gives. */
  subscribe(params: { readonly uri: string }, options?: CallOptions): Promise<AsyncDisposable>;
  readonly listPrompts: ListCall<ListPromptsResult>;
  readonly getPrompt: Call<GetPromptRequestParams, GetPromptResult>;
  readonly complete: Call<CompleteRequestParams, CompleteResult>;
  /** Older era only. */
  ping(options?: CallOptions): Promise<void>;
  /** Asks for notifications of changed lists: the newer era sends only what is asked for. In the older era they come anyway. */
  listen(filter?: SubscriptionFilter, options?: CallOptions): Promise<AsyncDisposable>;
  /** Any request, its result untouched: the other methods drop what the SDK does not know. */
  request(
    request: { readonly method: string; readonly params?: JsonObject },
    options?: CallOptions,
  ): Promise<JsonObject>;
  /** The SDK's client, for all else. Another one after a lost session. */
  readonly sdk: Client;
  /** Idempotent and bounded: calls under way reject, a session is ended, a process stopped. */
  close(): Promise<void>;
}

/** One link and the client on it. */
export interface Live {
  readonly link: Link;
  readonly client: Client;
}

/** `renew` makes another connection like the first. */
export function readyClient(first: Live, renew: (signal: AbortSignal) => Promise<Live>): McpClient {
  const feed = createNotificationFeed();
  let live = watched(first);
  let renewing: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const stop = new AbortController();

  function watched(next: Live): Live {
    next.link.onNotification = (message) => feed.publish(message);
    const { onclose } = next.client;
    next.client.onclose = () => {
      onclose?.();
      // A session that is begun anew goes on telling.
      if (next === live && renewing === undefined) feed.end();
    };
    return next;
  }

  async function fresh(lost: Live): Promise<void> {
    if (lost !== live) return;
    renewing ??= (async () => {
      try {
        const next = await renew(stop.signal);
        live = watched(next);
        lost.link.onNotification = null;
        await lost.client.close().catch(() => undefined);
      } finally {
        renewing = undefined;
      }
    })();
    await renewing;
  }

  async function run<Result>(
    method: string,
    act: (client: Client, options: RequestOptions) => Promise<Result>,
    options: CallOptions = {},
  ): Promise<Result> {
    const timeoutMs = options.timeoutMs ?? CALL_TIMEOUT_MS;
    for (let again = false; ; again = true) {
      const used = live;
      const { link, client } = used;
      try {
        if (closing !== undefined)
          throw new ConnectError("closed", `This connection to ${link.label} was closed.`);
        return await act(client, {
          timeout: timeoutMs,
          ...(options.signal === undefined ? {} : { signal: options.signal }),
          ...(options.onProgress === undefined
            ? {}
            : { onprogress: options.onProgress, resetTimeoutOnProgress: true }),
        });
      } catch (error) {
        const lost = isLost(error, link);
        if (lost && again) {
          throw new ConnectError("session-lost", `${link.label} forgot this session, and a fresh one too.`, {
            data: { method },
            cause: error,
          });
        }
        if (lost && closing === undefined) {
          await fresh(used);
          continue;
        }
        throw explainCall(error, {
          method,
          label: link.label,
          kind: link.kind,
          evidence: link.evidence(),
          ended: options.signal?.aborted === true ? "signal" : null,
          timeoutMs,
        });
      }
    }
  }

  const close = (): Promise<void> => {
    closing ??= (async () => {
      stop.abort();
      const { link, client } = live;
      await link.close().catch(() => undefined);
      await client.close().catch(() => undefined);
      feed.end();
    })();
    return closing;
  };

  return {
    get serverInfo() {
      return live.client.getServerVersion();
    },
    get serverCapabilities() {
      return live.client.getServerCapabilities() ?? {};
    },
    get instructions() {
      return live.client.getInstructions();
    },
    get protocolVersion() {
      return live.client.getNegotiatedProtocolVersion() ?? "";
    },
    get era() {
      return live.client.getProtocolEra() ?? "legacy";
    },
    get sdk() {
      return live.client;
    },
    notifications: { [Symbol.asyncIterator]: () => feed[Symbol.asyncIterator]() },
    listTools: (_none, options) =>
      run("tools/list", (client, how) => client.listTools(undefined, how), options),
    callTool: (params, options) => run("tools/call", (client, how) => client.callTool(params, how), options),
    listResources: (_none, options) =>
      run("resources/list", (client, how) => client.listResources(undefined, how), options),
    listResourceTemplates: (_none, options) =>
      run("resources/templates/list", (client, how) => client.listResourceTemplates(undefined, how), options),
    readResource: (params, options) =>
      run("resources/read", (client, how) => client.readResource(params, how), options),
    async subscribe({ uri }, options) {
      return run(
        "resources/subscribe",
        async (client, how) => {
          if (client.getProtocolEra() === "modern") {
            return ending(await client.listen({ resourceSubscriptions: [uri] }, how));
          }
          await client.subscribeResource({ uri }, how);
          return {
            async [Symbol.asyncDispose]() {
              await client.unsubscribeResource({ uri }).catch(() => undefined);
            },
          };
        },
        options,
      );
    },
    listPrompts: (_none, options) =>
      run("prompts/list", (client, how) => client.listPrompts(undefined, how), options),
    getPrompt: (params, options) =>
      run("prompts/get", (client, how) => client.getPrompt(params, how), options),
    complete: (params, options) =>
      run("completion/complete", (client, how) => client.complete(params, how), options),
    async ping(options) {
      await run("ping", (client, how) => client.ping(how), options);
    },
    listen: (filter, options) =>
      run(
        "subscriptions/listen",
        async (client, how) => {
          if (client.getProtocolEra() !== "modern") return { async [Symbol.asyncDispose]() {} };
          return ending(await client.listen(filter ?? offered(client.getServerCapabilities()), how));
        },
        options,
      ),
    request: ({ method, params }, options) =>
      run(
        method,
        (client, how) =>
          client.request({ method, ...(params === undefined ? {} : { params }) }, anyObject, {
            ...how,
            allowInputRequired: true,
          }) as Promise<JsonObject>,
        options,
      ),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function ending(subscription: McpSubscription): AsyncDisposable {
  return { [Symbol.asyncDispose]: () => subscription.close() };
}

/** Of lists that change, those whose changes the server tells. */
function offered(capabilities: ServerCapabilities = {}): SubscriptionFilter {
  const { tools, prompts, resources } = capabilities;
  return {
    ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
    ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
    ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
  };
}

/** 404 with a session id: the server knows it no longer (MCP 2025-11-25, "Session Management"). The request was not looked at. */
function isLost(error: unknown, link: Link): boolean {
  if (link.kind !== "http" || link.transport.sessionId === undefined) return false;
  for (const at of causes(error)) {
    const { data } = at as { data?: unknown };
    if (isJsonObject(data) && data.status === 404) return true;
  }
  return false;
}
