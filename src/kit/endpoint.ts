/**
 * The MCP endpoint: both eras behind one URL. A body is read once, bounded; its era is the SDK's to say; modern requests go to the
 * SDK's own handler, a new server for each, legacy ones to their session. Who may knock and who it is was asked before.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  InMemoryServerEventBus,
  type ServerEvent,
} from "@modelcontextprotocol/server";
import {
  isJsonType,
  mediaType,
  PARSE_ERROR,
  parseJson,
  problems,
  publicError,
  readText,
  rpcError,
  SERVER_ERROR,
} from "../http/index.ts";
import type { JsonValue, Logger } from "../spec/index.ts";
import type { Builder } from "./build-server.ts";
import { scopeOf, setScope } from "./call-scope.ts";
import { ENDPOINT_METHODS, INTERNAL_ERROR, INVALID_REQUEST, idOf } from "./json-rpc.ts";
import { MAX_BATCH_MESSAGES, MAX_LISTEN_STREAMS } from "./limits.ts";
import type { ServeModern } from "./routes/read-tools.ts";
import { boundedStream } from "./sessions/bounded-stream.ts";
import type { ChangeEvent } from "./sessions/event-bus.ts";
import type { LegacySessions } from "./sessions/legacy-sessions.ts";
import { watchBody } from "./sessions/rebuilt-body.ts";
import { authInfoOf } from "./users.ts";
import type { Viewer } from "./visibility.ts";
import { wantedTools } from "./wanted-tools.ts";

export interface EndpointOptions {
  readonly build: Builder;
  /** Null: legacy requests are served one by one. */
  readonly sessions: LegacySessions | null;
  readonly maxBodyBytes: number;
  readonly keepAliveMs: number | undefined;
  readonly logger: Logger;
}

/** A request that may come in. */
export interface Admitted {
  readonly request: Request;
  readonly viewer: Viewer<unknown>;
  readonly userId: string | null;
  readonly parsedBody?: unknown;
}

export interface Endpoint {
  serve(admitted: Admitted): Promise<Response>;
  /** A request of our own in the modern era, whose scope is set. */
  readonly ask: ServeModern;
  tell(event: ChangeEvent): void;
  /** Resolves when no call of the modern era is under way. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export function createEndpoint(options: EndpointOptions): Endpoint {
  const { build, sessions, logger, maxBodyBytes } = options;
  const listeners = new InMemoryServerEventBus();
  const handler = createMcpHandler(
    async ({ era, requestInfo }) => {
      const scope = scopeOf(requestInfo);
      // Without one it would be nobody's, and show what only users see.
      if (scope === undefined) throw new Error("a request without its scope");
      try {
        return (await build(scope, era)).server;
      } catch (error) {
        logger.error({ err: error }, "the server could not be made for a request");
        throw error;
      }
    },
    {
      legacy: sessions === null ? "stateless" : "reject",
      bus: listeners,
      maxSubscriptions: MAX_LISTEN_STREAMS,
      ...(options.keepAliveMs === undefined ? {} : { keepAliveMs: options.keepAliveMs }),
      onerror: (error) => logger.debug({ err: error }, "an MCP message was refused"),
    },
  );
  let underWay = 0;
  let waiting: (() => void)[] = [];

  function done(): void {
    underWay -= 1;
    if (underWay > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  async function post(admitted: Admitted): Promise<Response> {
    const { request, viewer, parsedBody } = admitted;
    const read = parsedBody === undefined ? await readBody(request, maxBodyBytes) : { body: parsedBody };
    if (read instanceof Response) return read;
    const body = read.body as JsonValue;
    if (Array.isArray(body) && body.length > MAX_BATCH_MESSAGES) {
      return rpcError(400, {
        code: INVALID_REQUEST,
        message: `at most ${MAX_BATCH_MESSAGES} messages at once`,
      });
    }
    const wanted = wantedTools(body);
    if (sessions !== null && isLegacy(request, body)) {
      return sessions.serve({ request, viewer, userId: admitted.userId, body, wanted });
    }
    setScope(request, { viewer, session: null, request, wanted });
    return modern(request, { body, viewer });
  }

  async function modern(
    request: Request,
    { body, viewer }: { readonly body: JsonValue; readonly viewer: Viewer<unknown> },
  ): Promise<Response> {
    const authInfo = viewer === "anonymous" ? undefined : authInfoOf(viewer.user);
    underWay += 1;
    let streaming = false;
    try {
      const response = await handler.fetch(request, {
        parsedBody: body,
        ...(authInfo === undefined ? {} : { authInfo }),
      });
      if (!isStream(response)) return response;
      if (isListen(body)) return boundedStream(response, () => {});
      streaming = true;
      return watchBody(response, done);
    } finally {
      if (!streaming) done();
    }
  }

  return {
    async serve(admitted) {
      const { request, viewer, userId } = admitted;
      try {
        switch (request.method) {
          case "POST":
            return await post(admitted);
          case "GET":
          case "DELETE":
            if (sessions !== null) {
              return await sessions.serve({ request, viewer, userId, body: undefined, wanted: new Set() });
            }
        }
        const allow = sessions === null ? "POST, OPTIONS" : ENDPOINT_METHODS;
        const message = `${request.method.slice(0, 20)} is not answered here; POST a JSON-RPC message`;
        return rpcError(405, { code: SERVER_ERROR, message, headers: { allow } });
      } catch (error) {
        return failure(error);
      }
    },
    ask: modern,
    tell: (event) => listeners.publish(event as ServerEvent),
    settled: () =>
      underWay === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiting.push(resolve);
          }),
    close: () => handler.close(),
  };

  function failure(error: unknown): Response {
    const told = publicError(error);
    if (told.requestId === undefined) {
      const code = told.code === "invalid-input" ? PARSE_ERROR : SERVER_ERROR;
      return rpcError(problems[told.code].status, { code, message: told.message });
    }
    logger.error({ err: error, requestId: told.requestId }, "an MCP request failed");
    return rpcError(500, { code: INTERNAL_ERROR, message: "Internal server error" });
  }
}

/** The body, or what is answered in its place: with the cure, for who tries the endpoint by hand. */
async function readBody(
  request: Request,
  maxBytes: number,
): Promise<Response | { readonly body: JsonValue }> {
  const type = mediaType(request);
  if (type !== "" && !isJsonType(type)) {
    const message = "Unsupported Media Type: send JSON-RPC as application/json";
    return rpcError(415, { code: SERVER_ERROR, message });
  }
  const text = await readText(request, { maxBytes });
  if (text.trim() === "") {
    const message = "Parse error: the body is empty; this is an MCP endpoint, POST a JSON-RPC message to it";
    return rpcError(400, { code: PARSE_ERROR, message });
  }
  if (type === "") {
    const message = "Unsupported Media Type: send JSON-RPC with Content-Type: application/json";
    return rpcError(415, { code: SERVER_ERROR, message, id: null });
  }
  return { body: parseJson(text) };
}

/** As the SDK's own handler decides it. */
function isLegacy(request: Request, body: JsonValue): boolean {
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
  const outcome = classifyInboundRequest({
    httpMethod: request.method,
    protocolVersionHeader: header("mcp-protocol-version"),
    mcpMethodHeader: header("mcp-method"),
    mcpNameHeader: header("mcp-name"),
    body,
  } as Parameters<typeof classifyInboundRequest>[0]);
  return outcome.kind === "legacy";
}

function isStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** A stream that lasts as long as its reader likes: nobody waits for it. */
function isListen(body: JsonValue): boolean {
  return idOf(body) !== null && (body as { readonly method?: unknown }).method === "subscriptions/listen";
}
