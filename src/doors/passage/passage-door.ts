/**
 * `/v1/relays/:id/mcp`: POST, GET and DELETE of Streamable HTTP, passed on to one listed relay and back as it answers. Host, Origin and
 * CORS are those of the catalog's own MCP endpoint; errors of the catalog are problem documents, which no relay's answer ever is. The
 * server asks `serves` before the REST door gets a path, and closes it at a stop: streams have no end of their own.
 */
import { type CatalogContext, openPassage, type Passage, requestIdOf } from "../../catalog/index.ts";
import {
  type ClientOf,
  createFailures,
  createGate,
  cutConnection,
  type Door,
  type Gate,
  MCP_REQUEST_HEADERS,
  PROBLEM_TYPE,
  problemText,
  RELAY_CREDENTIAL_HEADER,
  rateLimitHeaders,
  readableByPage,
} from "../../http/index.ts";
import { type BudgetStanding, OpenMcpError } from "../../spec/index.ts";
import { createPassageStream, type PassageStream } from "./passage-stream.ts";
import { isPassage, PASSAGE_METHODS, readPassage } from "./read-passage.ts";

export interface PassageDoorOptions {
  readonly context: CatalogContext;
  /** Default: made from the catalog's own URL. */
  readonly gate?: Gate;
  /** Default: nobody's budgets are drawn on. */
  readonly clientOf?: ClientOf;
}

export interface PassageDoor extends AsyncDisposable {
  /** True for the paths of this door. */
  serves(url: string): boolean;
  /** Of `env`, what the adapter hands on, only the connection is used, to cut it (`outgoing.destroy`). */
  readonly fetch: Door;
  /** Answers on their way now. */
  readonly streams: number;
  /** Ends what clients only listen to, and takes no more requests; answers to messages go on. Idempotent. */
  endListening(): void;
  /** Ends every stream and takes no more. Idempotent. */
  close(): Promise<void>;
}

const ROUTE = "/v1/relays/:id/mcp";
const ACCESS = {
  methods: `${PASSAGE_METHODS.join(", ")}, OPTIONS`,
  requestHeaders: `${MCP_REQUEST_HEADERS}, ${RELAY_CREDENTIAL_HEADER}`,
  exposed: "MCP-Protocol-Version, Mcp-Session-Id, WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy",
  parameters: true,
};
/** Nothing between may keep it, compress it or wait for more of it, and a page that is led here shows it as nothing but text. */
const HEADERS = {
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox",
} as const;

export function passageDoor({ context, gate: given, clientOf }: PassageDoorOptions): PassageDoor {
  const gate = given ?? createGate({ url: context.identity.url });
  const { logger, clock } = context;
  const failed = createFailures({ logger, newId: requestIdOf(context), message: "a passage failed" });
  const open = new Map<PassageStream, string>();
  let closed = false;

  async function answer(request: Request, env: unknown): Promise<Response> {
    let standing: BudgetStanding | null = null;
    const budget = (): Record<string, string> => (standing === null ? {} : rateLimitHeaders(standing));
    try {
      logger.note?.({ route: ROUTE });
      gate.checkHost(request);
      gate.checkOrigin(request);
      if (request.method === "OPTIONS")
        return new Response(null, { status: 204, headers: { allow: ACCESS.methods } });
      if (closed) throw new OpenMcpError("unavailable", "the catalog is stopping");
      const passage = await openPassage(context, () => readPassage(request), {
        signal: request.signal,
        admin: false,
        client: clientOf?.(request, env) ?? null,
        onBudget: (now) => {
          standing = now;
        },
      });
      return reply(passage, { budget: budget(), method: request.method, env });
    } catch (error) {
      return failed(error, { request, headers: budget() });
    }
  }

  function reply(
    passage: Passage,
    {
      budget,
      method,
      env,
    }: { readonly budget: Record<string, string>; readonly method: string; readonly env: unknown },
  ): Response {
    const headers = { ...HEADERS, ...passage.headers, ...budget };
    const { status } = passage;
    if (passage.kind === "status") {
      const code = status === 401 || status === 403 ? "relay-refused" : "relay-unreachable";
      const message = `${passage.relay}: ${passage.message}`;
      const body = problemText({ code, message, data: { relay: passage.relay } }, status);
      return new Response(body, { status, headers: { ...headers, "content-type": PROBLEM_TYPE } });
    }
    if (passage.body === null || passage.type === null) return new Response(null, { status, headers });
    const stream = createPassageStream({
      chunks: passage.body,
      clock,
      cut: () => cutConnection(env),
      onEnd(how, error) {
        open.delete(stream);
        passage.cancel();
        const why = error === undefined ? {} : { reason: String(error) };
        logger.debug({ relay: passage.relay, how, ...why }, "a passage ended");
      },
    });
    open.set(stream, method);
    return new Response(stream.body, { status, headers: { ...headers, "content-type": passage.type } });
  }

  function endListening(): void {
    closed = true;
    for (const [stream, method] of open) if (method === "GET") stream.close();
  }

  async function close(): Promise<void> {
    closed = true;
    for (const stream of open.keys()) stream.close();
  }

  return {
    serves: isPassage,
    fetch: async (request, env) => readableByPage(request, await answer(request, env), ACCESS),
    get streams() {
      return open.size;
    },
    endListening,
    close,
    [Symbol.asyncDispose]: close,
  };
}
