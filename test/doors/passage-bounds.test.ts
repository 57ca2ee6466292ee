/** What a hostile relay, a slow reader and a crowd can take of a catalog through its passages: as much as it is given. */
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { createAdaptorServer } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations, runOperation } from "../../src/catalog/index.ts";
import { createExchange } from "../../src/net/index.ts";
import { passThrough } from "../../src/relay/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { openPassages, type PassageFixture, PING, type Scripted, scripted } from "./passage-fixture.ts";
import { expectProblem } from "./rest-fixture.ts";

const MEBIBYTE = 1024 * 1024;

let passages: PassageFixture;
beforeAll(async () => {
  passages = await openPassages();
});
afterAll(() => passages[Symbol.asyncDispose]());

/** Events without an end; tells when its reader is gone, and how much it got rid of. */
async function endless(): Promise<Scripted & { readonly left: Promise<number> }> {
  const left = Promise.withResolvers<number>();
  const event = Buffer.from(`data: ${"x".repeat(64 * 1024)}\n\n`);
  const server = await scripted((_request, response) => {
    let bytes = 0;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const write = (): void => {
      while (!response.destroyed && response.write(event)) bytes += event.length;
    };
    response.on("drain", write);
    response.on("close", () => left.resolve(bytes));
    write();
  });
  return { ...server, left: left.promise };
}

async function bytesOf(answer: Response): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) bytes += chunk.length;
  return bytes;
}

