/**
 * Sentences for people: what one exchange with a relay shows, and what to do about it. Every text of a relay that goes into
 * one is cut and cleaned (`quotable`); no header that was sent, and so no credential, is ever quoted. Pure.
 */
import type { ProbeState } from "../spec/index.ts";
import type { Answer } from "./answer.ts";
import { rpcCode } from "./protocol.ts";
import { quotable } from "./quotable.ts";
import { type Exchanged, stepName } from "./step.ts";
import { redirectTarget } from "./within-origin.ts";

export interface Explanation {
  readonly state: Exclude<ProbeState, "online">;
  readonly sentence: string;
}

/** Why this exchange is not the answer that was wanted. */
export function explain(exchanged: Exchanged): Explanation {
  const { status, answer } = exchanged;
  const asked = stepName(exchanged.step);
  if (answer.kind === "endpoint-event") {
    return {
      state: "wrong-transport",
      sentence:
        "It speaks the retired HTTP+SSE transport of 2024-11-05: serve Streamable HTTP, in most frameworks a setting, and register that URL.",
    };
  }
  if (status === 401 || status === 403) return { state: "auth-required", sentence: refusal(exchanged) };
  switch (answer.kind) {
    case "failed":
      return failure(answer, asked);
    case "error":
      if (answer.error.code === rpcCode.methodNotFound && asked !== "tools/list") {
        return {
          state: "not-mcp",
          sentence: `It speaks JSON-RPC but does not know ${asked}: check that the URL is an MCP endpoint.`,
        };
      }
      return {
        state: "protocol-error",
        sentence: `It answers ${asked} with the error ${answer.error.code}${quoted(answer.error.message)}.`,
      };
    case "mismatch":
      return {
        state: "protocol-error",
        sentence: `It answers ${asked}, but not with the id of the request: the server must send the id back as it came.`,
      };
    case "odd-result":
      return {
        state: "protocol-error",
        sentence: `Its answer to ${asked} has a result that is no object: every result in MCP is one.`,
      };
    case "result":
      return {
        state: "protocol-error",
        sentence: `Its answer to ${asked} holds no list of tools: the result needs an array named "tools".`,
      };
    case "stream-ended":
      return {
        state: "protocol-error",
        sentence: `Its event stream ended before the answer to ${asked}: the server, or a proxy before it, closes the stream too early.`,
      };
    case "bad-json":
      return {
        state: "protocol-error",
        sentence: `Its answer to ${asked} says it is JSON and can't be parsed.`,
      };
    case "too-deep":
      return { state: "protocol-error", sentence: `Its answer to ${asked} is nested too deep to be read.` };
    default:
      return plainHttp(exchanged);
  }
}

/** How to get in, as far as the relay says. */
export function refusal({ status }: Exchanged): string {
  return status === 401
    ? "It wants a credential (HTTP 401) before it says anything: to be listed without one, serve a descriptor at /.well-known/openmcp.json."
    : "It refuses to answer (HTTP 403): a credential may help, or the server keeps strangers out; to be listed, serve a descriptor at /.well-known/openmcp.json.";
}

function failure({ code, reason, message }: Extract<Answer, { kind: "failed" }>, asked: string): Explanation {
  switch (code) {
    case "blocked":
      return { state: "blocked", sentence: told(message, "the network policy refuses this address") };
    case "timeout":
      return {
        state: "timeout",
        sentence: `It did not answer ${asked} in time: it is slow, asleep or hanging; try again later.`,
      };
    case "tls-failed":
      return {
        state: "unreachable",
        sentence: `${told(message, "its certificate does not verify")} Renew it, or serve the whole chain.`,
      };
    case "too-large":
      return {
        state: "protocol-error",
        sentence: `Its answer to ${asked} is larger than is read${asked === "tools/list" ? ": serve the list in smaller pages" : ""}.`,
      };
    case "too-many-redirects":
      return {
        state: "not-mcp",
        sentence: "It redirects again and again: register the URL where that ends.",
      };
    case "unreachable":
      return {
        state: reason === "not-http" ? "not-mcp" : "unreachable",
        sentence: told(message, "no connection comes about, or it broke off"),
      };
    default:
      return { state: "protocol-error", sentence: `Its answer to ${asked} could not be read.` };
  }
}

/** The network's own words as a sentence. */
function told(message: string | undefined, otherwise: string): string {
  const text = quotable(message ?? otherwise);
  const start = /^\w+:\/\//.test(text) ? text.charAt(0) : text.charAt(0).toUpperCase();
  return `${start}${text.slice(1)}${/[.!…]$/.test(text) ? "" : "."}`;
}

/** An answer over HTTP without a word of JSON-RPC in it. */
function plainHttp(exchanged: Exchanged): Explanation {
  const { status, headers, answer } = exchanged;
  if (status === 429) {
    return {
      state: "unreachable",
      sentence: `It limits requests (HTTP 429)${wait(headers["retry-after"])}.`,
    };
  }
  if (status !== null && (status >= 502 || status === 500)) {
    return status === 500
      ? { state: "protocol-error", sentence: "It fails (HTTP 500) when asked: look at the server's log." }
      : {
          state: "unreachable",
          sentence: `Whatever stands before it answers HTTP ${status}: the server behind is down or overloaded.`,
        };
  }
  if (status !== null && status >= 300 && status < 400)
    return { state: "not-mcp", sentence: redirect(exchanged) };
  if (status === 404 || status === 410) {
    return {
      state: "not-mcp",
      sentence: `There is nothing at this path (HTTP ${status}): give the URL of the MCP endpoint, often …/mcp.`,
    };
  }
  const what = {
    html: "with a web page",
    "other-json": "with JSON that is no JSON-RPC",
    text: answer.kind === "text" && answer.sample !== "" ? `with text${quoted(answer.sample)}` : "with text",
  }[answer.kind as "html" | "other-json" | "text"];
  return {
    state: "not-mcp",
    sentence: `It answers${status === null ? "" : ` HTTP ${status}`} ${what ?? "with nothing"}, not MCP: give the URL of the MCP endpoint, often …/mcp.`,
  };
}

function redirect(exchanged: Exchanged): string {
  const { status } = exchanged;
  const target = redirectTarget(exchanged);
  const where = target === null ? "" : ` to ${quotable(target.href)}`;
  const why =
    status === 307 || status === 308
      ? "and calls go to no other origin than the one that is listed: register that URL"
      : "which a POST does not follow: register the URL where that leads";
  return `It redirects${where} (HTTP ${status}), ${why}.`;
}

function wait(retryAfter: string | undefined): string {
  return retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter)
    ? `: try again in ${retryAfter} s`
    : ": try again later";
}

function quoted(text: string): string {
  const clean = quotable(text);
  return clean === "" ? "" : `, “${clean}”`;
}
