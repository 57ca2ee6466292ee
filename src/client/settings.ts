/**
 * What a client is made with, and how a catalog's base URL is read.
 * One place, so that both transports see the same settings.
 */
import { OpenMcpError, trimEndOf } from "../spec/index.ts";

/** The shape of `fetch` that the client needs. */
export type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>;

export interface CatalogClientOptions {
  /** The catalog's admin token; only for `remove` and other admin work. Sent to the catalog's origin only. */
  readonly token?: string;
  /** Default `rest`. */
  readonly transport?: "rest" | "mcp";
  /** Default `globalThis.fetch`. */
  readonly fetch?: Fetch;
  /** Ends everything this client does. */
  readonly signal?: AbortSignal;
  /**
   * Over REST: numbers that JavaScript would spell otherwise (more digits than a double has, `1.0`) come as `JSON.rawJSON`
   * objects, which `JSON.stringify` writes as they were. For passing answers on; to reckon with them, leave it out.
   */
  readonly exactNumbers?: boolean;
  /** Milliseconds for every request; default 30 s, 90 s where the catalog waits for a relay. */
  readonly timeoutMs?: number;
}

/** For one request. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds, the body included. */
  readonly timeoutMs?: number;
}

/** Resolved settings, shared by the transports. */
export interface ClientSettings {
  /** Without a trailing slash; may have a path. */
  readonly base: string;
  readonly token: string | undefined;
  readonly fetch: Fetch;
  /** Aborted when the client closes or its own signal fires. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number | undefined;
  readonly exactNumbers: boolean;
}

/**
 * The base of a catalog from what a person gives: its site, its `/v1` or its `/mcp`. A missing scheme is `http` for
 * loopback, else `https`.
 * @throws OpenMcpError `invalid-input` when it is no http or https URL, or carries credentials.
 */
export function readBase(given: string): string {
  const text = given.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `${/^(localhost|127\.|\[::1\])/i.test(text) ? "http" : "https"}://${text}`;
  const url = text !== "" && URL.canParse(full) ? new URL(full) : null;
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw invalid(`A catalog is an http or https URL such as http://127.0.0.1:8790, not "${given}".`);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid("Leave credentials out of the catalog's URL; give the admin token as `token`.");
  }
  const path = trimEndOf(trimEndOf(url.pathname, "/").replace(/\/(v1|mcp)$/, ""), "/");
  return `${url.origin}${path}`;
}

function invalid(message: string): OpenMcpError {
  return new OpenMcpError("invalid-input", message, { data: { field: "catalog" } });
}
