/**
 * A relay under node:http, Express and Fastify: their request and response objects in place of `Request` and `Response`. What a
 * framework did before is respected: a body that it parsed, a prefix that it took off the URL.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Kit } from "../options.ts";

/** What Express adds to a request. */
interface Framed extends IncomingMessage {
  readonly originalUrl?: string;
  readonly body?: unknown;
}

/** The third argument is a parsed body, or Express's `next`, which is called for what is no part of the relay. */
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse, bodyOrNext?: unknown) => void;

/**
 * The relay as a handler of Node's own requests.
 * @example
 * ```ts
 * import express from "express";
 * import { server } from "openmcp/kit";
 * import { nodeHandler } from "openmcp/kit/node";
 *
 * const kit = server("greet", "1.0.0").tool("hello", {}, () => "Hello!").serve();
 * express().use("/tools", nodeHandler(kit));
 * ```
 * @example
 * ```ts
 * import { fastify } from "fastify";
 * import { server } from "openmcp/kit";
 * import { nodeHandler } from "openmcp/kit/node";
 *
 * const handle = nodeHandler(server("greet", "1.0.0").tool("hello", {}, () => "Hello!").serve());
 * fastify().all("/tools/*", (request, reply) => {
 *   reply.hijack();
 *   handle(request.raw, reply.raw, request.body);
 * });
 * ```
 */
export function nodeHandler(kit: Pick<Kit, "fetch" | "serves">): NodeHandler {
  const bodies = new WeakMap<IncomingMessage, unknown>();
  const listener = getRequestListener((request, env) => {
    const parsedBody = bodies.get(env.incoming as IncomingMessage);
    return kit.fetch(request, { parsedBody });
  });
  return (incoming: Framed, outgoing, bodyOrNext) => {
    // Express takes the mount's path off; the documents need it.
    const target = incoming.originalUrl ?? incoming.url ?? "/";
    const next = typeof bodyOrNext === "function" ? (bodyOrNext as () => void) : null;
    if (next !== null && !kit.serves(target.split("?", 1)[0] ?? "/")) return next();
    incoming.url = target;
    const parsed = next === null ? (bodyOrNext ?? incoming.body) : incoming.body;
    if (parsed !== undefined && parsed !== null) bodies.set(incoming, parsed);
    void listener(incoming, outgoing);
  };
}
