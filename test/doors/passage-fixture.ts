/** The passage door over a catalog with a clock that is moved by hand; and servers that answer as a test says, byte by byte. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { passageDoor } from "../../src/doors/passage/index.ts";
import type { ClientOf } from "../../src/http/index.ts";
import type { BudgetRules } from "../../src/spec/index.ts";
import { createManualClock, type ManualClock } from "../../src/testing/index.ts";
import { type CatalogFixture, NOW, openCatalog } from "./catalog-fixture.ts";

export const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

export interface PassageFixture extends AsyncDisposable {
  readonly catalog: CatalogFixture;
  readonly clock: ManualClock;
  readonly door: ReturnType<typeof passageDoor>;
  /** Lists an endpoint without asking it; gives the relay's id. */
  list(endpoint: string): Promise<string>;
  /** A request to the passage of a relay; POST of a ping unless `init` says otherwise. */
  send(id: string, init?: RequestInit, env?: object): Promise<Response>;
}

export async function openPassages(
  options: { readonly budgets?: BudgetRules; readonly clientOf?: ClientOf } = {},
): Promise<PassageFixture> {
  const catalog = await openCatalog();
  const clock = createManualClock(NOW);
  const { budgets, clientOf } = options;
  const context = { ...catalog.context, clock, ...(budgets === undefined ? {} : { budgets }) };
  const door = passageDoor({ context, ...(clientOf === undefined ? {} : { clientOf }) });
  return {
    catalog,
    clock,
    door,
    list: async (endpoint) => (await catalog.list(endpoint)).id,
    async send(id, init = {}, env) {
      const post = (init.method ?? "POST") === "POST";
      const headers = {
        host: "127.0.0.1:8790",
        ...(post ? { "content-type": "application/json" } : {}),
        ...(init.method === "GET" ? { accept: "text/event-stream" } : {}),
        ...(init.headers as Record<string, string>),
      };
      const url = `http://127.0.0.1:8790/v1/relays/${id}/mcp`;
      const body = post ? { body: PING } : {};
      return door.fetch(new Request(url, { method: "POST", ...body, ...init, headers }), env);
    },
    async [Symbol.asyncDispose]() {
      await door.close();
      await catalog[Symbol.asyncDispose]();
    },
  };
}

export interface Scripted extends AsyncDisposable {
  readonly url: string;
  readonly origin: string;
}

/** A server that answers by hand. */
export async function scripted(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  host = "127.0.0.1",
): Promise<Scripted> {
  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A server that writes these bytes to whoever sends it some. */
export async function raw(bytes: string): Promise<Scripted> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end(Buffer.from(bytes, "latin1")));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
