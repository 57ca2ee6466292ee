/**
 * The official client on a server of this process: no socket, no credential, and all that the protocol does in between. A relay of the
 * kit is asked through its own `fetch`, so that its users, layers and sessions are there; a server of the SDK, of either line, over
 * the SDK's in-memory transport.
 */
import {
  Client,
  type ClientOptions,
  type FetchLike,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { actingAs, type FluentServer, type Kit } from "../kit/index.ts";
import { OpenMcpError } from "../spec/index.ts";

/** What has a `connect`: `McpServer` and `Server` of `@modelcontextprotocol/server`, and of `@modelcontextprotocol/sdk`. */
export interface ConnectableServer {
  // biome-ignore lint/suspicious/noExplicitAny: each line of the SDK has a transport type of its own.
  connect(transport: any): Promise<unknown>;
  close(): Promise<void>;
}

/** A server, or what makes one. */
export type TestedServer =
  | Kit
  // biome-ignore lint/suspicious/noExplicitAny: of any users and any state.
  | FluentServer<any, any>
  | ConnectableServer
  | (() => ConnectableServer | Promise<ConnectableServer>);

export interface ConnectToOptions {
  /** Whom a relay of the kit takes the client for; has to be given where it has `authenticate`. */
  readonly as?: unknown;
  /** Which era is spoken; default: the newest that the server knows. */
  readonly era?: "legacy" | "modern";
  /** Of the official client: capabilities such as `{ elicitation: {} }`. */
  readonly client?: ClientOptions;
}

export interface ConnectedClient extends AsyncDisposable {
  readonly client: Client;
  /** Ends the connection, a session too. Idempotent. */
  close(): Promise<void>;
}

/**
 * @throws OpenMcpError `invalid-input` for a user where the server has none to tell apart, or none where it has.
 * @example
 * ```ts
 * const relay = server("greet", "1.0.0").tool("hello", {}, () => "Hello!");
 * await using connection = await connectTo(relay, { era: "legacy" });
 * const { tools } = await connection.client.listTools();
 * ```
 */
export async function connectTo(
  server: TestedServer,
  { as, era, client: options = {} }: ConnectToOptions = {},
): Promise<ConnectedClient> {
  const kit = kitOf(server);
  if (kit === null && as !== undefined) {
    throw new OpenMcpError(
      "invalid-input",
      "a server without the kit has no users: leave `as` out, or give what serve() made",
      {
        data: { field: "as" },
      },
    );
  }
  const client = new Client(
    { name: "openmcp-testing", version: "1" },
    {
      versionNegotiation: {
        mode: era === undefined ? "auto" : era === "legacy" ? "legacy" : { pin: MODERN },
      },
      ...options,
    },
  );
  const { transport, end } = kit === null ? await inMemory(server as ConnectableServer) : overFetch(kit, as);
  await client.connect(transport);
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await end();
      await client.close();
    })();
    return closing;
  };
  return { client, close, [Symbol.asyncDispose]: close };
}

/** The first revision of the modern era. */
const MODERN = "2026-07-28";

/** Null for a server without the kit. */
function kitOf(server: TestedServer): Kit | null {
  if (typeof server === "function") return null;
  if ("build" in server && "serve" in server) return server.serve();
  return "fetch" in server && "notify" in server ? server : null;
}

interface Opened {
  readonly transport: Transport;
  end(): Promise<void>;
}

function overFetch(kit: Kit, user: unknown): Opened {
  const { fetch, url } = actingAs(kit, user);
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: ((input, init) => fetch(new Request(input, init as RequestInit))) satisfies FetchLike,
  });
  return { transport, end: () => transport.terminateSession() };
}

async function inMemory(given: ConnectableServer | (() => unknown)): Promise<Opened> {
  const server = typeof given === "function" ? ((await given()) as ConnectableServer) : given;
  const [transport, other] = InMemoryTransport.createLinkedPair();
  await server.connect(other);
  return { transport, end: () => server.close() };
}
