/**
 * Sessions that several instances speak for: what each tells the others over the bus, and how a session that was opened elsewhere is
 * taken up here. Each instance has a server of its own for it, which is told what the client said when it opened the session; nobody
 * owns it, so an instance that dies takes nothing along but the calls that it was running.
 */
import type { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { JsonObject, Logger } from "../../spec/index.ts";
import type { EventBus } from "./event-bus.ts";
import type { LiveSession } from "./live-session.ts";
import { type Mail, readMail } from "./session-mail.ts";
import type { SessionRecord, SessionStore } from "./session-store.ts";
import { type SharedLine, type SharedLineOptions, shareLine } from "./shared-line.ts";

export interface SharingOptions {
  readonly store: SessionStore;
  readonly bus: EventBus;
  /** This process's name among the instances. */
  readonly instance: string;
  readonly logger: Logger;
  readonly find: (session: string) => LiveSession | undefined;
  /** It is over: for this process too. */
  readonly drop: (session: string) => void;
  /** Something that others said may be lost: look into the store. */
  readonly doubt: () => void;
}

export interface Sharing {
  /** Resolves when this instance hears the others. */
  readonly ready: Promise<void>;
  line(
    transport: WebStandardStreamableHTTPServerTransport,
    more: Pick<SharedLineOptions, "session" | "holds" | "open" | "keeps" | "streams">,
  ): SharedLine;
  /** Tells the others that sessions are over. */
  ended(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export function createSharing(options: SharingOptions): Sharing {
  const { store, bus, instance, logger, find } = options;
  const publish = async (mail: Mail): Promise<boolean> => {
    try {
      await bus.publish(mail as never);
      return true;
    } catch (error) {
      logger.error({ err: error, kind: mail.kind }, "other instances were not told");
      return false;
    }
  };
  const hearing = bus.subscribe((event) => {
    if (event.kind === "bus_gap") return options.doubt();
    const mail = readMail(event);
    // Of its own it hears where its streams come among the others'.
    if (mail === null || (mail.from === instance && mail.kind !== "session_stream")) return;
    if (mail.kind === "session_ended") options.drop(mail.session);
    else find(mail.session)?.line?.hear(mail);
  });
  return {
    ready: hearing.then(() => {}),
    line: (transport, more) =>
      shareLine(transport, {
        ...more,
        instance,
        publish,
        remember: async (kept) => {
          await store
            .remember(more.session, kept)
            .catch((error: unknown) => logger.error({ err: error }, "the store of sessions failed"));
        },
      }),
    async ended(ids) {
      await Promise.all(ids.map((session) => publish({ kind: "session_ended", session, from: instance })));
    },
    async close() {
      await hearing.then((stop) => stop()).catch(() => {});
    },
  };
}

/** What is kept of the request that opened a session: all that a server reads of it. */
export function keptInitialize({ method, params }: JsonObject): JsonObject {
  const { protocolVersion, capabilities, clientInfo } = (params ?? {}) as JsonObject;
  return {
    jsonrpc: "2.0",
    id: 0,
    method: method ?? null,
    params: {
      protocolVersion: protocolVersion ?? null,
      capabilities: capabilities ?? {},
      clientInfo: clientInfo ?? {},
    },
  };
}

/** Tells a new server of a session what its client said to others: who it is, that it is ready, what it set. */
export async function retell(
  session: LiveSession,
  {
    record,
    remembered,
    request,
  }: {
    readonly record: SessionRecord;
    readonly remembered: readonly JsonObject[];
    /** Carries the scope. */
    readonly request: Request;
  },
): Promise<void> {
  const { transport, line } = session;
  const answer = await transport.handleRequest(request, { parsedBody: record.initialize });
  await answer.text();
  if (answer.status !== 200) throw new Error(`a session could not be taken up: ${answer.status}`);
  for (const setting of remembered) line?.follow(setting);
}

/** A request to open a session again with, in the name of the one that asks. */
export function openingRequest({ url }: Request): Request {
  return new Request(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
  });
}
