/**
 * Host and server of one era: messages go through as they are. What HTTP adds is done here: the session and its renewal, the order of
 * the handshake, the newer era's cancelling by hanging up and its headers, and an answer for each request whatever happens.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "../../spec/index.ts";
import { ConnectError } from "../connect-error.ts";
import { BRIDGE_STREAM_MS, READ_TIMEOUT_MS } from "../limits.ts";
import { explainCall } from "../session/explain.ts";
import type { HttpLink } from "../session/http-link.ts";
import { frameOf, type Id, ownError, type RequestFrame, refusal, rpcErrorOf, statusOf } from "./frames.ts";
import { createWishes, type Wish } from "./wishes.ts";

/** One way of carrying, with its connection. */
export interface Carrier {
  take(message: JSONRPCMessage): void;
  /** Resolves when no request is under way. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface CarryOptions {
  /** Opens a connection like the others; `raw`: its messages as they come. */
  readonly open: (how: { readonly raw: boolean }) => Promise<HttpLink>;
  readonly send: (message: JSONRPCMessage) => void;
  /** Told of what nobody else is told of. */
  readonly note: (text: string) => void;
  /** The `Mcp-Param-*` headers of a call (2026-07-28). */
  readonly parameterHeaders: (tool: JsonObject, args: JsonObject) => Readonly<Record<string, string>>;
  /** The server refuses the older era's handshake: true when somebody else takes it over. */
  readonly onOldRefused: (request: RequestFrame) => Promise<boolean>;
}

interface Underway {
  readonly frame: RequestFrame;
  readonly message: JSONRPCMessage;
  readonly stop: AbortController;
  /** Somebody else answers it. */
  moved: boolean;
}

/** Method not found: what tells a host that the server is of the older era. */
const NO_SUCH_METHOD = { code: -32601, message: "Method not found" };

