/**
 * The legacy era over HTTP: sessions, as MCP 2025-11-25 "Session Management" has them. Each holds one server of the author's, made
 * when the session is opened; it belongs to the user that opened it, and ends by DELETE, by idleness, or when there are too many. The
 * transport is the SDK's. Where instances share a store, any of them goes on with a session: sharing.ts says how.
 */
import { rpcError, SERVER_ERROR } from "../../http/index.ts";
import type { JsonObject } from "../../spec/index.ts";
import { type Scope, setScope } from "../call-scope.ts";
import { INTERNAL_ERROR, INVALID_REQUEST, idOf } from "../json-rpc.ts";
import { MAX_INITIALIZE_BYTES, MAX_SESSION_ID_LENGTH, SESSION_SWEEP_MS, TOUCH_SHARE } from "../limits.ts";
import type { Teller } from "../subscriptions.ts";
import { authInfoOf } from "../users.ts";
import { boundedStream } from "./bounded-stream.ts";
import type { LegacyRequest, LegacySessionsOptions } from "./legacy-options.ts";
import { type LiveSession, startSession } from "./live-session.ts";
import { foreign, full, initializeOf, none } from "./refusals.ts";
import { type Claim, createRoom } from "./room.ts";
import { createSession } from "./session.ts";
import type { SessionRecord } from "./session-store.ts";
import { createSharing, keptInitialize, openingRequest, retell } from "./sharing.ts";
import { isStandalone, quietable } from "./streams.ts";

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

/** Of whoever waits for what another request wakes. */
const NO_CLAIM: Claim = { release() {} };

