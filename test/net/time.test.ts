/**
 * Time and signals: the timer covers everything, the idle timer silence only, an abort ends it anywhere. Sockets are
 * real; the clock is moved by hand where a test's point is what happens before or after a limit.
 */
import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { verifies } from "../requirements.ts";
import { failure, limits, network, serveHttp, serveSocket, text } from "./servers.ts";

const short = { ...limits, timeoutMs: 120 };

/** Lets sockets do what they have to do; their events need turns of the loop, not time. */
async function turns(count = 300): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
}

describe("by hand", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A server that begins an answer and gives it to the test to go on with. */
  async function begun() {
    let answer: ServerResponse | undefined;
    const server = await serveHttp((_request, response) => {
      answer = response;
      response.write("beginning");
    });
    return { ...server, write: (chunk: string) => answer?.write(chunk) };
  }

  test("a server that never answers", verifies("network.limits"), async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const server = await serveSocket((socket) => socket.on("data", () => resolve()));
    const error = failure(network().exchange({ method: "POST", url: server.url, body: "{}" }, short));
    await asked;
    vi.advanceTimersByTime(120);
    expect(await error).toMatchObject({ code: "timeout", data: { phase: "answer" } });
    expect((await error).message).toBe(`no answer from ${server.url} within 0.12 s`);
    await server.closed(1);
  });

  test("one whose body hangs", verifies("network.limits"), async () => {
    const server = await begun();
    const response = await network().exchange({ method: "GET", url: server.url }, short);
    const body = response.body[Symbol.asyncIterator]();
    expect(Buffer.from((await body.next()).value ?? []).toString()).toBe("beginning");
    const next = failure(body.next());
    vi.advanceTimersByTime(120);
    expect(await next).toMatchObject({ code: "timeout", data: { phase: "body" } });
    await server.closed(1);
  });

  test("one that sends a byte now and then is stopped by the whole time, not kept alive by its bytes", async () => {
    const server = await begun();
    const response = await network().exchange({ method: "GET", url: server.url }, { ...short, idleMs: 60 });
    const body = response.body[Symbol.asyncIterator]();
    await body.next();
    for (let n = 0; n < 3; n++) {
      vi.advanceTimersByTime(30);
      server.write(".");
      expect((await body.next()).done).toBe(false);
    }
    const next = failure(body.next());
    vi.advanceTimersByTime(30);
    expect((await next).message).toBe(`no whole answer from ${server.url} within 0.12 s`);
    await server.closed(1);
  });

  test("the idle timer ends a silent body, and each chunk renews it", async () => {
    const server = await begun();
    const response = await network().exchange({ method: "GET", url: server.url }, { ...limits, idleMs: 200 });
    const body = response.body[Symbol.asyncIterator]();
    await body.next();
    for (let n = 0; n < 10; n++) {
      vi.advanceTimersByTime(199);
      server.write(".");
      expect((await body.next()).done).toBe(false);
    }
    const next = failure(body.next());
    vi.advanceTimersByTime(200);
    expect(await next).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("fell silent for 0.2 s"),
    });
    await server.closed(1);
  });

  test("the idle timer waits for no reader, and goes on when one comes", async () => {
    const size = 32 * 1024 * 1024;
    const server = await serveHttp((_request, response) => {
      response.write(Buffer.alloc(size));
    });
    const response = await network().exchange(
      { method: "GET", url: server.url },
      { timeoutMs: 600_000, maxBodyBytes: 2 * size, idleMs: 60 },
    );
    await turns();
    // The socket is paused, and that is our doing, not the server's silence.
    vi.advanceTimersByTime(60_000);
    let read = 0;
    const reading = failure(
      (async () => {
        for await (const chunk of response.body) read += chunk.length;
      })(),
    );
    while (read < size) await turns(1);
    vi.advanceTimersByTime(60);
    expect((await reading).message).toContain("fell silent");
  });

  test("a body that has come is read without hurry", async () => {
    const server = await serveHttp((_request, response) => response.end("all of it"));
    const { exchange, connections } = network();
    const response = await exchange({ method: "GET", url: server.url }, { ...short, idleMs: 30 });
    while (connections().idle === 0) await turns(1);
    vi.advanceTimersByTime(60_000);
    expect(await text(response)).toBe("all of it");
  });

  test("an idle connection is closed after four seconds", async () => {
    const server = await serveHttp((_request, response) => response.end("ok"));
    const { exchange, connections } = network();
    await text(await exchange({ method: "GET", url: server.url }, limits));
    await turns(10);
    vi.advanceTimersByTime(3_999);
    await turns(10);
    expect(connections()).toEqual({ open: 1, idle: 1 });
    vi.advanceTimersByTime(1);
    await server.closed(1);
    expect(connections()).toEqual({ open: 0, idle: 0 });
  });

  test("no timer is left behind by an exchange that ended", async () => {
    const server = await serveHttp((_request, response) =>
      response.setHeader("connection", "close").end("ok"),
    );
    const response = await network().exchange(
      { method: "GET", url: server.url },
      { ...limits, idleMs: 5_000 },
    );
    await text(response);
    await server.closed(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("a server that stops within its headers", async () => {
  const server = await serveSocket((socket) => {
    socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\nx-half: "));
  });
  expect(await failure(network().exchange({ method: "GET", url: server.url }, short))).toMatchObject({
    code: "timeout",
  });
  await server.closed(1);
});

test("one that drips its headers is stopped too", async () => {
  const server = await serveSocket((socket) => {
    const drip = setInterval(() => socket.write("x-a: b\r\n"), 10);
    socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\n"));
    socket.on("close", () => clearInterval(drip));
  });
  expect((await failure(network().exchange({ method: "GET", url: server.url }, short))).code).toBe("timeout");
  await server.closed(1);
});

test("an abort before, while connecting, while waiting and in the body", async () => {
  const server = await serveHttp((request, response) => {
    if (request.url === "/body") response.write("beginning");
  });
  const { exchange } = network({ lookup: () => new Promise(() => {}) });
  const cases = [
    { url: `${server.url}/wait`, when: (controller: AbortController) => controller.abort() },
    {
      url: "http://slow.test/",
      when: (controller: AbortController) => void setImmediate(() => controller.abort()),
    },
    {
      url: `${server.url}/wait`,
      when: (controller: AbortController) => void server.connected(1).then(() => controller.abort()),
    },
  ];
  for (const { url, when } of cases) {
    const controller = new AbortController();
    when(controller);
    const error = await failure(
      exchange({ method: "POST", url, body: "{}", signal: controller.signal }, limits),
    );
    expect(error.code).toBe("aborted");
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  }
  await server.closed(1);

  const controller = new AbortController();
  const response = await exchange(
    { method: "GET", url: `${server.url}/body`, signal: controller.signal },
    limits,
  );
  const reading = failure(text(response));
  controller.abort();
  expect((await reading).code).toBe("aborted");
  await server.closed(2);
});

test("an abort after the end changes nothing and leaves no listener", async () => {
  const server = await serveHttp((_request, response) => response.end("whole"));
  const controller = new AbortController();
  const { exchange, connections } = network();
  const response = await exchange({ method: "GET", url: server.url, signal: controller.signal }, limits);
  const whole = await text(response);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  controller.abort();
  expect([whole, connections().idle]).toEqual(["whole", 1]);
});
