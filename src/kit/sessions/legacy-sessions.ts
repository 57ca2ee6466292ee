/**
 * The legacy era over HTTP: sessions, as MCP 2025-11-25 "Session Management" has them. Each holds one server of the author's, made
 * when the session is opened; it belongs to the user that opened it, and ends by DELETE, by idleness, or when there are too many. The
 * transport is the SDK's. What another instance needs to know lies in the store.
 */
import type { EventStore } from "@modelcontextprotocol/server";
import type { Clock, JsonObject, JsonValue, Logger } from "../../spec/index.ts";
import { type Scope, setScope } from "../call-scope.ts";
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  idOf,
  rpcError,
  SERVER_ERROR,
  SESSION_NOT_FOUND,
} from "../json-rpc.ts";
import { MAX_SESSION_ID_LENGTH, SESSION_SWEEP_MS } from "../limits.ts";
import type { BuiltServer } from "../sdk-internals.ts";
import type { Teller } from "../subscriptions.ts";
import { authInfoOf } from "../users.ts";
import type { Viewer, Visibility, WantedTools } from "../visibility.ts";
import { type LiveSession, startSession, watchBody } from "./live-session.ts";
import { createSession, type Session } from "./session.ts";
import type { SessionStore } from "./session-store.ts";

/** How much of sessions there may be. */
export interface SessionLimits {
  /** Milliseconds without a request and without an open stream. */
  readonly ttlMs: number;
  /** In this process. */
  readonly max: number;
  readonly maxOfUser: number;
}

/** A request of the legacy era, read. */
export interface LegacyRequest {
  readonly request: Request;
  /** As `authenticate` judged it. */
  readonly viewer: Viewer<unknown>;
  /** Null where there are no users. */
  readonly userId: string | null;
  /** Undefined for GET and DELETE. */
  readonly body: JsonValue | undefined;
  readonly wanted: WantedTools;
}

/** A server made for a session, not connected yet. */
export interface SessionServer {
  readonly server: BuiltServer;
  readonly visibility: Visibility<unknown>;
  readonly tell: Teller;
}

export interface LegacySessionsOptions {
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly limits: SessionLimits;
  readonly logger: Logger;
  readonly initialState: () => JsonValue;
  readonly build: (scope: Scope) => Promise<SessionServer>;
  readonly keepAliveMs: number | undefined;
  readonly eventStore: ((session: string) => EventStore) | undefined;
  /** Answer calls with plain JSON instead of a stream. */
  readonly jsonResponses: boolean;
}

export interface LegacySessions extends AsyncDisposable {
  serve(asked: LegacyRequest): Promise<Response>;
  /** Sessions in this process. */
  readonly size: number;
  tell: Teller;
  /** Resolves when no call is under way. */
  settled(): Promise<void>;
  /** Ends all of this process; the store keeps what it has. Idempotent. */
  close(): Promise<void>;
}

const HEADER = "mcp-session-id";