describe("bytes", () => {
  it("of an answer without an end stop at their limit", verifies("passage.bounded"), async () => {
    await using relay = await endless();
    const answer = await passages.send(await passages.list(relay.url), { method: "GET" });
    await expect(bytesOf(answer)).rejects.toThrow("broke off");
    await relay.left;
    expect(passages.door.streams).toBe(0);
  });

  it("are counted unpacked, and one event may be all of them", async () => {
    const bomb = gzipSync(Buffer.alloc(40 * MEBIBYTE, " "));
    await using relay = await scripted((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb);
    });
    const id = await passages.list(relay.url);
    await expect(bytesOf(await passages.send(id))).rejects.toThrow("broke off");
    await using huge = await scripted((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${"x".repeat(8 * MEBIBYTE)}\n\n`);
    });
    expect(await bytesOf(await passages.send(await passages.list(huge.url)))).toBe(8 * MEBIBYTE + 8);
  });
});

describe("time", () => {
  const unread = { method: "POST", headers: {}, body: "{}" } as const;
  const signal = new AbortController().signal;

  it("is bounded until an answer begins, between two bytes of it, and in all", async () => {
    await using network = createExchange({ allowLoopback: true, allowNetworks: [] });
    const { exchange } = network;
    const sent: NodeJS.Timeout[] = [];
    await using relay = await scripted((request, response) => {
      if (request.url === "/mute") return;
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      if (request.url === "/slow") sent.push(setInterval(() => response.write("\n"), 5));
    });
    const at = (path: string, limits: object) =>
      passThrough(`${relay.origin}${path}`, unread, { exchange, signal, ...limits });
    expect((await at("/mute", { answerMs: 30 })).kind).toBe("timeout");
    for (const [path, limits] of [
      ["/silent", { idleMs: 200 }],
      // Long enough for a busy machine to begin the answer.
      ["/slow", { timeoutMs: 1_000 }],
    ] as const) {
      const passed = await at(path, limits);
      if (passed.kind !== "passed" || passed.body === null) throw new Error(`${path}: ${passed.kind}`);
      const { body } = passed;
      const read = async () => {
        for await (const chunk of body) expect(chunk).toBeDefined();
      };
      await expect(read()).rejects.toMatchObject({ code: "timeout" });
    }
    for (const timer of sent) clearInterval(timer);
  });
});

describe("a reader", () => {
  it(
    "that takes nothing pauses the relay, and is cut after a while",
    verifies("passage.bounded"),
    async () => {
      await using relay = await endless();
      const answer = await passages.send(await passages.list(relay.url), { method: "GET" });
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      await passages.clock.sleeping(1);
      await passages.clock.advance(29_000);
      expect(passages.door.streams).toBe(1);
      await passages.clock.advance(1_000);
      // What both sockets and the queue of one reader hold, and not a byte of the stream beyond.
      expect(await relay.left).toBeLessThan(16 * MEBIBYTE);
      await expect(reader.read()).rejects.toThrow("broke off");
      expect(passages.door.streams).toBe(0);
    },
  );

  it(
    "that hangs up ends it at the relay, before the answer and in it",
    verifies("passage.bounded"),
    async () => {
      const gone: Promise<void>[] = [];
      const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await using relay = await scripted((request, response) => {
        gone.push(new Promise((resolve) => response.on("close", resolve)));
        if (request.method === "GET")
          response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
        asked[gone.length - 1]?.resolve();
      });
      const id = await passages.list(relay.url);
      const server = createAdaptorServer({ fetch: (request, env) => passages.door.fetch(request, env) });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as { port: number };
      for (const head of [
        "GET %s HTTP/1.1\r\naccept: text/event-stream\r\nhost: 127.0.0.1:8790\r\n\r\n",
        'POST %s HTTP/1.1\r\ncontent-type: application/json\r\nhost: 127.0.0.1:8790\r\ncontent-length: 40\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}',
      ]) {
        const socket = connect(port, "127.0.0.1");
        socket.write(head.replace("%s", `/v1/relays/${id}/mcp`));
        // The stream's first event is here; of the call, the relay has been asked.
        if (head.startsWith("GET")) await new Promise((resolve) => socket.once("data", resolve));
        else await asked[1]?.promise;
        socket.destroy();
        await gone.at(-1);
      }
      expect(gone).toHaveLength(2);
      await new Promise((resolve) => server.close(resolve));
      for (let turn = 0; turn < 1_000 && passages.door.streams > 0; turn += 1)
        await new Promise((next) => setImmediate(next));
      expect(passages.door.streams).toBe(0);
    },
  );
});

describe("places", () => {
  const rule = { perMinute: 1_000, burst: 10_000 };
  const budgets = { register: rule, bulk: rule, refresh: rule, call: rule, subscribe: rule };
  const streaming = (host?: string): Promise<Scripted> =>
    scripted((request, response) => {
      if (request.method === "GET")
        response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      else response.writeHead(202).end();
    }, host);

  it(
    "are few for one client, one origin and all; who leaves makes room",
    verifies("passage.bounded"),
    async () => {
      let client: string | null = "192.0.2.1";
      await using crowd = await openPassages({ budgets, clientOf: () => client });
      await using one = await streaming();
      await using two = await streaming("127.0.0.2");
      const [first, second] = [await crowd.list(one.url), await crowd.list(two.url)];
      const open = async (id: string, count: number) => {
        const answers: Response[] = [];
        for (let at = 0; at < count; at += 1) answers.push(await crowd.send(id, { method: "GET" }));
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        return answers;
      };
      const mine = await open(first, 32);
      const refused = await crowd.send(first);
      expect(refused.headers.get("retry-after")).toBe("5");
      await expectProblem(refused, "rate-limited", 429);
      await mine[0]?.body?.cancel();
      expect((await crowd.send(first)).status).toBe(202);

      client = null;
      const others = await open(first, 97);
      await expectProblem(await crowd.send(first), "rate-limited", 429);
      const elsewhere = await open(second, 128);
      const full = await crowd.send(second);
      expect(full.headers.get("retry-after")).toBe("5");
      await expectProblem(full, "unavailable", 503);
      expect(crowd.door.streams).toBe(256);
      await crowd.door.close();
      expect(crowd.door.streams).toBe(0);
      await expectProblem(await crowd.send(second), "unavailable", 503);
      for (const answer of [...mine.slice(1), ...others, ...elsewhere])
        await expect(bytesOf(answer)).rejects.toThrow("broke off");
    },
  );

  it("that are all taken leave looks and calls their own", verifies("passage.bounded"), async () => {
    await using crowd = await openPassages();
    const hanging: (() => void)[] = [];
    await using relay = await startFakeRelay({
      intercept(seen, response) {
        if (!seen.body.includes('"hang"')) return false;
        hanging.push(() => response.end());
        return true;
      },
    });
    const id = await crowd.list(relay.url);
    const stop = new AbortController();
    const body = '{"jsonrpc":"2.0","id":1,"method":"hang"}';
    const waiting = Array.from({ length: 128 }, () => crowd.send(id, { body, signal: stop.signal }));
    for (let turn = 0; turn < 10_000 && hanging.length < 128; turn += 1)
      await new Promise((next) => setImmediate(next));
    expect(hanging).toHaveLength(128);
    const { parsed } = await runOperation(operations.call, {
      context: crowd.catalog.context,
      input: { relay: id, tool: "echo", arguments: { text: "still here" } },
      call: { signal: new AbortController().signal, admin: false },
    });
    expect(JSON.stringify(parsed)).toContain("still here");
    stop.abort();
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(499);
    expect((await crowd.send(id)).status).not.toBe(429);
  });
});

describe("over a socket", () => {
  it("what broke off is not taken for whole, and a stop ends what is only listened to", async () => {
    await using over = await openPassages();
    const started = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    await using relay = await scripted((request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      if (request.headers["mcp-name"] === "breaks") setImmediate(() => response.destroy());
      if (request.headers["mcp-name"] !== "waits") return;
      started.resolve();
      void finish.promise.then(() => response.end("data: 2\n\n"));
    });
    const id = await over.list(relay.url);
    const server = createAdaptorServer({ fetch: (request, env) => over.door.fetch(request, env) });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const send = (init: RequestInit) =>
      fetch(`http://127.0.0.1:${port}/v1/relays/${id}/mcp`, {
        ...init,
        headers: { "content-type": "application/json", ...(init.headers as Record<string, string>) },
      });
    const post = (name: string) =>
      send({ method: "POST", body: PING, headers: { "mcp-name": name } }).then((answer) => answer.text());
    await expect(post("breaks")).rejects.toThrow();

    const listening = send({ method: "GET", headers: { accept: "text/event-stream" } });
    const ended = (await listening).text();
    const waiting = post("waits");
    await started.promise;
    for (let turn = 0; turn < 1_000 && over.door.streams < 2; turn += 1)
      await new Promise((next) => setImmediate(next));
    over.door.endListening();
    await expect(ended).rejects.toThrow();
    expect((await send({ method: "POST", body: PING })).status).toBe(503);
    finish.resolve();
    expect(await waiting).toBe("data: 1\n\ndata: 2\n\n");
    if ("closeAllConnections" in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

it("large messages are few at once", verifies("passage.bounded"), async () => {
  await using crowd = await openPassages();
  await using relay = await scripted((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
  });
  const id = await crowd.list(relay.url);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "x", params: { a: "x".repeat(256 * 1024) } });
  const large = await Promise.all(Array.from({ length: 32 }, () => crowd.send(id, { body })));
  expect(large.map(({ status }) => status)).toEqual(large.map(() => 200));
  await expectProblem(await crowd.send(id, { body }), "unavailable", 503);
  const small = await crowd.send(id);
  expect(small.status).toBe(200);
  for (const answer of [...large, small]) await answer.body?.cancel();
  const again = await crowd.send(id, { body });
  expect(again.status).toBe(200);
  await again.body?.cancel();
});
