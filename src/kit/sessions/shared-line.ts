/**
 * One instance's end of a session that several instances speak for. It stands between the SDK's transport and its server: requests of
 * the server go out under ids that find back, the client's answers go to the instance that asked, what the client sets is set
 * everywhere, and what belongs on the client's one open stream goes to whoever has it.
 */
import type {
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject } from "../../spec/index.ts";
import type { Mail } from "./session-mail.ts";
import { readWireId, writeWireId } from "./wire-id.ts";

export interface SharedLineOptions {
  readonly session: string;
  readonly instance: string;
  /** False when it did not go out; never rejects. */
  readonly publish: (mail: Mail) => Promise<boolean>;
  /** Never rejects. */
  readonly remember: (kept: { readonly key: string; readonly value: JsonObject | null }) => Promise<void>;
  /** A stream of the client's is open here. */
  readonly open: () => boolean;
  /** What the client misses is kept for it. */
  readonly keeps: boolean;
  /** Calls are answered by streams, which take questions too. */
  readonly streams: boolean;
  /** This instance opened the session, and is the one to speak outside of calls until a stream is opened elsewhere. */
  readonly holds: boolean;
}

export interface SharedLine {
  /** The client's stream is here, or was last. */
  readonly holds: boolean;
  /** The client opened its stream here; resolves when the others were told. */
  takeStream(): Promise<void>;
  /** What another instance told of this session, and that this one's stream was told of; its end is not the line's affair. */
  hear(mail: Mail): void;
  /** What was told may not come any more: nothing is waited for. */
  doubt(): void;
  /** Sets again what the client set at another instance. */
  follow(message: JsonObject): void;
}

type Message = JSONRPCMessage & { readonly id?: string | number; readonly params?: JsonObject };

/** Notifications that reach every instance; `initialized` each of them once. */
const INITIALIZED = "notifications/initialized";
const CANCELLED = "notifications/cancelled";
const PROGRESS = "notifications/progress";
const ROOTS = "notifications/roots/list_changed";

/** Under which key a request that sets something is kept; null: it sets nothing. */
export function settingOf(message: JsonObject): { readonly key: string; readonly forget: boolean } | null {
  const params = isJsonObject(message.params) ? message.params : {};
  switch (message.method) {
    case "logging/setLevel":
      return { key: "level", forget: false };
    case "resources/subscribe":
      return typeof params.uri === "string" ? { key: `resource ${params.uri}`, forget: false } : null;
    case "resources/unsubscribe":
      return typeof params.uri === "string" ? { key: `resource ${params.uri}`, forget: true } : null;
    default:
      return null;
  }
}

