/**
 * Who may knock: Host and Origin against DNS rebinding and cross-site writes (MCP 2025-11-25 "Transports",
 * Security Warning; wire.md "MCP, at /mcp"; discovery.md "Serving").
 * Names are compared, not ports: a page that rebinds its name cannot choose ours.
 * This is no authentication: see bearer.ts.
 */
import { OpenMcpError } from "../spec/index.ts";
import { MAX_REMEMBERED_NAMES } from "./limits.ts";

export interface GateOptions {
  /** The public URL; its host is always one of ours. When it is a loopback host, every loopback name is. */
  readonly url: string;
  /** More host names that reach us, without ports. */
  readonly hosts?: readonly string[];
  /** More origins whose pages may write and use MCP, such as `https://app.example`. */
  readonly origins?: readonly string[];
}

export interface Gate {
  /** @throws OpenMcpError `forbidden` when the request was sent to a name that is not ours. */
  checkHost(request: Request): void;
  /** @throws OpenMcpError `forbidden` when a browser page of a foreign origin sent it. No Origin is no browser. */
  checkOrigin(request: Request): void;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function createGate(options: GateOptions): Gate {
  const own = new URL(options.url);
  const loopback = isLoopback(own.hostname);
  const hosts = new Set([own.hostname, ...(options.hosts ?? []).map((host) => host.toLowerCase())]);
  const origins = new Set([own.origin, ...(options.origins ?? []).map((origin) => new URL(origin).origin)]);
  const isOurs = (hostname: string) => hosts.has(hostname) || (loopback && isLoopback(hostname));

  const hostAllowed = remembering((host) => {
    const name = hostnameOf(`http://${host}`);
    return name !== null && isOurs(name);
  });
  const originAllowed = remembering((origin) => {
    if (!URL.canParse(origin)) return false; // the opaque "null" too
    const url = new URL(origin);
    if (origins.has(url.origin)) return true;
    // A development page on another port of this machine, or a proxied name of ours.
    return (url.protocol === "http:" || url.protocol === "https:") && isOurs(url.hostname);
  });

  return {
    checkHost(request) {
      const host = request.headers.get("host");
      const authority = authorityOf(request.url);
      // They differ when the target is an absolute URL; then that one counts (RFC 9112 section 3.2.2), and both have to be ours.
      if ((host === null || hostAllowed(host)) && (authority === host || hostAllowed(authority))) return;
      throw new OpenMcpError(
        "forbidden",
        `this catalog does not answer to the host name that was asked; ask ${own.host}, or start the catalog with --url`,
        { data: { field: "Host" } },
      );
    },
    checkOrigin(request) {
      const origin = request.headers.get("origin");
      if (origin === null || originAllowed(origin)) return;
      throw new OpenMcpError(
        "forbidden",
        "a page of another origin may read this catalog, but not write to it or use its MCP endpoint",
        { data: { field: "Origin" } },
      );
    },
  };
}

/** A name of this machine, as a URL has it in `hostname`. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.has(hostname) || /^127(?:\.\d{1,3}){3}$/.test(hostname) || hostname.endsWith(".localhost");
}

function authorityOf(url: string): string {
  const start = url.indexOf("://") + 3;
  const end = url.indexOf("/", start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

function hostnameOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const parsed = new URL(url);
  const bare =
    parsed.username === "" && parsed.pathname === "/" && parsed.search === "" && parsed.hash === "";
  return bare ? parsed.hostname : null;
}

/** Remembers accepted spellings only, and not many: what a stranger sends does not fill memory. */
function remembering(accepts: (name: string) => boolean): (name: string) => boolean {
  const known = new Set<string>();
  return (name) => {
    if (known.has(name)) return true;
    if (!accepts(name)) return false;
    if (known.size < MAX_REMEMBERED_NAMES) known.add(name);
    return true;
  };
}
