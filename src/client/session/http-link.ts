/**
 * The SDK's Streamable HTTP transport, with what connect.md asks beyond it: the legacy era's stream of pushes is known to be open
 * before the first call, the session is ended by DELETE, and a refusal's challenge is kept for the error.
 */
import type { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { OpenMcpError } from "../../spec/index.ts";
import { ConnectError } from "../connect-error.ts";
import { RETURN_FIRST_MS, RETURN_MOST_MS } from "../limits.ts";
import type { Fetch } from "../settings.ts";
import { untilAborted } from "../until-aborted.ts";
import { type Challenge, endSession, type Link, type LinkEvidence, tapNotifications } from "./link.ts";

export interface HttpLinkOptions {
  /** Sent as `Authorization: Bearer`, to the endpoint's origin only. */
  readonly token?: string | undefined;
  /** Sent with every request, to the endpoint's origin only. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly fetch: Fetch;
  /** Goes on where the stream of pushes is refused. */
  readonly degraded?: boolean | undefined;
  /** Comes back to a stream that was lost as often as it takes. */
  readonly patient?: boolean | undefined;
  /** Nobody listens to notifications: messages are given on as they come. */
  readonly raw?: boolean | undefined;
}

export interface HttpLink extends Link {
  readonly transport: StreamableHTTPClientTransport;
  /** The status of the last answer; null before one. */
  readonly status: number | null;
  /** Told when a stream of pushes that was open is refused by 404: the server knows this session no longer. */
  onForgotten: (() => void) | null;
}

export async function httpLink(endpoint: string, options: HttpLinkOptions): Promise<HttpLink> {
  const { StreamableHTTPClientTransport, extractWWWAuthenticateParams } = await import(
    "@modelcontextprotocol/client"
  );
  const stream = Promise.withResolvers<Response>();
  // Nobody waits for it in the modern era.
  stream.promise.catch(() => undefined);
  let expectsStream = false;
  let challenge: Challenge | null = null;
  let status: number | null = null;
  let streamed = false;

  const watched: Fetch = async (input, init) => {
    const method = init?.method ?? "GET";
    let response: Response;
    try {
      response = await options.fetch(input, init);
    } catch (error) {
      if (method === "GET") stream.reject(error);
      throw error;
    }
    if (method === "GET") {
      stream.resolve(response);
      if (response.ok) streamed = true;
      // Where there never was one, 404 says that there is none.
      else if (response.status === 404 && streamed) link.onForgotten?.();
    }
    // The SDK asks for the stream only after this answer.
    if (method === "POST" && isInitialized(init?.body)) expectsStream = response.status === 202;
    if (method !== "DELETE") status = response.status;
    if (response.status === 401 || response.status === 403) {
      challenge = readChallenge(response, extractWWWAuthenticateParams);
    }
    return response;
  };

  const headers = {
    ...options.headers,
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  };
  const transport = new StreamableHTTPClientTransport(new URL(endpoint), {
    fetch: watched,
    ...(options.patient === true
      ? {
          reconnectionOptions: {
            initialReconnectionDelay: RETURN_FIRST_MS,
            maxReconnectionDelay: RETURN_MOST_MS,
            reconnectionDelayGrowFactor: 1.5,
            maxRetries: Number.MAX_SAFE_INTEGER,
          },
        }
      : {}),
    ...(Object.keys(headers).length === 0 ? {} : { requestInit: { headers } }),
  });

  const label = labelOf(endpoint);
  let closing: Promise<void> | undefined;
  const link: HttpLink = {
    kind: "http",
    label,
    transport,
    onNotification: null,
    onForgotten: null,
    get status() {
      return status;
    },
    async settled(signal) {
      if (!expectsStream) return;
      try {
        const response = await untilAborted(stream.promise, signal);
        if (response.ok || response.status === 405 || options.degraded === true) return;
        throw new ConnectError(
          "connect/transport",
          `${label} refuses the stream of its pushes (${response.status}); 405 would say that there is none. \`degraded: true\` goes on without.`,
          { data: { status: response.status } },
        );
      } catch (error) {
        if (options.degraded !== true) throw error;
      }
    },
    evidence: (): LinkEvidence => ({ challenge }),
    close: () => {
      closing ??= (async () => {
        await endSession(transport);
        await transport.close();
      })();
      return closing;
    },
  };
  if (options.raw !== true) tapNotifications(transport, (message) => link.onNotification?.(message));
  return link;
}

/** The endpoint's URL, or `invalid-input`. A URL with a credential in it would be in every error and log. */
export function readEndpoint(given: string | URL): string {
  const url = String(given);
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) {
    const shown = parsed === null ? url : `${parsed.protocol}//…`;
    throw new OpenMcpError("invalid-input", `An endpoint is an http or https URL, not "${shown}".`, {
      data: { field: "endpoint" },
    });
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new OpenMcpError(
      "invalid-input",
      `Leave credentials out of the URL of ${parsed.host}; give them as \`token\` or \`headers\`.`,
      { data: { field: "endpoint" } },
    );
  }
  return url;
}

/** Some services take their key in the query. */
function labelOf(endpoint: string): string {
  const { origin, pathname, search } = new URL(endpoint);
  return search === "" ? endpoint : `${origin}${pathname}?…`;
}

function isInitialized(body: unknown): boolean {
  return typeof body === "string" && body.includes('"notifications/initialized"');
}

function readChallenge(
  response: Response,
  read: (response: Response) => {
    readonly scope?: string;
    readonly error?: string;
    readonly resourceMetadataUrl?: URL;
  },
): Challenge | null {
  const header = response.headers.get("www-authenticate");
  if (header === null) return null;
  const { scope, error, resourceMetadataUrl } = read(response);
  return {
    scheme: header.trimStart().split(/[\s,]/, 1)[0] ?? "",
    error: error ?? null,
    scope: scope ?? null,
    resourceMetadata: resourceMetadataUrl?.href ?? null,
  };
}
