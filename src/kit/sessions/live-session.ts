/** One legacy session in this process: its server, the SDK's transport in session mode, and whether it is in use. */
import {
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from "@modelcontextprotocol/server";
import type { Teller } from "../subscriptions.ts";
import type { Visibility } from "../visibility.ts";
import { type Pending, watchPending } from "./pending.ts";
import type { SharedLine } from "./shared-line.ts";

export interface LiveSession {
  readonly id: string;
  readonly user: string | null;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly visibility: Visibility<unknown>;
  readonly tell: Teller;
  readonly pending: Pending;
  /** Null where one process is all there is. */
  readonly line: SharedLine | null;
  /** Open GET streams. */
  streams: number;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** When the store was told last. */
  touchedAt: number;
  /** Ends streams and the server. Idempotent. */
  close(): Promise<void>;
}

export interface LiveSessionParts {
  readonly id: string;
  readonly user: string | null;
  readonly server: McpServer | Server;
  readonly visibility: Visibility<unknown>;
  readonly tell: Teller;
  readonly expiresAt: number;
  readonly touchedAt: number;
  readonly share: ((transport: WebStandardStreamableHTTPServerTransport) => SharedLine) | null;
  readonly transport: WebStandardStreamableHTTPServerTransportOptions;
  /** The session was opened, or its client deleted it. */
  readonly onOpened: () => Promise<void>;
  readonly onDeleted: () => Promise<void>;
}

export async function startSession(parts: LiveSessionParts): Promise<LiveSession> {
  const { id, user, server, visibility, tell, expiresAt, touchedAt } = parts;
  const transport = new WebStandardStreamableHTTPServerTransport({
    ...parts.transport,
    sessionIdGenerator: () => id,
    onsessioninitialized: parts.onOpened,
    onsessionclosed: parts.onDeleted,
  });
  await server.connect(transport);
  const line = parts.share?.(transport) ?? null;
  let closing: Promise<void> | null = null;
  return {
    id,
    user,
    transport,
    visibility,
    tell,
    line,
    pending: watchPending(transport),
    streams: 0,
    expiresAt,
    touchedAt,
    close() {
      closing ??= (async () => {
        await transport.close();
        await server.close();
      })();
      return closing;
    },
  };
}
