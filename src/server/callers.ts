/**
 * Whose budgets a request draws on: the one place that knows sockets, proxies, the admin credential and where the catalog is bound.
 * The admin draws on none, and neither do callers of this machine at a catalog that only this machine can reach.
 */
import { addressGroup, type ClientOf, createAdminCheck, createClientAddress } from "../http/index.ts";
import type { Logger } from "../spec/index.ts";
import { isLoopbackHost } from "./loopback.ts";
import type { ServeOptions } from "./serve-options.ts";

/** What a proxy adds, whether or not it was asked to. */
const PROXY_HEADERS = ["x-forwarded-for", "forwarded", "via", "x-real-ip"] as const;

/** Nobody has it: the connection was gone before it was asked. Such requests share what they may. */
const GONE = "unknown";

export function createCallers(
  { host, adminToken, trustProxy }: Pick<ServeOptions, "host" | "adminToken" | "trustProxy">,
  logger: Logger,
): ClientOf {
  const admin = createAdminCheck(adminToken);
  const addressOf = createClientAddress(trustProxy);
  const localIsFree = trustProxy === null && isLoopbackHost(host);
  let warned = false;

  /** A proxy on this machine makes strangers look like this machine. */
  function throughProxy({ headers }: Request): boolean {
    if (!PROXY_HEADERS.some((name) => headers.has(name))) return false;
    if (!warned) {
      warned = true;
      logger.warn(
        {},
        "requests come through a proxy, and all of them count as one client: say --trust-proxy, so that each has budgets of its own",
      );
    }
    return true;
  }

  return (request, env) => {
    const connection = remoteAddress(env);
    const client = addressOf(connection, request.headers);
    if (client === null) return GONE;
    if (localIsFree && isLoopbackAddress(client) && !throughProxy(request)) return null;
    if (admin.matches(request.headers.get("authorization"))) return null;
    return addressGroup(client);
  };
}

/** Of one in its normal spelling: it is asked for every request. */
function isLoopbackAddress(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

function remoteAddress(env: unknown): string | null {
  const { incoming } = (env ?? {}) as {
    readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } };
  };
  return incoming?.socket?.remoteAddress ?? null;
}
