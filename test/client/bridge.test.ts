/** A bridge when its server or its host behaves badly: nothing hangs, nothing grows, every question has its answer. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createOutbox, pacedFetch } from "../../src/client/bridge/outbox.ts";
import { bridge } from "../../src/client/index.ts";
import { verifies } from "../requirements.ts";

type Message = { readonly id?: unknown; readonly method?: string; readonly [key: string]: unknown };

/** A server of the older era, whose sessions a test takes away. */
async function startServer() {
  const sessions = new Set<string>();
  const asked: string[] = [];
  /** What each session was asked to remember. */
  const wished: string[] = [];
  const answers: Message[] = [];
  let pushes: ServerResponse | null = null;
  let greets = true;
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const session = String(request.headers["mcp-session-id"]);
    const json = (value: object, headers = {}) =>
      response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
    if (request.method === "DELETE") return void response.writeHead(200).end();
    if (request.method === "GET") {
      if (!sessions.has(session)) return void response.writeHead(404).end();
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      pushes = response;
      return;
    }
    const { id, method, params } = JSON.parse(await text(request)) as Message & {
      params?: { name?: string; uri?: string; level?: string };
    };
    asked.push(String(method));
    if (method === undefined) answers.push({ id });
    if (params?.uri !== undefined || params?.level !== undefined) {
      wished.push([session, method, params.uri ?? params.level].join(" "));
    }
    if (method === "initialize") {
      if (!greets) return void response.writeHead(200, { "content-type": "text/event-stream" }).end();
      const fresh = `session-${asked.length}`;
      sessions.add(fresh);
      const result = {
        protocolVersion: "2025-11-25",
        capabilities: {},
        serverInfo: { name: "s", version: "1" },
      };
      return void json({ jsonrpc: "2.0", id, result }, { "mcp-session-id": fresh });
    }
    if (!sessions.has(session)) return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    if (params?.name !== "hang") json({ jsonrpc: "2.0", id, result: { content: [] } });
  };
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    wished,
    answers,
    isListening: () => pushes !== null,
    forget: () => sessions.clear(),
    greet: (does: boolean) => {
      greets = does;
    },
    breakPushes: () => void pushes?.destroy(),
    push: (message: object) =>
      void pushes?.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function startHost(url: string) {
  const input = new TransformStream<Uint8Array, Uint8Array>();
  const output = new TransformStream<Uint8Array, Uint8Array>();
  const writer = input.writable.getWriter();
  const stop = new AbortController();
  const notes: string[] = [];
  const heard: Message[] = [];
  const ended = bridge({ readable: input.readable, writable: output.writable }, url, {
    signal: stop.signal,
    onNote: (note) => void notes.push(note),
  });
  const reading = (async () => {
    let rest = "";
    for await (const part of output.readable.pipeThrough(new TextDecoderStream() as never)) {
      const lines = (rest + String(part)).split("\n");
      rest = lines.pop() ?? "";
      heard.push(...lines.map((line) => JSON.parse(line) as Message));
    }
  })();
  return {
    notes,
    heard,
    write: (line: string) => writer.write(new TextEncoder().encode(line)),
    say: (message: object) =>
      writer.write(new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)),
    answer: (id: unknown) =>
      vi.waitFor(() => {
        const found = heard.find((message) => message.id === id);
        if (found === undefined) throw new Error(`no answer to ${String(id)}`);
        return found;
      }),
    async stop() {
      stop.abort();
      await ended;
      await reading;
    },
  };
}

let server: Awaited<ReturnType<typeof startServer>>;
let host: ReturnType<typeof startHost>;
beforeEach(async () => {
  server = await startServer();
  host = startHost(server.url);
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "h", version: "1" } };
  await host.say({ id: 1, method: "initialize", params });
  await host.answer(1);
  await host.say({ method: "notifications/initialized" });
  await vi.waitFor(() => expect(server.isListening()).toBe(true));
});
afterEach(async () => {
  await host.stop();
  await server[Symbol.asyncDispose]();
});
const call = (id: unknown, name = "any") => host.say({ id, method: "tools/call", params: { name } });

it(
  "answers a call whose session is gone and begun by nobody, and goes on when it is",
  verifies("bridge.session"),
  async () => {
    server.forget();
    server.greet(false);
    await call(2);
    expect(await host.answer(2)).toMatchObject({ error: { data: { stage: "session-lost" } } });
    server.greet(true);
    await call(3);
    expect(await host.answer(3)).toMatchObject({ result: { content: [] } });
  },
);

