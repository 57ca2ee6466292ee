/**
 * An endpoint as an application reaches it: the name, TLS, the path, what a plain POST is answered with, how one gets in, and the
 * handshake. The network is handed in.
 */
import { type ConnectError, connect, isConnectError } from "../../client/index.ts";
import { isJsonObject } from "../../spec/index.ts";
import type { HttpLaunch } from "../entry.ts";
import { DOCTOR_TIMEOUT_MS, MAX_PAGE_BYTES } from "../limits.ts";
import { bad, type Check, good, warning } from "./check.ts";

export interface UrlCheckOptions {
  readonly fetch: (input: string | URL, init?: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
}

export async function checkUrl(launch: HttpLaunch, options: UrlCheckOptions): Promise<readonly Check[]> {
  const { signal, timeoutMs = DOCTOR_TIMEOUT_MS } = options;
  const url = URL.canParse(launch.url) ? new URL(launch.url) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return [bad("address", `"${launch.url}" is no http or https URL`, "Correct the entry's URL.")];
  }
  if (url.username !== "" || url.password !== "") {
    return [
      bad(
        "address",
        `The URL for ${url.host} has a credential in it`,
        "Applications refuse such a URL, and programs show it. Put the credential into a header (--header).",
      ),
    ];
  }
  const loopback = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  const address =
    url.protocol === "http:" && !loopback
      ? warning(
          "address",
          `${url.origin} has no TLS`,
          "Credentials and answers can be read on the way. Put it behind https.",
        )
      : good("address", url.origin);
  const posted = await checkPost(url, { ...options, headers: launch.headers });
  if (posted.stop) return [address, ...posted.checks];
  try {
    await using client = await connect(url, {
      headers: launch.headers,
      fetch: options.fetch,
      signal,
      timeoutMs,
      degraded: true,
      name: "openmcp-doctor",
    });
    const { tools } =
      client.serverCapabilities.tools === undefined
        ? { tools: [] }
        : await client.listTools(undefined, { signal, timeoutMs });
    const { name = "?", version = "" } = client.serverInfo ?? {};
    return [
      address,
      ...posted.checks,
      good("handshake", `${`${name} ${version}`.trim()}, MCP ${client.protocolVersion}`),
      tools.length === 0
        ? warning("tools", "It lists no tools", "It may show its tools to others than you.")
        : good("tools", `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`),
    ];
  } catch (error) {
    signal.throwIfAborted();
    return [address, ...posted.checks, await failure(error, options)];
  }
}

/** As `curl -X POST` does: a server answers with a JSON-RPC error, and anything else is none. */
async function checkPost(
  url: URL,
  {
    fetch,
    signal,
    headers,
    timeoutMs = DOCTOR_TIMEOUT_MS,
  }: UrlCheckOptions & { readonly headers: Readonly<Record<string, string>> },
): Promise<{ readonly checks: readonly Check[]; readonly stop: boolean }> {
  const what = "plain POST";
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: "{}",
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    text = await beginningOf(response);
  } catch (error) {
    signal.throwIfAborted();
    return { stop: true, checks: [unreachable(url, error)] };
  }
  const { status } = response;
  const type = response.headers.get("content-type") ?? "";
  if (status >= 300 && status < 400) {
    const to = response.headers.get("location") ?? "nowhere";
    return {
      stop: true,
      checks: [
        bad(
          what,
          `It redirects (${status}) to ${to}`,
          "Applications don't follow with a credential. Put that URL into the entry.",
        ),
      ],
    };
  }
  if (status === 401 || status === 403)
    return { stop: false, checks: [good(what, `It answers and wants a credential (${status})`)] };
  if (isRpcError(text))
    return { stop: false, checks: [good(what, `A JSON-RPC error, as it should (${status})`)] };
  if (status === 404 || status === 405 || /html/i.test(type)) {
    return {
      stop: true,
      checks: [
        bad(
          what,
          `${url.pathname} is no MCP endpoint (${status}${/html/i.test(type) ? ", a page" : ""})`,
          /\/mcp\/?$/.test(url.pathname)
            ? "Is it the right server, and does it run? Its documentation names the endpoint's path."
            : "Does the URL include the endpoint's path, such as /mcp?",
        ),
      ],
    };
  }
  if (status >= 500)
    return {
      stop: false,
      checks: [bad(what, `The server fails (${status})`, "Look into the server's own log.")],
    };
  return {
    stop: false,
    checks: [warning(what, `No JSON-RPC error, but ${status}`, "The handshake below decides.")],
  };
}

