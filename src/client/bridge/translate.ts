/**
 * A host of the older era and a server of the newer alone: the host's messages become calls of the SDK's client, which speaks the newer
 * era. What a server asks for in rounds is asked of the host as requests; what the host subscribes to is listened for.
 */
import type { JSONRPCMessage, McpSubscription } from "@modelcontextprotocol/client";
import { anyObject, isJsonObject, type JsonObject } from "../../spec/index.ts";
import { LONGEST_TIMER_MS } from "../limits.ts";
import type { Answerers } from "../session/answering.ts";
import { explainCall } from "../session/explain.ts";
import { shake } from "../session/handshake.ts";
import type { HttpLink } from "../session/http-link.ts";
import type { Carrier, CarryOptions } from "./carry.ts";
import { answer, frameOf, type Id, ownError, type RequestFrame, refusal, rpcErrorOf } from "./frames.ts";

const MODERN = "2026-07-28";
const LEGACY = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel";

/** Of the newer era's bookkeeping, which the older does not know. */
const THEIRS = new Set([
  "notifications/progress",
  "notifications/cancelled",
  "notifications/subscriptions/acknowledged",
]);

/** Null when the server does not speak the newer era either. Answers the host's `initialize`. */
export async function translate(
  initialize: RequestFrame,
  { open, send, note, parameterHeaders }: CarryOptions,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<Carrier | null> {
  const running = new Map<Id, AbortController>();
  const asked = new Map<Id, (message: JSONRPCMessage) => void>();
  const subscriptions = new Map<string, McpSubscription>();
  const definitions = new Map<string, JsonObject>();
  let waiters: (() => void)[] = [];
  let level: string | null = null;
  let count = 0;

  async function askHost(
    method: string,
    params: object | undefined,
    signal: AbortSignal,
  ): Promise<JsonObject> {
    count += 1;
    const id = `openmcp-${count}`;
    const reply = await new Promise<JSONRPCMessage>((resolve, reject) => {
      asked.set(id, resolve);
      signal.addEventListener(
        "abort",
        () => {
          if (!asked.delete(id)) return;
          send({
            jsonrpc: "2.0",
            method: "notifications/cancelled",
            params: { requestId: id },
          } as JSONRPCMessage);
          reject(signal.reason);
        },
        { once: true },
      );
      send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) } as JSONRPCMessage);
    });
    const frame = frameOf(reply);
    if (frame.kind === "response" && frame.result !== null) return frame.result;
    const error = frame.kind === "response" ? frame.error : null;
    throw new Error(typeof error?.message === "string" ? error.message : "The host gave no answer.");
  }

  const { clientInfo, capabilities } = initialize.params;
  const offered = isJsonObject(capabilities) ? capabilities : {};
  const handlers: Answerers = {
    ...(offered.elicitation === undefined
      ? {}
      : {
          elicitation: async (params, { signal }) =>
            (await askHost("elicitation/create", params, signal)) as never,
        }),
    ...(offered.sampling === undefined
      ? {}
      : {
          sampling: async (params, { signal }) =>
            (await askHost("sampling/createMessage", params, signal)) as never,
        }),
    ...(offered.roots === undefined
      ? {}
      : { roots: async ({ signal }) => (await askHost("roots/list", undefined, signal)) as never }),
  };

  let link: HttpLink | null = null;
  let client: Awaited<ReturnType<typeof shake>>;
  try {
    link = await open({ raw: false });
    client = await shake(link, {
      info: {
        name:
          isJsonObject(clientInfo) && typeof clientInfo.name === "string"
            ? clientInfo.name
            : "openmcp-connect",
        version:
          isJsonObject(clientInfo) && typeof clientInfo.version === "string" ? clientInfo.version : "0.1",
      },
      capabilities: Object.fromEntries(
        (["elicitation", "sampling", "roots"] as const).flatMap((name) =>
          offered[name] === undefined ? [] : [[name, offered[name]]],
        ),
      ),
      handlers,
      protocolVersion: MODERN,
      signal: AbortSignal.timeout(timeoutMs),
      timeoutMs,
    });
  } catch {
    await link?.close().catch(() => undefined);
    return null;
  }
  const { label } = link;
  const held = link;
  held.onNotification = ({ method, params }) => {
    if (THEIRS.has(method)) return;
    send({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) } as JSONRPCMessage);
  };

  const wanted = initialize.params.protocolVersion;
  send(
    answer(initialize.id, {
      protocolVersion: typeof wanted === "string" && LEGACY.includes(wanted) ? wanted : (LEGACY[0] as string),
      capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,
      serverInfo: (client.getServerVersion() ?? { name: label, version: "0" }) as unknown as JsonObject,
      ...(client.getInstructions() === undefined ? {} : { instructions: client.getInstructions() as string }),
    }),
  );

  async function listen(): Promise<void> {
    const { tools, prompts, resources } = client.getServerCapabilities() ?? {};
    const filter = {
      ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    };
    if (Object.keys(filter).length === 0) return;
    await client.listen(filter).catch(() => note(`${label} tells of no changes of its lists.`));
  }

  async function serve({ id, method, params }: RequestFrame): Promise<void> {
    const stop = new AbortController();
    running.set(id, stop);
    try {
      send(answer(id, await resultOf(method, params, stop.signal)));
    } catch (error) {
      if (!stop.signal.aborted) {
        const theirs = rpcErrorOf(error);
        const ours = () =>
          explainCall(error, {
            method,
            label,
            kind: "http",
            evidence: held.evidence(),
            ended: null,
            timeoutMs,
          });
        send(refusal(id, theirs ?? ownError(ours())));
      }
    } finally {
      running.delete(id);
      if (running.size === 0) {
        for (const wake of waiters) wake();
        waiters = [];
      }
    }
  }

  async function resultOf(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const uri = typeof params.uri === "string" ? params.uri : "";
    switch (method) {
      case "ping":
        return {};
      case "logging/setLevel":
        // In the newer era each request says it.
        level = typeof params.level === "string" ? params.level : null;
        return {};
      case "resources/subscribe":
        if (!subscriptions.has(uri))
          subscriptions.set(uri, await client.listen({ resourceSubscriptions: [uri] }, { signal }));
        return {};
      case "resources/unsubscribe":
        await subscriptions.get(uri)?.close();
        subscriptions.delete(uri);
        return {};
      default:
        return forward(method, params, signal);
    }
  }

  async function forward(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { progressToken, ...meta } = isJsonObject(params._meta) ? params._meta : {};
    const _meta = { ...meta, ...(level === null ? {} : { [LOG_LEVEL_KEY]: level }) };
    const tool = method === "tools/call" ? definitions.get(String(params.name)) : undefined;
    const args = isJsonObject(params.arguments) ? params.arguments : {};
    const result = await client.request(
      {
        method,
        params: { ...params, ...(Object.keys(_meta).length === 0 ? { _meta: undefined } : { _meta }) },
      },
      anyObject,
      {
        signal,
        timeout: LONGEST_TIMER_MS,
        ...(tool === undefined ? {} : { headers: { ...parameterHeaders(tool, args) } }),
        ...(progressToken === undefined
          ? {}
          : {
              onprogress: (progress) =>
                send({
                  jsonrpc: "2.0",
                  method: "notifications/progress",
                  params: { ...progress, progressToken },
                } as unknown as JSONRPCMessage),
            }),
      },
    );
    if (method === "tools/list") {
      for (const each of Array.isArray(result.tools) ? result.tools : []) {
        if (isJsonObject(each) && typeof each.name === "string") definitions.set(each.name, each);
      }
    }
    const { resultType: _type, ttlMs: _ttl, cacheScope: _scope, ...rest } = result;
    return rest;
  }

  return {
    take(message) {
      const frame = frameOf(message);
      if (frame.kind === "request") void serve(frame);
      else if (frame.kind === "response") {
        const resolve = asked.get(frame.id);
        asked.delete(frame.id);
        resolve?.(message);
      } else if (frame.kind === "notification" && frame.method === "notifications/cancelled") {
        running.get(frame.params.requestId as Id)?.abort();
      } else if (frame.kind === "notification" && frame.method === "notifications/initialized") void listen();
    },
    async settled() {
      if (running.size > 0) await new Promise<void>((resolve) => waiters.push(resolve));
    },
    async close() {
      await held.close();
      await client.close().catch(() => undefined);
    },
  };
}
