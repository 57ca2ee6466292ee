/**
 * One REST exchange with a catalog: builds the request, bounds the answer, turns failures into `OpenMcpError`.
 * Knows where the API is: under the base's `/v1`, or, when nothing catalog-like answers there, where the catalog's own
 * descriptor says (`catalog.api`, OpenMCP 0.1 "The catalog"). Never retries what may have run.
 */
import {
  describe,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseDescriptor,
  trimEndOf,
  withExactNumbers,
} from "../spec/index.ts";
import { boundedText } from "./bounded-text.ts";
import { deadline } from "./deadline.ts";
import { MAX_BODY_BYTES, READ_TIMEOUT_MS, RELAY_TIMEOUT_MS } from "./limits.ts";
import { type Answer, type Asked, errorFromAnswer, foreignAnswer, isCatalogAnswer } from "./problem.ts";
import type { ClientSettings, RequestOptions } from "./settings.ts";
import { catalogUnreachable } from "./unreachable.ts";

export interface RestRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Under the API's base, with its leading slash, already encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: JsonValue;
  readonly asked: Asked;
}

export interface RestAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

export type AskRest = (request: RestRequest, options?: RequestOptions) => Promise<RestAnswer>;

/** A read whose answer is a stream; the body is open, its time and size are the caller's to bound. */
export type OpenRest = (
  request: Pick<RestRequest, "path" | "query"> & {
    readonly type: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
  signal: AbortSignal,
) => Promise<Response>;

export interface RestClient {
  readonly ask: AskRest;
  readonly open: OpenRest;
}

/** Makes the functions that all REST methods share. They remember where the API was found. */
export function createRestClient(settings: ClientSettings): RestClient {
  let api = `${settings.base}/v1`;
  let looked = false;

  function send(
    url: string,
    request: Omit<RestRequest, "path" | "asked"> & { readonly headers: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<Response> {
    const sameOrigin = new URL(url).origin === new URL(settings.base).origin;
    return settings.fetch(url, {
      method: request.method,
      headers: {
        ...request.headers,
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...(settings.token !== undefined && sameOrigin ? { authorization: `Bearer ${settings.token}` } : {}),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      // What a body carries (a relay's credential, a registration) goes to no other place than the one named.
      redirect: request.method === "GET" ? "follow" : "manual",
      signal,
    });
  }

  async function exchange(
    url: string,
    request: Omit<RestRequest, "path">,
    signal: AbortSignal,
  ): Promise<Answer> {
    return answerOf(await send(url, { ...request, headers: { accept: JSON_TYPES } }, signal), url);
  }

  /** Looks once for another place of the API; true when there is one. */
  async function relocate(signal: AbortSignal): Promise<boolean> {
    if (looked) return false;
    looked = true;
    const url = `${new URL(settings.base).origin}/.well-known/openmcp.json`;
    const answer = await exchange(url, { method: "GET", asked: "read" }, signal);
    const reading = answer.status === 200 ? parseDescriptor(answer.text, answer.url) : null;
    if (reading === null || !reading.ok || !isJsonObject(reading.descriptor.catalog)) return false;
    // `describe` keeps only http(s) URLs of the keys it knows; the API's is read by the same rule.
    const stated = describe(
      { mcp: reading.endpoint, url: reading.descriptor.catalog.api ?? null },
      answer.url,
    ).url;
    const found = stated === null ? null : trimEndOf(stated, "/");
    if (found === null || found === api) return false;
    api = found;
    return true;
  }

  async function ask(request: RestRequest, options: RequestOptions = {}): Promise<RestAnswer> {
    const slow = request.asked === "call" || request.asked === "register";
    const limit = deadline(settings, { ...options, defaultMs: slow ? RELAY_TIMEOUT_MS : READ_TIMEOUT_MS });
    try {
      let answer = await exchange(address(api, request), request, limit.signal);
      if (answer.status === 404 && !isCatalogAnswer(answer) && (await relocate(limit.signal))) {
        answer = await exchange(address(api, request), request, limit.signal);
      }
      if (answer.status < 200 || answer.status > 299) throw errorFromAnswer(answer, request.asked);
      if (!isJsonObject(answer.json)) throw foreignAnswer(answer);
      const body = settings.exactNumbers ? withExactNumbers(answer.text, answer.json) : answer.json;
      return { status: answer.status, body };
    } catch (error) {
      throw limit.explain(error, (cause) => catalogUnreachable(settings.base, cause));
    }
  }

  const open: OpenRest = async (request, signal) => {
    const headers = { ...request.headers, accept: `${request.type}, application/problem+json` };
    const url = address(api, request);
    const response = await send(url, { method: "GET", headers }, signal);
    if (response.ok && (response.headers.get("content-type") ?? "").startsWith(request.type)) return response;
    const answer = await answerOf(response, url);
    if (answer.status === 404 && !isCatalogAnswer(answer) && (await relocate(signal))) {
      return open(request, signal);
    }
    throw response.ok ? foreignAnswer(answer) : errorFromAnswer(answer, "read");
  };

  return { ask, open };
}

const JSON_TYPES = "application/json, application/problem+json";

async function answerOf(response: Response, url: string): Promise<Answer> {
  const text = await boundedText(response, MAX_BODY_BYTES);
  return {
    status: response.status,
    header: (name) => response.headers.get(name),
    text,
    json: parse(text),
    url: response.url || url,
  };
}

function address(api: string, request: Pick<RestRequest, "path" | "query">): string {
  const url = new URL(`${api}${request.path}`);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
