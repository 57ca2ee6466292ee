/**
 * A way to one server that is not spoken over yet: a transport of the SDK, and what only its maker knows of it. The handshake, the
 * client and the errors are the same for all of them.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { SESSION_END_MS } from "../limits.ts";

/** What is known beside the SDK's error when something went wrong. Texts are a stranger's. */
export interface LinkEvidence {
  /** HTTP: the last refusal's `WWW-Authenticate`. */
  readonly challenge?: Challenge | null;
  /** A process: how it ended. */
  readonly exit?: { readonly code: number | null; readonly signal: string | null } | null;
  /** A process: the end of what it wrote to standard error. */
  readonly stderr?: string;
  /** The first line on standard output that was no message. */
  readonly stray?: string | null;
}

/** Of `WWW-Authenticate` (RFC 9110 section 11.6.1), what a caller acts on. */
export interface Challenge {
  readonly scheme: string;
  readonly error: string | null;
  readonly scope: string | null;
  /** URL of the protected resource's metadata (RFC 9728). */
  readonly resourceMetadata: string | null;
}

export interface Link {
  readonly kind: "http" | "command" | "streams" | "transport";
  /** How errors call it: a URL, a command. Free of secrets. */
  readonly label: string;
  readonly transport: Transport;
  /** Told of every notification of the server, before any handler. */
  onNotification: ((message: { readonly method: string; readonly params?: unknown }) => void) | null;
  /** Legacy era, after the handshake: resolves when pushes will arrive. Rejects with a `ConnectError`. */
  settled(signal: AbortSignal): Promise<void>;
  evidence(): LinkEvidence;
  /** Idempotent and bounded; ends what the server keeps for us. */
  close(): Promise<void>;
}

/**
 * Makes a transport tell of notifications, whoever takes its messages. What comes behind a notification waits a turn: the SDK handles
 * notifications a little later than answers, and drops the progress of a call whose answer came with it.
 */
export function tapNotifications(
  transport: Transport,
  tell: (message: { readonly method: string; readonly params?: unknown }) => void,
): void {
  type OnMessage = NonNullable<Transport["onmessage"]>;
  type Arrival = Parameters<OnMessage>;
  let inner: Transport["onmessage"] = transport.onmessage;
  const waiting: Arrival[] = [];
  let holding = false;

  function deliver(...[message, extra]: Arrival): void {
    const { method, id, params } = message as JSONRPCMessage & {
      method?: unknown;
      id?: unknown;
      params?: unknown;
    };
    // The SDK first: what a notification tells of is in its cache when a subscriber hears of it.
    inner?.(message, extra);
    if (typeof method !== "string" || id !== undefined) return;
    tell({ method, params });
    if (holding) return;
    holding = true;
    setTimeout(release, 0);
  }

  function release(): void {
    holding = false;
    while (waiting.length > 0 && !holding) deliver(...(waiting.shift() as Arrival));
  }

  const tapped: OnMessage = (message, extra) => {
    const isNotification = "method" in message && !("id" in message);
    if (waiting.length > 0 || (holding && !isNotification)) waiting.push([message, extra]);
    else deliver(message, extra);
  };
  Object.defineProperty(transport, "onmessage", {
    configurable: true,
    enumerable: true,
    get: () => (inner === undefined ? undefined : tapped),
    set: (next: Transport["onmessage"]) => {
      // A handler that was read here and is put back must not be told of twice.
      inner = next === tapped ? inner : next;
    },
  });
}

/** A link over a transport that somebody else made. */
export function transportLink(
  transport: Transport,
  {
    kind = "transport",
    label = "The server",
  }: { readonly kind?: Link["kind"]; readonly label?: string } = {},
): Link {
  let closing: Promise<void> | undefined;
  const link: Link = {
    kind,
    label,
    transport,
    onNotification: null,
    settled: () => Promise.resolve(),
    evidence: () => ({}),
    close: () => {
      closing ??= endSession(transport).then(() => transport.close());
      return closing;
    },
  };
  tapNotifications(transport, (message) => link.onNotification?.(message));
  return link;
}

/** The SDK's `close()` sends no DELETE. A server that refuses or never answers one must not hold up the end. */
export async function endSession(
  transport: Transport & { terminateSession?: () => Promise<void> },
): Promise<void> {
  if (transport.sessionId === undefined || transport.terminateSession === undefined) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SESSION_END_MS);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), limit]);
  clearTimeout(timer);
}
