/**
 * From an HTTP answer that is no success to an `OpenMcpError`. Pure. Reads our problem documents (RFC 9457 with `code`),
 * the plain `{ok: false, error}` of other OpenMCP 0.1 catalogs, and tells both from a page that some other server sent.
 */
import { type ErrorCode, errorCodes, isJsonObject, type JsonObject, OpenMcpError } from "../spec/index.ts";
import { EXCERPT_CHARS } from "./limits.ts";

export interface Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly header: (name: string) => string | null;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  /** The URL that answered. */
  readonly url: string;
}

/** What was asked: the same status means other things for a call than for a reading. */
export type Asked = "read" | "call" | "register" | "admin";

const ENVELOPE = new Set(["type", "title", "status", "detail", "instance", "code", "ok", "error"]);

/** True when the answer can be a catalog's, whatever its status. */
export function isCatalogAnswer(answer: Answer): boolean {
  return isJsonObject(answer.json);
}

/** The error that an answer with a status outside 200 to 299 stands for. */
export function errorFromAnswer(answer: Answer, asked: Asked): OpenMcpError {
  const { status, json } = answer;
  if (status >= 300 && status < 400) {
    const location = answer.header("location");
    const to =
      location !== null && URL.canParse(location, answer.url) ? new URL(location, answer.url).origin : null;
    return new OpenMcpError(
      "catalog-answer",
      to === null
        ? `${originOf(answer.url)} redirects instead of answering. Check the catalog's URL.`
        : `${originOf(answer.url)} redirects to ${to}. Name that URL as the catalog.`,
      { data: { status } },
    );
  }
  if (!isJsonObject(json) || !saysError(json)) return foreignAnswer(answer);
  const message = sentence(json) ?? `The catalog answered ${status} without a reason.`;
  const known = errorCodes.find((code) => code === json.code);
  return new OpenMcpError(known ?? codeOf(status, asked), message, { data: detailOf(answer, json) });
}

/** The error for an answer of success that is not JSON. */
export function foreignAnswer(answer: Answer): OpenMcpError {
  const origin = originOf(answer.url);
  if (answer.status === 502 || answer.status === 503 || answer.status === 504) {
    return new OpenMcpError(
      "catalog-unreachable",
      `Something in front of ${origin} answered ${answer.status}: the catalog behind it is not there now. Try again later.`,
      { data: { status: answer.status } },
    );
  }
  const kind = /^\s*</.test(answer.text)
    ? "an HTML page"
    : answer.text.trim() === ""
      ? "nothing"
      : "something else";
  return new OpenMcpError(
    "catalog-answer",
    `${origin} answers (${answer.status}), but with ${kind}, not as an OpenMCP catalog. Check the catalog's URL.`,
    { data: { status: answer.status, excerpt: answer.text.slice(0, EXCERPT_CHARS) } },
  );
}

function saysError(json: JsonObject): boolean {
  return sentence(json) !== null || json.ok === false || typeof json.code === "string";
}

function sentence(json: JsonObject): string | null {
  for (const value of [json.detail, json.error, json.message, json.title]) {
    if (typeof value === "string" && value.trim() !== "") return value;
    if (isJsonObject(value) && typeof value.message === "string") return value.message;
  }
  return null;
}

function detailOf(answer: Answer, json: JsonObject): Record<string, unknown> {
  const extensions = Object.entries(json).filter(([key]) => !ENVELOPE.has(key));
  const after = answer.header("retry-after");
  const seconds = after !== null && /^\d+$/.test(after.trim()) ? Number(after) : null;
  return {
    ...(seconds === null ? {} : { retryAfterSeconds: seconds }),
    ...Object.fromEntries(extensions),
    status: answer.status,
  };
}

/** For catalogs that give no code. */
function codeOf(status: number, asked: Asked): ErrorCode {
  switch (status) {
    case 401:
      return "unauthorized";
    case 403:
      return "forbidden";
    case 404:
      return "not-found";
    case 405:
      return "method-not-allowed";
    case 409:
      return "conflict";
    case 410:
      return "gone";
    case 413:
      return "too-large";
    case 415:
      return "unsupported-media-type";
    case 422:
      return asked === "register" ? "not-listed" : asked === "call" ? "relay-error" : "invalid-input";
    case 429:
      return "rate-limited";
    case 502:
      return asked === "read" || asked === "admin" ? "unavailable" : "relay-unreachable";
    case 503:
      return "unavailable";
    case 504:
      return asked === "read" || asked === "admin" ? "unavailable" : "relay-timeout";
    default:
      return status >= 400 && status < 500 ? "invalid-input" : "internal";
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