export async function carry(options: CarryOptions): Promise<Carrier> {
  const { send, note } = options;
  const underway = new Map<Id, Underway>();
  const headered = new Map<string, JsonObject>();
  let waiters: (() => void)[] = [];
  let link = await linked();
  let initialize: JSONRPCMessage | null = null;
  let initialized: JSONRPCMessage | null = null;
  /** What the handshake's last step holds up. */
  let gate: Promise<void> = Promise.resolve();
  let renewing: Promise<void> | null = null;
  /** What is asked of the server by nobody but this bridge. */
  const own = new Map<Id, (message: JSONRPCMessage) => void>();
  const wishes = createWishes();
  let closed = false;
  const ended = new AbortController();

  async function linked(): Promise<HttpLink> {
    const made = await options.open({ raw: true });
    made.transport.onmessage = (message) => fromServer(message);
    made.transport.onerror = () => undefined;
    // Nobody would ask, and what the server pushes would not come any more.
    made.onForgotten = () => {
      if (!closed) void renew(made).catch((error: unknown) => note(explained(error, "a push", made).message));
    };
    await made.transport.start();
    return made;
  }

  function fromServer(message: JSONRPCMessage): void {
    const frame = frameOf(message);
    if (frame.kind !== "response") {
      send(message);
      return;
    }
    const answered = own.get(frame.id);
    if (answered !== undefined) {
      answered(message);
      return;
    }
    const asked = underway.get(frame.id);
    const method = asked?.frame.method;
    if (asked !== undefined && method === "initialize") {
      if (frame.error !== null) {
        void refusedOld(asked.frame, message);
        return;
      }
      const version = frame.result?.protocolVersion;
      if (typeof version === "string") link.transport.setProtocolVersion(version);
    }
    if (method === "tools/list" && frame.result !== null) remember(frame.result);
    if (asked !== undefined && frame.result !== null) wishes.granted(asked.frame);
    // The answer first: what waits for it is under way before this is done.
    send(message);
    done(frame.id);
  }

  async function refusedOld(frame: RequestFrame, original: JSONRPCMessage): Promise<void> {
    if (!(await takenOver(frame))) send(original);
    done(frame.id);
  }

  async function takenOver(frame: RequestFrame): Promise<boolean> {
    const asked = underway.get(frame.id);
    if (asked !== undefined) asked.moved = true;
    const taken = await options.onOldRefused(frame);
    if (asked !== undefined) asked.moved = taken;
    return taken;
  }

  function remember(result: JsonObject): void {
    for (const tool of Array.isArray(result.tools) ? result.tools : []) {
      if (!isJsonObject(tool) || typeof tool.name !== "string") continue;
      if (JSON.stringify(tool.inputSchema ?? {}).includes('"x-mcp-header"')) headered.set(tool.name, tool);
    }
  }

  function done(id: Id): void {
    underway.delete(id);
    if (underway.size > 0) return;
    for (const wake of waiters) wake();
    waiters = [];
  }

  function take(message: JSONRPCMessage): void {
    const frame = frameOf(message);
    if (frame.kind === "request") {
      if (frame.method === "initialize") initialize = message;
      underway.set(frame.id, { frame, message, stop: new AbortController(), moved: false });
      void ask(frame.id, false);
      return;
    }
    if (frame.kind === "notification" && frame.method === "notifications/cancelled") {
      const id = frame.params.requestId as Id;
      const asked = underway.get(id);
      if (asked !== undefined && isModern(asked.frame)) {
        // Over HTTP the newer era cancels by hanging up; there is no such notification.
        asked.stop.abort();
        done(id);
        return;
      }
      if (asked !== undefined) done(id);
    }
    if (frame.kind === "notification" && frame.method === "notifications/initialized") {
      initialized = message;
      gate = begin(message);
      return;
    }
    void tell(message);
  }

  async function begin(message: JSONRPCMessage): Promise<void> {
    await tell(message);
    await link.settled(AbortSignal.timeout(BRIDGE_STREAM_MS)).catch(() => undefined);
  }

  async function tell(message: JSONRPCMessage): Promise<void> {
    const used = link;
    try {
      await used.transport.send(message);
    } catch (error) {
      if (!closed) note(explained(error, "a message", used).message);
    }
  }

  async function ask(id: Id, again: boolean): Promise<void> {
    await gate;
    const asked = underway.get(id);
    if (asked === undefined) return;
    const { frame, message, stop } = asked;
    const used = link;
    try {
      await used.transport.send(message, {
        requestSignal: stop.signal,
        headers: headersOf(frame),
        onRequestStreamEnd: () => {
          if (!underway.has(id) || closed) return;
          unanswered(frame, used);
          done(id);
        },
      });
    } catch (error) {
      if (stop.signal.aborted || closed || !underway.has(id)) return;
      if (
        !again &&
        statusOf(error) === 404 &&
        used.transport.sessionId !== undefined &&
        initialize !== null
      ) {
        const renewed = await renew(used).then(
          () => true,
          (failed: unknown) => {
            fail(frame, failed, used);
            return false;
          },
        );
        if (renewed) await ask(id, true);
        return;
      }
      const status = statusOf(error);
      if (
        frame.method === "initialize" &&
        status !== null &&
        status !== 401 &&
        status !== 403 &&
        status < 500
      ) {
        if (await takenOver(frame)) {
          done(id);
          return;
        }
      }
      fail(frame, error, used);
    }
  }

  function unanswered({ id, method }: RequestFrame, { label }: HttpLink): void {
    const lost = `The connection to ${label} ended before its answer to ${method}.`;
    send(refusal(id, ownError(new ConnectError("closed", lost))));
  }

  function fail(frame: RequestFrame, error: unknown, used: HttpLink): void {
    const status = statusOf(error);
    const theirs = rpcErrorOf(error);
    const explored =
      frame.method === "server/discover" &&
      status !== null &&
      status < 500 &&
      status !== 401 &&
      status !== 403;
    send(
      refusal(
        frame.id,
        theirs ?? (explored ? NO_SUCH_METHOD : ownError(explained(error, frame.method, used))),
      ),
    );
    done(frame.id);
  }

  function explained(error: unknown, method: string, used: HttpLink): ConnectError {
    return explainCall(error, {
      method,
      label: used.label,
      kind: "http",
      evidence: used.evidence(),
      ended: null,
      timeoutMs: 0,
    });
  }

  function headersOf({ method, params }: RequestFrame): Record<string, string> {
    if (method !== "tools/call" || typeof params.name !== "string") return {};
    const tool = headered.get(params.name);
    return tool === undefined
      ? {}
      : { ...options.parameterHeaders(tool, isJsonObject(params.arguments) ? params.arguments : {}) };
  }

  /** The same handshake with a new session; its answer is not the host's. */
  async function renew(lost: HttpLink): Promise<void> {
    if (lost !== link) return;
    renewing ??= (async () => {
      const next = await linked();
      try {
        const frame = frameOf(await greetAgain(next));
        if (frame.kind !== "response" || frame.result === null) throw sessionLost(next);
        const version = frame.result.protocolVersion;
        if (typeof version === "string") next.transport.setProtocolVersion(version);
        link = next;
        if (initialized !== null) await begin(initialized);
        await wishAgain(next);
        note(`${next.label} had forgotten the session; a new one was begun.`);
        void lost.transport.close().catch(() => undefined);
      } catch (error) {
        void next.close().catch(() => undefined);
        throw error;
      } finally {
        renewing = null;
      }
    })();
    await renewing;
  }

  /** The answer to the host's own greeting, given once more; a server that gives none must not hold up what comes later. */
  function greetAgain(next: HttpLink): Promise<JSONRPCMessage> {
    return askAgain(next, { ...initialize } as unknown as JsonObject, READ_TIMEOUT_MS);
  }

  /** What the host had asked of the lost session, and will not ask again: it knows of no other. */
  async function wishAgain(next: HttpLink): Promise<void> {
    const refused = async ({ method, params }: Wish): Promise<boolean> => {
      const asked = { jsonrpc: "2.0", method, params };
      const reply = await askAgain(next, asked, BRIDGE_STREAM_MS).then(frameOf, () => null);
      return reply?.kind !== "response" || reply.result === null;
    };
    const failed = (await Promise.all(wishes.all().map(refused))).filter(Boolean).length;
    if (failed > 0) note(`${next.label} did not take up again what the application had subscribed to.`);
  }

  async function askAgain(next: HttpLink, message: JsonObject, timeoutMs: number): Promise<JSONRPCMessage> {
    const id = `openmcp-again-${crypto.randomUUID()}`;
    const answered = Promise.withResolvers<JSONRPCMessage>();
    answered.promise.catch(() => undefined);
    const lost = (): void => answered.reject(sessionLost(next));
    const limit = AbortSignal.any([AbortSignal.timeout(timeoutMs), ended.signal]);
    limit.addEventListener("abort", lost, { once: true });
    own.set(id, answered.resolve);
    try {
      await next.transport.send({ ...message, id } as unknown as JSONRPCMessage, {
        requestSignal: limit,
        onRequestStreamEnd: lost,
      });
      return await answered.promise;
    } finally {
      own.delete(id);
    }
  }

  return {
    take,
    async settled() {
      if (underway.size > 0) await new Promise<void>((resolve) => waiters.push(resolve));
    },
    async close() {
      closed = true;
      ended.abort();
      for (const { frame, moved } of underway.values()) if (!moved) unanswered(frame, link);
      underway.clear();
      await link.close();
    },
  };
}

function sessionLost({ label }: HttpLink): ConnectError {
  return new ConnectError("session-lost", `${label} forgot this session, and begins no other.`);
}

/** A request of the newer era says its version itself. */
function isModern({ params }: RequestFrame): boolean {
  return isJsonObject(params._meta) && params._meta["io.modelcontextprotocol/protocolVersion"] !== undefined;
}
