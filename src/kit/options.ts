/** What a relay's author says, and what the kit gives back. Types only. */
import type {
  AuthInfo,
  AuthMetadataOptions,
  EventStore,
  McpServer,
  Server,
} from "@modelcontextprotocol/server";
import type { Clock, JsonObject, Logger, RelayDescription } from "../spec/index.ts";
import type { Caller, Era } from "./call-scope.ts";
import type { Middleware } from "./middleware.ts";
import type { EventBus } from "./sessions/event-bus.ts";
import type { SessionStore } from "./sessions/session-store.ts";
import type { StdioOptions, StdioServer } from "./stdio-options.ts";
import type { Authenticate, UserId } from "./users.ts";

/** For whom a server is made: one request in the modern era, one session in the legacy era, one connection over stdio. */
export interface ServeContext<User = undefined, State = null> extends Caller<User, State> {
  readonly era: Era;
  /** Where the user is the SDK's own. */
  readonly authInfo: AuthInfo | undefined;
}

/** Makes a new server each time; the kit adds to it and hides nothing of it. */
export type ServerFactory<User = undefined, State = null> = (
  context: ServeContext<User, State>,
) => McpServer | Server | Promise<McpServer | Server>;

/**
 * What the published documents say of the relay. What is absent is taken from the server's own `Implementation`; a relay with
 * `authenticate` has to say name and version here, for its server is made for users only.
 */
export interface KitDescription
  extends Partial<Omit<RelayDescription, "name" | "remotes" | "description" | "tools">> {
  /** The server's name, as `Implementation` has it; or reverse DNS, a slash and a name, `com.example/weather`. */
  readonly name?: string;
  /** What it does, in 1 to 100 characters. */
  readonly description?: string;
}

export interface SessionOptions<State = null> {
  /** Milliseconds without a request and without an open stream; default half an hour. */
  readonly ttlMs?: number;
  /** In one process; default 10,000. At the limit the one that is idle for the longest time ends. */
  readonly max?: number;
  /** Of one user; default 100. */
  readonly maxOfUser?: number;
  /** In `store`, of all instances; default 100,000. What is more ends within a minute, the one that is idle for the longest time first. */
  readonly maxShared?: number;
  /** A new session's state, as JSON; default null. */
  readonly state?: () => State;
  /** What instances of one relay share, together with `bus`: any of them goes on with any session. Default: in memory, of this process. */
  readonly store?: SessionStore;
  /** Keeps what was streamed, so that a client that lost its connection can go on; the SDK's own interface. */
  readonly eventStore?: (session: string) => EventStore;
  /** Answer with plain JSON instead of streams: progress and questions in the middle of a call are lost. Default false. */
  readonly jsonResponses?: boolean;
}

export interface OpenApiOptions {
  /** Default `openapi.json`, beside the endpoint. */
  readonly path?: string;
  /** Members of `info` beside the server's title and version. */
  readonly info?: JsonObject;
  readonly pathStyle?: "absolute" | "server-relative";
  readonly servers?: readonly JsonObject[];
  /** What who has no credential gets: what `authenticate` answers (default), or the tools that everybody sees. */
  readonly anonymous?: "refuse" | "public-subset";
}

export interface ExplorerOptions {
  /** Default `/explorer`. */
  readonly path?: string;
  /** `/` leads there. Default false. */
  readonly redirectRoot?: boolean;
}

export interface ServeOptions<User = undefined, State = null> {
  readonly server: ServerFactory<User, State>;
  /** Where MCP is spoken, under the mount; default `/mcp`. */
  readonly path?: string;
  /** Where the relay is reached from outside, `https://weather.example.com` or with a path; absent: on this machine only. */
  readonly publicUrl?: string;
  /** More host names that requests may be sent to, without ports. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may speak MCP here, such as `https://app.example`. Documents are open to all. */
  readonly allowedOrigins?: readonly string[];
  readonly description?: KitDescription;
  readonly authenticate?: Authenticate<User>;
  /** Default: a text, a number, or an `id`, `sub` or `extra.sub` of the user. */
  readonly userId?: UserId<User>;
  /** Layers round every tool call, the first outermost. */
  readonly middleware?: readonly Middleware<User, State>[];
  /** False: legacy requests are served one by one, without sessions. */
  readonly sessions?: SessionOptions<State> | false;
  /** Default: in memory. */
  readonly bus?: EventBus;
  /** The OAuth documents of the SDK (RFC 9728, RFC 8414), beside the endpoint. */
  readonly oauth?: AuthMetadataOptions;

  readonly openapi?: OpenApiOptions | false;
  readonly explorer?: ExplorerOptions | false;
  /** `/.well-known/openmcp.json`. */
  readonly descriptor?: false;
  /** The Server Card beside the endpoint, and where older drafts have it. */
  readonly serverCard?: false;
  /** `/.well-known/mcp/catalog.json`. */
  readonly mcpCatalog?: false;
  /** `/.well-known/ai-catalog.json`. */
  readonly aiCatalog?: false;
  /** Default `/health`. */
  readonly health?: string | false;

  /** Bytes of a posted message; default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Milliseconds that calls under way have to end when it is closed; default 10 s. */
  readonly drainMs?: number;
  /** Milliseconds between comments on open streams, so that nothing on the way hangs up; 0: none. Default 15 s. */
  readonly keepAliveMs?: number;
  readonly logger?: Logger;
  readonly clock?: Clock;
  /** Ids of sessions; has to be unguessable. Default: random UUIDs. */
  readonly newId?: () => string;
}

/** Tells clients of both eras what changed, in every instance on one bus. */
export interface Notify {
  toolsChanged(): void;
  promptsChanged(): void;
  resourcesChanged(): void;
  resourceUpdated(uri: string): void;
}

export interface FetchOptions {
  /** The body, where a framework has parsed it already. */
  readonly parsedBody?: unknown;
}

export interface ListenOptions {
  /** Default 0: one that is free. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
}

export interface Listening extends AsyncDisposable {
  /** `http://127.0.0.1:8080`, as bound. */
  readonly origin: string;
  /** The MCP endpoint there. */
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, waits for those under way, ends sessions and streams. Idempotent. */
  close(): Promise<void>;
}

export interface Kit extends AsyncDisposable {
  /** For any runtime and framework. */
  readonly fetch: (request: Request, options?: unknown) => Promise<Response>;
  /** True where a path is a part of the relay, under any mount. */
  serves(pathname: string): boolean;
  readonly notify: Notify;
  /**
   * Resolves when the relay's own word is complete and found right.
   * @throws OpenMcpError `invalid-input` for a description that must not be published; `data.field` names the member.
   */
  ready(): Promise<void>;
  /** On a socket of its own. */
  listen(options?: ListenOptions | number): Promise<Listening>;
  /** Over standard input and output. */
  serveStdio(options?: StdioOptions): Promise<StdioServer>;
  /** Idempotent. */
  close(): Promise<void>;
}