it("begins a session anew that was forgotten while nobody asked", verifies("bridge.session"), async () => {
  server.forget();
  server.breakPushes();
  await vi.waitFor(() => expect(server.asked.filter((method) => method === "initialize")).toHaveLength(2), {
    timeout: 8_000,
  });
  await vi.waitFor(() => {
    server.push({ method: "notifications/tools/list_changed" });
    expect(host.heard.some(({ method }) => method === "notifications/tools/list_changed")).toBe(true);
  });
  expect(host.heard.filter(({ id }) => id !== undefined).map(({ id }) => id)).toEqual([1]);
});

it(
  "asks a session begun anew for what the host had asked of the last",
  verifies("bridge.session"),
  async () => {
    const ask = async (id: number, method: string, params: object) => {
      await host.say({ id, method, params });
      await host.answer(id);
    };
    await ask(2, "logging/setLevel", { level: "debug" });
    await ask(3, "resources/subscribe", { uri: "a:1" });
    await ask(4, "resources/subscribe", { uri: "a:2" });
    await ask(5, "resources/unsubscribe", { uri: "a:1" });
    const [before = ""] = (server.wished[0] ?? "").split(" ");
    const asked = server.wished.length;
    server.forget();
    await call(6);
    expect(await host.answer(6)).toMatchObject({ result: { content: [] } });
    const again = server.wished.slice(asked).map((line) => line.split(" "));
    expect(again.map(([, ...words]) => words.join(" ")).sort()).toEqual([
      "logging/setLevel debug",
      "resources/subscribe a:2",
    ]);
    expect(again.map(([session]) => session)).not.toContain(before);
    expect(host.heard.filter(({ id }) => String(id).startsWith("openmcp-"))).toEqual([]);
  },
);

it("answers a message that is too long, and goes on", verifies("bridge.bounded"), async () => {
  const long = "x".repeat(1024 * 1024);
  const tooLong = async (begin: string, end: string) => {
    await host.write(begin);
    for (let at = 0; at < 11; at += 1) await host.write(long);
    await host.write(end);
  };
  await tooLong('{"method":"tools/call","params":{"id":7,"name":"\\"', '"},"jsonrpc":"2.0","id":"two"}\n');
  expect(await host.answer("two")).toMatchObject({ error: { message: expect.stringContaining("10 MiB") } });
  await tooLong('{"jsonrpc":"2.0","id":9,"result":{"content":["', '"]}}\n');
  await vi.waitFor(() => expect(server.answers).toEqual([{ id: 9 }]));
  await tooLong('{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"', '"}}\n');
  await call(3);
  expect(await host.answer(3)).toMatchObject({ result: {} });
  expect(host.notes.join()).toContain("over 10 MiB");
});

it("answers what is under way when it is ended", verifies("bridge.session"), async () => {
  await call(2, "hang");
  await vi.waitFor(() => expect(server.asked).toContain("tools/call"));
  await host.stop();
  expect(await host.answer(2)).toMatchObject({ error: { data: { stage: "closed" } } });
});

it("passes over what is no message, and says so", verifies("bridge.stdio"), async () => {
  await host.write('no JSON\n42\r\n\n{}\n{"jsonrpc":"2.0","id":null,"method":"x"}\n');
  await call(2);
  expect(await host.answer(2)).toMatchObject({ result: {} });
  expect(host.notes.join()).toContain('"no JSON", which is no message');
});

it("reads no more of a server than its host takes", verifies("bridge.bounded"), async () => {
  const gate = Promise.withResolvers<void>();
  const written: unknown[] = [];
  const outbox = createOutbox(
    async (message) => {
      await gate.promise;
      written.push((message as Message).id);
    },
    { maxBytes: 100, onLost: () => undefined },
  );
  let pulled = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      if (pulled > 50) controller.close();
      else controller.enqueue(new Uint8Array([pulled]));
    },
  });
  const response = await pacedFetch(async () => new Response(body), outbox.room)("http://a.example/");
  outbox.put({ jsonrpc: "2.0", id: 1, method: "x".repeat(200) });
  const reading = new Response(response.body).bytes();
  expect(await outbox.drained(20)).toBe(false);
  expect(pulled).toBeLessThan(5);
  gate.resolve();
  expect(await reading).toHaveLength(50);
  expect([await outbox.drained(1_000), written]).toEqual([true, [1]]);
});
