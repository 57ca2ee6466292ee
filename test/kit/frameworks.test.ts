/** A relay mounted in Hono, Express and Fastify under a prefix, over real sockets: both eras, and the prefix in every document. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ServerType, serve as serveHono } from "@hono/node-server";
import express from "express";
import { fastify } from "fastify";
import { Hono } from "hono";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Kit, server } from "../../src/kit/index.ts";
import { nodeHandler } from "../../src/kit/node/index.ts";
import { verifies } from "../requirements.ts";
import { askModern, clientNames, message, officialClients } from "./kit-fixture.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const greet = (): Kit =>
  server("greet", "1.0.0")
    .tool("greet", { input: z.object({ name: z.string() }) }, ({ name }) => `Hello, ${name}!`)
    .serve();

/** Each gives the application's origin. */
const frameworks: Readonly<Record<string, (kit: Kit) => Promise<string>>> = {
  async Hono(kit) {
    const app = new Hono();
    app.all("/tools/*", (c) => kit.fetch(c.req.raw));
    app.get("/own", (c) => c.text("own"));
    const listening = Promise.withResolvers<AddressInfo>();
    const socket: ServerType = serveHono(
      { fetch: app.fetch, port: 0, hostname: "127.0.0.1" },
      listening.resolve,
    );
    closing.push(() => new Promise((resolve) => socket.close(resolve)));
    return `http://127.0.0.1:${(await listening.promise).port}`;
  },
  async Express(kit) {
    const app = express();
    app.use("/tools", nodeHandler(kit));
    app.get("/own", (_request, response) => void response.send("own"));
    return listening(createServer(app));
  },
  async "Express with its body parser"(kit) {
    const app = express();
    app.use(express.json());
    app.use("/tools", nodeHandler(kit));
    app.use("/tools", (_request, response) => void response.status(404).send("the application's own"));
    app.get("/own", (_request, response) => void response.send("own"));
    return listening(createServer(app));
  },
  async Fastify(kit) {
    const app = fastify({ forceCloseConnections: true });
    const handle = nodeHandler(kit);
    app.all("/tools/*", (request, reply) => {
      reply.hijack();
      handle(request.raw, reply.raw, request.body);
    });
    app.get("/own", async () => "own");
    closing.push(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" });
  },
  async "node:http"(kit) {
    const handle = nodeHandler(kit);
    return listening(
      createServer((incoming, outgoing) =>
        incoming.url === "/own" ? outgoing.end("own") : handle(incoming, outgoing),
      ),
    );
  },
};

async function listening(socket: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => {
    socket.listen(0, "127.0.0.1", resolve);
  });
  closing.push(() => {
    socket.closeAllConnections();
    return new Promise((resolve) => socket.close(resolve));
  });
  return `http://127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

describe.each(Object.keys(frameworks))("%s", (name) => {
  it(
    "serves it under a prefix, to clients of both eras",
    verifies("kit.mounts", "kit.both-eras"),
    async () => {
      const kit = greet();
      const origin = await (frameworks[name] as (kit: Kit) => Promise<string>)(kit);
      closing.push(() => kit.close());
      const url = `${origin}/tools/mcp`;
      for (const client of clientNames) {
        await using caller = await officialClients[client](url);
        const answer = await caller.client.callTool({ name: "greet", arguments: { name: "Bo" } });
        expect([client, answer.content[0].text]).toEqual([client, "Hello, Bo!"]);
      }
      const get = async (path: string) => (await fetch(origin + path)).json() as Promise<never>;
      expect(((await get("/tools/.well-known/openmcp.json")) as { mcp: string }).mcp).toBe(url);
      const { servers, paths } = (await get("/tools/mcp/openapi.json")) as { servers: object; paths: object };
      expect([servers, Object.keys(paths)]).toEqual([[{ url: "/tools" }], ["/mcp/tools/greet"]]);
      expect(await (await fetch(`${origin}/own`)).text()).toBe("own");
      const bare = await fetch(url, { method: "POST" });
      expect([bare.status, (await message(bare)).jsonrpc]).toEqual([400, "2.0"]);
      expect((await fetch(`${origin}/tools/nothing`)).status).toBe(404);
      const big = await askModern(url, {
        method: "tools/call",
        params: { name: "greet", arguments: { name: "x".repeat(50_000) } },
      });
      expect((await message(big)).result.content[0].text).toHaveLength(50_008);
    },
  );
});