function unreachable(url: URL, error: unknown): Check {
  const codes = new Set<string>();
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string") codes.add(code);
    if (at.name === "TimeoutError") codes.add("TIMEOUT");
    // The ports that the Fetch standard blocks ("Port blocking") have no code.
    if (at.message === "bad port") codes.add("a port that is kept for something else");
    for (const inner of at instanceof AggregateError ? at.errors : []) {
      if (typeof (inner as { code?: unknown })?.code === "string")
        codes.add((inner as { code: string }).code);
    }
  }
  const is = (pattern: RegExp): boolean => [...codes].some((code) => pattern.test(code));
  const host = url.hostname;
  if (is(/ENOTFOUND|EAI_AGAIN|unreachable-name/)) {
    return bad(
      "name",
      `No address is known for ${host}`,
      "Is it written right? A name that only a VPN or a company's network knows is not known elsewhere.",
    );
  }
  if (is(/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME|tls-failed/)) {
    return bad(
      "TLS",
      `The certificate of ${host} doesn't verify (${[...codes].join(", ")})`,
      "Renew it, send its intermediate certificates along, or let Node know your own authority: NODE_EXTRA_CA_CERTS in the entry's env.",
    );
  }
  if (is(/EPROTO|WRONG_VERSION|ERR_SSL/)) {
    return bad("TLS", `${url.host} doesn't speak TLS`, "Is it http:// there, or another port?");
  }
  if (is(/ECONNREFUSED/))
    return bad("connection", `Nothing listens at ${url.host}`, "Start the server, and check the port.");
  if (is(/TIMEOUT|ETIMEDOUT/i))
    return bad(
      "connection",
      `${url.host} gives no answer in time`,
      "A firewall may drop it. Is the address right, and the server up?",
    );
  return bad(
    "connection",
    `${url.host} can't be reached (${[...codes].join(", ") || (error instanceof Error ? error.message : String(error))})`,
    "Check the network, proxies and the address.",
  );
}

async function failure(error: unknown, options: UrlCheckOptions): Promise<Check> {
  if (isConnectError(error, "auth")) return authCheck(error, options);
  if (isConnectError(error, "connect/timeout"))
    return bad("handshake", error.message, "Is the server overloaded, or a proxy holding back its answers?");
  return bad(
    "handshake",
    error instanceof Error ? error.message : String(error),
    "Look into the server's own log.",
  );
}

/** The way in: from the challenge to the metadata of the resource and of its authorization server (RFC 9728, RFC 8414). */
async function authCheck(
  error: ConnectError,
  { fetch, signal, timeoutMs = DOCTOR_TIMEOUT_MS }: UrlCheckOptions,
): Promise<Check> {
  const what = "credential";
  const { challenge, status } = error.data;
  const metadata =
    isJsonObject(challenge) && typeof challenge.resourceMetadata === "string"
      ? challenge.resourceMetadata
      : null;
  if (metadata === null) {
    return bad(
      what,
      `It is missing or refused (${String(status)}), and the server names no way to get one`,
      "Give yours: a header in the entry (--header), or OPENMCP_RELAY_TOKEN for `openmcp connect`.",
    );
  }
  const read = async (url: string): Promise<unknown> => {
    try {
      const response = await fetch(url, {
        headers: { accept: "application/json" },
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      return response.ok ? JSON.parse(await beginningOf(response)) : null;
    } catch {
      signal.throwIfAborted();
      return null;
    }
  };
  const resource = await read(metadata);
  const servers =
    isJsonObject(resource) && Array.isArray(resource.authorization_servers)
      ? resource.authorization_servers
      : [];
  const issuer = servers.find(
    (server): server is string => typeof server === "string" && URL.canParse(server),
  );
  if (issuer === undefined) {
    return bad(
      what,
      `It signs in with OAuth, but ${metadata} names no authorization server`,
      "That is the server's to mend (RFC 9728). Ask its operator, or use a token.",
    );
  }
  const at = new URL(issuer);
  const path = at.pathname.replace(/\/$/, "");
  const known =
    (await read(`${at.origin}/.well-known/oauth-authorization-server${path}`)) ??
    (await read(`${at.origin}${path}/.well-known/openid-configuration`));
  if (!isJsonObject(known) || typeof known.authorization_endpoint !== "string") {
    return bad(
      what,
      `It signs in at ${at.host}, which publishes no metadata`,
      "That is the server's to mend (RFC 8414). Ask its operator, or use a token.",
    );
  }
  return warning(
    what,
    `It signs in with OAuth at ${at.host}`,
    "An application that signs in itself will ask you; a bridge needs a token in OPENMCP_RELAY_TOKEN.",
  );
}

function isRpcError(text: string): boolean {
  // An event stream carries it in a line of data.
  const data = /^data: ?(.*)$/m.exec(text)?.[1] ?? text;
  try {
    const value: unknown = JSON.parse(data);
    return isJsonObject(value) && isJsonObject(value.error) && typeof value.error.code === "number";
  } catch {
    return false;
  }
}

async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (text.length < MAX_PAGE_BYTES) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      // A stream of events stays open; its first is enough.
      if (/^data: ?.*\r?\n\r?\n/m.test(text)) break;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  return text;
}