/** Between a transport and the server that was connected to it. */
export function shareLine(
  transport: Transport & { closeStandaloneSSEStream(): void },
  options: SharedLineOptions,
): SharedLine {
  const { session, instance, publish } = options;
  const tell = (mail: { readonly kind: Mail["kind"]; readonly to?: string; readonly message?: JsonObject }) =>
    publish({ ...mail, session, from: instance } as Mail);
  const inner = transport.onmessage?.bind(transport) as (message: Message, extra?: MessageExtraInfo) => void;
  const send = transport.send.bind(transport);
  /** Requests of the client's under way here. */
  const here = new Set<string | number>();
  const settings = new Map<string | number, JsonObject>();
  const followed = new Set<string>();
  let last: MessageExtraInfo | undefined;
  let initialized = false;
  let holds = options.holds;
  /** Streams opened here of which the bus has not told yet. */
  let untold = 0;

  /** An answer or progress to what a server asked: ours goes in, another instance's goes there. */
  function answer(message: Message, { to, own }: { readonly to: string; readonly own: () => Message }): void {
    if (to === instance) inner(own(), last);
    else void tell({ kind: "session_answer", to, message: message as unknown as JsonObject });
  }

  function notice(message: Message, method: string, heard: boolean): boolean {
    if (method === CANCELLED) {
      const id = (message.params as { readonly requestId?: string | number } | undefined)?.requestId;
      // What is cancelled is not answered.
      if (id !== undefined && (heard ? here.has(id) : here.delete(id))) return false;
    } else if (method === INITIALIZED) {
      if (!initialized) inner(message, last);
      initialized = true;
    } else if (method === ROOTS) inner(message, last);
    else return false;
    if (!heard) void tell({ kind: "session_notice", message: message as unknown as JsonObject });
    return true;
  }

  transport.onmessage = (given: JSONRPCMessage, extra?: MessageExtraInfo) => {
    const message = given as Message;
    last = extra ?? last;
    if (!("method" in message)) {
      const wire = readWireId(message.id);
      if (wire === null) return inner(message, extra);
      return answer(message, { to: wire.instance, own: () => ({ ...message, id: wire.number }) as Message });
    }
    const { method } = message as { readonly method: string };
    if (message.id !== undefined) {
      here.add(message.id);
      const asked = message as unknown as JsonObject;
      if (settingOf(asked) !== null) settings.set(message.id, asked);
      return inner(message, extra);
    }
    if (method === PROGRESS) {
      const wire = readWireId(message.params?.progressToken);
      if (wire !== null) {
        const own = () =>
          ({ ...message, params: { ...message.params, progressToken: wire.number } }) as unknown as Message;
        return answer(message, { to: wire.instance, own });
      }
    }
    if (notice(message, method, false)) return;
    inner(message, extra);
  };

  transport.send = async (given: JSONRPCMessage, sendOptions?: TransportSendOptions) => {
    const message = given as Message;
    if (!("method" in message)) {
      const { id } = message;
      if (typeof id === "string" && followed.delete(id)) return;
      if (id !== undefined) {
        here.delete(id);
        const asked = settings.get(id);
        settings.delete(id);
        // The client is told when it is kept; the others follow in a moment.
        if (asked !== undefined && "result" in message) await settle(asked);
      }
      return send(message, sendOptions);
    }
    const outgoing = outward(message, instance);
    if (sendOptions?.relatedRequestId !== undefined) return send(outgoing, sendOptions);
    if (holds && options.open()) return send(outgoing, sendOptions);
    // A question in the middle of a call: the call's own stream is nearer than one at another instance, which may be gone.
    const relatedRequestId = options.streams && message.id !== undefined ? [...here].at(-1) : undefined;
    if (relatedRequestId !== undefined) return send(outgoing, { ...sendOptions, relatedRequestId });
    if (holds && options.keeps) return send(outgoing, sendOptions);
    await tell({ kind: "session_outgoing", message: outgoing as unknown as JsonObject });
  };

  async function settle(asked: JsonObject): Promise<void> {
    const setting = settingOf(asked);
    if (setting === null) return;
    const { method, params = null } = asked;
    const value = { method, params } as JsonObject;
    await options.remember({ key: setting.key, value: setting.forget ? null : value });
    await tell({ kind: "session_setting", message: value });
  }

  const line: SharedLine = {
    get holds() {
      return holds;
    },
    async takeStream() {
      holds = true;
      untold += 1;
      if (!(await tell({ kind: "session_stream" }))) untold = Math.max(0, untold - 1);
    },
    doubt() {
      untold = 0;
    },
    hear(mail) {
      switch (mail.kind) {
        case "session_answer":
          if (mail.to === instance) transport.onmessage?.(mail.message as never, last as never);
          return;
        case "session_notice": {
          const message = mail.message as unknown as Message & { readonly method: string };
          // One that cancels a call of ours goes the way it would have come.
          if (!notice(message, message.method, true)) transport.onmessage?.(message, last as never);
          return;
        }
        case "session_setting":
          line.follow(mail.message);
          return;
        case "session_outgoing":
          if (holds) void send(mail.message as never).catch(() => {});
          return;
        case "session_stream":
          if (mail.from === instance) untold = Math.max(0, untold - 1);
          // Ours was opened later than this one, and is told of after it.
          else if (untold === 0) {
            holds = false;
            transport.closeStandaloneSSEStream();
          }
      }
    },
    follow({ method, params }) {
      if (settingOf({ method: method ?? null, params: params ?? null }) === null) return;
      const id = `${instance} ${crypto.randomUUID()}`;
      followed.add(id);
      inner({ jsonrpc: "2.0", id, method, ...(isJsonObject(params) ? { params } : {}) } as Message, last);
    },
  };
  return line;
}

/** A message of the server's as it goes out: its own ids with the instance's name. */
function outward(message: Message, instance: string): Message {
  const { id, params } = message;
  const wire = (number: unknown) => (typeof number === "number" ? writeWireId({ instance, number }) : number);
  if (id === undefined) {
    const cancels = (message as { readonly method?: string }).method === CANCELLED;
    if (!cancels || params === undefined) return message;
    return { ...message, params: { ...params, requestId: wire(params.requestId) } } as Message;
  }
  const meta = params?._meta;
  const tracked =
    isJsonObject(meta) && meta.progressToken === id
      ? { params: { ...params, _meta: { ...meta, progressToken: wire(id) } } }
      : {};
  return { ...message, id: wire(id), ...tracked } as unknown as Message;
}
