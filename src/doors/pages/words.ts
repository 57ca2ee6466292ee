/** The closed values of a record as words for people, in one place, so that every page says the same. */
import type { AuthFilter, EraFilter, EventName, ProbeState } from "../../spec/index.ts";

export const authWords: Readonly<Record<AuthFilter, string>> = {
  none: "None needed",
  "api-key": "API key",
  bearer: "Bearer token",
  oauth: "OAuth",
  unknown: "Not stated",
};

export const eraWords: Readonly<Record<EraFilter, string>> = {
  modern: "2026-07-28 and later",
  legacy: "Earlier revisions",
  unknown: "Not known",
};

export const eventWords: Readonly<Record<EventName, string>> = {
  "relay.registered": "Listed",
  "relay.updated": "Changed",
  "relay.online": "Came online",
  "relay.offline": "Went offline",
  "relay.removed": "Removed",
};

export interface StateWords {
  readonly word: string;
  /** Why it is not online, for whoever wants to use it; "" when it is. */
  readonly why: string;
  /** What its operator can do. */
  readonly cure: string;
}

export const stateWords: Readonly<Record<ProbeState, StateWords>> = {
  online: { word: "Online", why: "", cure: "" },
  "auth-required": {
    word: "Needs a credential",
    why: "It answers, but lets nobody list its tools without a credential, and this catalog has none.",
    cure: "Use it with a credential of your own. If you run it: answer tools/list without one, and it shows as online; or name the tools in a descriptor, so that people see what it can do.",
  },
  "not-mcp": {
    word: "Not MCP",
    why: "Something answers at this URL, and it is not an MCP server.",
    cure: "If you run it: check that the URL includes the path of the MCP endpoint (often /mcp), and that no login page, proxy or error page answers in its place.",
  },
  "wrong-transport": {
    word: "Another transport",
    why: "It speaks MCP over HTTP with SSE, which the protocol has given up, or over something that no client of today asks.",
    cure: "If you run it: serve Streamable HTTP at this URL; every current SDK does.",
  },
  "protocol-error": {
    word: "Protocol error",
    why: "It speaks MCP, and broke off or answered an error while it was asked for its tools.",
    cure: "If you run it: the sentence above is the answer it gave. Ask it with openmcp probe and look at its log for the same time.",
  },
  timeout: {
    word: "No answer in time",
    why: "The connection was made, and no answer came within the time of a look.",
    cure: "If you run it: see whether it hangs or starts up slowly. Servers that sleep are looked at again soon after.",
  },
  unreachable: {
    word: "Unreachable",
    why: "No connection: the name does not resolve, nothing listens there, or the certificate does not verify.",
    cure: "If you run it: check that it is up, the DNS entry, the port in its firewall, and the TLS certificate with its whole chain.",
  },
  blocked: {
    word: "Address not allowed",
    why: "This catalog does not call its address: one of a private network or of the machine itself, or a port that belongs to other services.",
    cure: "If you run it: give it a public address, and port 80, 443 or one from 1024 up. If you run this catalog: --allow-network lets it look at addresses of yours.",
  },
};
