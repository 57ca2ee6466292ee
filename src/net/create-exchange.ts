/**
 * The real `Exchange`: one judge, one set of connections, and an end. Give every process one of these and hand its
 * `exchange` to all who call outside; two of them would each keep their own idle sockets.
 */
import { type Exchange, type ExchangeRequest, OpenMcpError } from "../spec/index.ts";
import { createConnections } from "./connections.ts";
import { createDial } from "./connector.ts";
import { createGuardedLookup } from "./guarded-lookup.ts";
import { createJudge } from "./judge.ts";
import type { NetworkPolicy } from "./network-policy.ts";
import { type ExchangeTools, RunningExchange } from "./running-exchange.ts";

/** An exchange with its sockets. */
export interface OwnedExchange extends AsyncDisposable {
  readonly exchange: Exchange;
  /** Sockets open or opening, and those of them that wait for a next request. */
  connections(): { readonly open: number; readonly idle: number };
  /** Ends what still runs with `aborted`, refuses what comes later, closes every socket. Idempotent. */
  close(): Promise<void>;
}

export interface ExchangeIdentity {
  /** Goes as `User-Agent` with every request that names none (RFC 9110, section 10.1.5); absent: none goes. */
  readonly userAgent?: string;
}

/**
 * Makes the outbound network of a process.
 * @throws OpenMcpError `invalid-input` when an entry of `allowNetworks` is not a network.
 * @example
 * ```ts
 * await using network = createExchange({ allowLoopback: false, allowNetworks: [] });
 * const limits = { timeoutMs: 15_000, maxBodyBytes: 1024 * 1024 };
 * const response = await network.exchange({ method: "GET", url: "https://relay.example/" }, limits);
 * for await (const chunk of response.body) console.log(chunk.length);
 * ```
 */
export function createExchange(policy: NetworkPolicy, { userAgent }: ExchangeIdentity = {}): OwnedExchange {
  const judge = createJudge(policy);
  const connections = createConnections(createDial(judge, createGuardedLookup(judge, policy.lookup)));
  const tools: ExchangeTools = { judge, connections, running: new Set() };
  let closed: Promise<void> | undefined;

  const exchange: Exchange = (request, limits) =>
    new Promise((resolve, reject) => {
      if (closed !== undefined) {
        reject(new OpenMcpError("aborted", "the network of this catalog is closed"));
        return;
      }
      new RunningExchange(named(request, userAgent), limits, { tools, resolve, reject }).start();
    });

  function close(): Promise<void> {
    closed ??= (async () => {
      for (const one of tools.running) one.abort();
      await connections.close();
    })();
    return closed;
  }

  return { exchange, connections: connections.count, close, [Symbol.asyncDispose]: close };
}

function named(request: ExchangeRequest, userAgent: string | undefined): ExchangeRequest {
  if (userAgent === undefined || request.headers?.["user-agent"] !== undefined) return request;
  return { ...request, headers: { "user-agent": userAgent, ...request.headers } };
}