export function createLegacySessions(options: LegacySessionsOptions): LegacySessions {
  const { store, clock, limits, logger } = options;
  const live = new Map<string, LiveSession>();
  const waking = new Map<string, Promise<LiveSession | null>>();
  const stop = new AbortController();
  let sweeping = false;
  const sharing =
    options.shared === null
      ? null
      : createSharing({
          ...options.shared,
          store,
          logger,
          find: (id) => live.get(id),
          drop: (id) => void drop(live.get(id)),
          doubt: () => void doubt().catch(failed("read")),
        });
  sharing?.ready.catch((error: unknown) => logger.error({ err: error }, "other instances are not heard"));

  const idle = (session: LiveSession): boolean => session.pending.count === 0 && session.streams === 0;
  const over = (session: LiveSession): boolean => idle(session) && session.expiresAt <= clock.now();

  function renew(session: LiveSession): void {
    // It may have ended while its request was looked at.
    if (live.get(session.id) !== session) return;
    const now = clock.now();
    session.expiresAt = now + limits.ttlMs;
    // The map keeps the order of use: the first is the one that was not used for the longest time.
    live.delete(session.id);
    live.set(session.id, session);
    if (sharing !== null && now - session.touchedAt < limits.ttlMs * TOUCH_SHARE) return;
    session.touchedAt = now;
    void store
      .touch(session.id, { now, expiresAt: session.expiresAt })
      .then((there) => {
        if (!there && sharing !== null) return drop(session);
      })
      .catch(failed("touch"));
  }

  async function end(session: LiveSession): Promise<void> {
    live.delete(session.id);
    await Promise.all([session.close(), store.end(session.id).catch(failed("end"))]);
    await sharing?.ended([session.id]);
  }

  /** Ends a session's server here; what is shared of it stays as it is. */
  async function drop(session: LiveSession | undefined): Promise<void> {
    if (session === undefined) return;
    if (live.get(session.id) === session) live.delete(session.id);
    await session
      .close()
      .catch((error: unknown) => logger.error({ err: error }, "a session did not close well"));
  }

  /** Without others, a session that leaves this process is over. */
  const leave = sharing === null ? end : drop;

  const failed = (what: string) => (error: unknown) =>
    logger.error({ err: error, what }, "the store of sessions failed");

  const room = createRoom({ live, limits, idle, leave });

  async function open(asked: LegacyRequest, initialize: JsonObject): Promise<Response> {
    const claim = await room.claim(asked.userId);
    if (claim === null) return full(asked.body);
    try {
      return await openIn(claim, { asked, initialize });
    } finally {
      claim.release();
    }
  }

  async function openIn(
    claim: Claim,
    { asked, initialize }: { readonly asked: LegacyRequest; readonly initialize: JsonObject },
  ): Promise<Response> {
    const { userId: user, body } = asked;
    const id = options.newId();
    const openedAt = clock.now();
    const expiresAt = openedAt + limits.ttlMs;
    let kept = initialize;
    if (sharing !== null) {
      kept = keptInitialize(initialize);
      if (JSON.stringify(kept).length > MAX_INITIALIZE_BYTES) {
        const message = "this initialize request says more of its client than is kept";
        return rpcError(413, { code: SERVER_ERROR, message, id: idOf(body) });
      }
    }
    setScope(asked.request, scopeFor(id, asked));
    const started: LiveSession = await start(asked, {
      id,
      user,
      expiresAt,
      touchedAt: openedAt,
      holds: true,
      quiet: () => false,
      async onOpened() {
        const state = options.initialState();
        await store.open({ id, user, initialize: kept, openedAt, expiresAt, state, version: 0 });
        live.set(id, started);
        claim.release();
        sweep();
        if (sharing !== null && user !== null) await trim({ max: limits.maxOfUser, user });
      },
    });
    try {
      return await handOver(started, asked);
    } finally {
      // It was refused before there was a session.
      if (live.get(id) !== started) await started.close();
    }
  }

  function scopeFor(id: string, { viewer, request, wanted }: LegacyRequest): Scope {
    return { viewer, session: createSession(id, { store, now: clock.now }), request, wanted };
  }

  async function start(
    asked: LegacyRequest,
    given: Pick<LiveSession, "id" | "user" | "expiresAt" | "touchedAt"> & {
      readonly holds: boolean;
      readonly quiet: () => boolean;
      readonly onOpened: () => Promise<void>;
    },
  ): Promise<LiveSession> {
    const { id, holds } = given;
    const built = await options.build(scopeFor(id, asked));
    const eventStore = options.eventStore?.(id);
    const started: LiveSession = await startSession({
      ...built,
      ...given,
      share:
        sharing === null
          ? null
          : (transport) =>
              sharing.line(transport, {
                session: id,
                holds,
                open: () => started.streams > 0,
                keeps: eventStore !== undefined,
                streams: !options.jsonResponses,
              }),
      transport: {
        enableJsonResponse: options.jsonResponses,
        ...(options.keepAliveMs === undefined ? {} : { keepAliveMs: options.keepAliveMs }),
        ...(eventStore === undefined ? {} : { eventStore: quietable(eventStore, given.quiet) }),
      },
      onDeleted: () => end(started),
    });
    return started;
  }

  const reaches = (session: LiveSession): boolean => session.streams > 0 || options.eventStore !== undefined;

  /** Goes on here with a session that was opened at another instance; null when it has ended meanwhile. */
  function wake(record: SessionRecord, asked: LegacyRequest): Promise<LiveSession | null> {
    const { id } = record;
    const under = waking.get(id);
    if (under !== undefined) return under;
    const woken = (async () => {
      const now = clock.now();
      const request = openingRequest(asked.request);
      setScope(request, scopeFor(id, asked));
      let quiet = true;
      const session = await start(asked, {
        id,
        user: record.user,
        expiresAt: now + limits.ttlMs,
        touchedAt: 0,
        holds: false,
        quiet: () => quiet,
        onOpened: async () => {},
      });
      live.set(id, session);
      try {
        await retell(session, { record, remembered: await store.recall(id), request });
        quiet = false;
        // Whoever ended it while it woke told only those that had it.
        if (live.get(id) === session && (await store.read(id, clock.now())) !== null) return session;
      } catch (error) {
        await drop(session);
        throw error;
      }
      await drop(session);
      return null;
    })().finally(() => waking.delete(id));
    waking.set(id, woken);
    sweep();
    return woken;
  }

  function handOver(session: LiveSession, { request, viewer, body }: LegacyRequest): Promise<Response> {
    const authInfo = viewer === "anonymous" ? undefined : authInfoOf(viewer.user);
    return session.transport.handleRequest(request, {
      ...(body === undefined ? {} : { parsedBody: body }),
      ...(authInfo === undefined ? {} : { authInfo }),
    });
  }

  /** The session of a request, or the answer in its place. */
  async function find(id: string, asked: LegacyRequest): Promise<LiveSession | Response> {
    const { userId, body } = asked;
    if (id.length > MAX_SESSION_ID_LENGTH) return none(body);
    const here = waking.has(id) ? undefined : live.get(id);
    if (here !== undefined && !over(here)) return here.user === userId ? here : foreign(body);
    if (sharing === null) {
      if (here !== undefined) await end(here);
      return none(body);
    }
    // Another instance may have it, or have kept it alive.
    const record = await store.read(id, clock.now());
    if (record === null) {
      await drop(here);
      return none(body);
    }
    if (record.user !== userId) return foreign(body);
    if (here !== undefined) return here;
    const claim = waking.has(id) ? NO_CLAIM : await room.claim(userId);
    if (claim === null) return full(body);
    try {
      return (await wake(record, asked)) ?? none(body);
    } finally {
      claim.release();
    }
  }

  async function goOn(id: string, asked: LegacyRequest): Promise<Response> {
    const session = await find(id, asked);
    if (session instanceof Response) return session;
    renew(session);
    const { request, viewer, wanted } = asked;
    setScope(request, scopeFor(id, asked));
    try {
      await session.visibility.apply(viewer, wanted);
    } catch (error) {
      logger.error({ err: error }, "a predicate of who sees a tool failed");
      return rpcError(500, { code: INTERNAL_ERROR, message: "Internal server error", id: idOf(asked.body) });
    }
    if (live.get(id) !== session) return none(asked.body);
    const response = await handOver(session, asked);
    if (request.method !== "GET" || response.status !== 200) return response;
    session.streams += 1;
    if (session.line !== null && (await isStandalone(request, options.eventStore?.(id)))) {
      await session.line.takeStream();
    }
    return boundedStream(response, () => {
      session.streams -= 1;
      renew(session);
    });
  }

  function sweep(): void {
    if (sweeping) return;
    sweeping = true;
    void (async () => {
      while (live.size > 0 && !stop.signal.aborted) {
        // Often enough that what works is renewed before it would be over.
        await clock.sleep(Math.min(SESSION_SWEEP_MS, limits.ttlMs / 4), stop.signal);
        for (const session of [...live.values()]) {
          if (over(session)) await leave(session);
          // A long call or an open stream keeps it alive elsewhere too.
          else if (!idle(session)) renew(session);
        }
        await store.prune(clock.now(), limits.max).catch(failed("prune"));
        if (sharing !== null) await trim({ max: limits.maxShared });
      }
    })()
      .catch(() => {})
      .finally(() => {
        sweeping = false;
      });
  }

  async function trim(limit: { readonly max: number; readonly user?: string }): Promise<void> {
    const ended = await store.trim(limit).catch((error: unknown) => {
      failed("trim")(error);
      return [];
    });
    for (const id of ended) await drop(live.get(id));
    await sharing?.ended(ended);
  }

  /** Sessions may have ended unheard. */
  async function doubt(): Promise<void> {
    for (const session of [...live.values()]) {
      session.line?.doubt();
      if ((await store.read(session.id, clock.now())) === null) await drop(session);
    }
  }

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      stop.abort();
      const all = [...live.values()];
      live.clear();
      await Promise.all(all.map((session) => session.close()));
      await sharing?.close();
    })();
    return closing;
  };

  return {
    async serve(asked) {
      await sharing?.ready;
      const id = asked.request.headers.get(HEADER);
      if (id !== null) return goOn(id, asked);
      const initialize = initializeOf(asked.body);
      if (initialize !== null) return open(asked, initialize);
      const message =
        "Bad Request: Mcp-Session-Id header is required; begin with an initialize request, or speak MCP 2026-07-28";
      return rpcError(400, { code: INVALID_REQUEST, message, id: idOf(asked.body) });
    },
    get size() {
      return live.size;
    },
    tell(event) {
      for (const session of live.values()) {
        // Of those that are shared, the one that the client hears.
        if (session.line === null || (session.line.holds && reaches(session))) session.tell(event);
      }
    },
    async settled() {
      await Promise.all([...live.values()].map(({ pending }) => pending.settled()));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