export function createLegacySessions(options: LegacySessionsOptions): LegacySessions {
  const { store, clock, limits, logger } = options;
  const live = new Map<string, LiveSession>();
  const stop = new AbortController();
  let sweeping = false;

  const idle = (session: LiveSession): boolean => session.pending.count === 0 && session.streams === 0;
  const over = (session: LiveSession): boolean => idle(session) && session.expiresAt <= clock.now();

  function renew(session: LiveSession): void {
    const now = clock.now();
    session.expiresAt = now + limits.ttlMs;
    // The map keeps the order of use: the first is the one that was not used for the longest time.
    live.delete(session.id);
    live.set(session.id, session);
    void store.touch(session.id, { now, expiresAt: session.expiresAt }).catch(failed("touch"));
  }

  async function end(session: LiveSession): Promise<void> {
    live.delete(session.id);
    await Promise.all([session.close(), store.end(session.id).catch(failed("end"))]);
  }

  const failed = (what: string) => (error: unknown) =>
    logger.error({ err: error, what }, "the store of sessions failed");

  /** Room for one more: at a limit the one that is idle for the longest time ends; false when none is idle. */
  async function makeRoom(userId: string | null): Promise<boolean> {
    const own = userId === null ? [] : [...live.values()].filter(({ user }) => user === userId);
    const tooMany = own.length >= limits.maxOfUser ? own : live.size >= limits.max ? [...live.values()] : [];
    if (tooMany.length === 0) return true;
    const oldest = tooMany.find(idle);
    if (oldest === undefined) return false;
    await end(oldest);
    return true;
  }

  async function open(asked: LegacyRequest, initialize: JsonObject): Promise<Response> {
    const { request, viewer, userId, body } = asked;
    if (!(await makeRoom(userId))) {
      const message = "this server has as many sessions as it can have; try again in a while";
      return rpcError(503, { code: SERVER_ERROR, message, id: idOf(body), headers: { "retry-after": "30" } });
    }
    const id = options.newId();
    const session: Session = createSession(id, { store, now: clock.now });
    const scope: Scope = { viewer, session, request, wanted: asked.wanted };
    setScope(request, scope);
    const built = await options.build(scope);
    const openedAt = clock.now();
    const expiresAt = openedAt + limits.ttlMs;
    const eventStore = options.eventStore?.(id);
    const started: LiveSession = await startSession({
      ...built,
      id,
      user: userId,
      expiresAt,
      transport: {
        enableJsonResponse: options.jsonResponses,
        ...(options.keepAliveMs === undefined ? {} : { keepAliveMs: options.keepAliveMs }),
        ...(eventStore === undefined ? {} : { eventStore }),
      },
      async onOpened() {
        const state = options.initialState();
        await store.open({ id, user: userId, initialize, openedAt, expiresAt, state, version: 0 });
        live.set(id, started);
        sweep();
      },
      onDeleted: () => end(started),
    });
    const response = await handOver(started, asked);
    // The SDK refused it before there was a session.
    if (!live.has(id)) await started.close();
    return response;
  }

  function handOver(session: LiveSession, { request, viewer, body }: LegacyRequest): Promise<Response> {
    const authInfo = viewer === "anonymous" ? undefined : authInfoOf(viewer.user);
    return session.transport.handleRequest(request, {
      ...(body === undefined ? {} : { parsedBody: body }),
      ...(authInfo === undefined ? {} : { authInfo }),
    });
  }

  async function goOn(id: string, asked: LegacyRequest): Promise<Response> {
    const session = id.length > MAX_SESSION_ID_LENGTH ? undefined : live.get(id);
    const answerTo = idOf(asked.body);
    if (session === undefined || over(session)) {
      if (session !== undefined) await end(session);
      return rpcError(404, { code: SESSION_NOT_FOUND, message: "Session not found", id: answerTo });
    }
    if (session.user !== asked.userId) {
      const message = "this session belongs to another user; open one of your own";
      return rpcError(403, { code: SERVER_ERROR, message, id: answerTo });
    }
    renew(session);
    const { request, viewer, wanted } = asked;
    setScope(request, { viewer, session: createSession(id, { store, now: clock.now }), request, wanted });
    try {
      await session.visibility.apply(viewer, wanted);
    } catch (error) {
      logger.error({ err: error }, "a predicate of who sees a tool failed");
      return rpcError(500, { code: INTERNAL_ERROR, message: "Internal server error", id: answerTo });
    }
    const response = await handOver(session, asked);
    if (request.method !== "GET" || response.status !== 200) return response;
    session.streams += 1;
    return watchBody(response, () => {
      session.streams -= 1;
      if (live.has(id)) renew(session);
    });
  }

  function sweep(): void {
    if (sweeping) return;
    sweeping = true;
    void (async () => {
      while (live.size > 0 && !stop.signal.aborted) {
        await clock.sleep(Math.min(SESSION_SWEEP_MS, limits.ttlMs), stop.signal);
        for (const session of [...live.values()]) {
          if (over(session)) await end(session);
          // A long call or an open stream keeps it alive elsewhere too.
          else if (!idle(session)) renew(session);
        }
        await store.prune(clock.now(), limits.max).catch(failed("prune"));
      }
    })()
      .catch(() => {})
      .finally(() => {
        sweeping = false;
      });
  }

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      stop.abort();
      const all = [...live.values()];
      live.clear();
      await Promise.all(all.map((session) => session.close()));
    })();
    return closing;
  };

  return {
    serve(asked) {
      const id = asked.request.headers.get(HEADER);
      if (id !== null) return goOn(id, asked);
      const initialize = initializeOf(asked.body);
      if (initialize !== null) return open(asked, initialize);
      const message =
        "Bad Request: Mcp-Session-Id header is required; begin with an initialize request, or speak MCP 2026-07-28";
      return Promise.resolve(rpcError(400, { code: INVALID_REQUEST, message, id: idOf(asked.body) }));
    },
    get size() {
      return live.size;
    },
    tell(event) {
      for (const session of live.values()) session.tell(event);
    },
    async settled() {
      await Promise.all([...live.values()].map(({ pending }) => pending.settled()));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The `initialize` request that a body is; the SDK refuses one among others. */
function initializeOf(body: JsonValue | undefined): JsonObject | null {
  const [first] = Array.isArray(body) ? body : [body];
  const isOne =
    typeof first === "object" && first !== null && !Array.isArray(first) && first.method === "initialize";
  return isOne ? (first as JsonObject) : null;
}
