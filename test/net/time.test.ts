/** Time and signals: the timer covers everything, the idle timer silence only, an abort ends it anywhere. */
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { verifies } from "../requirements.ts";
import { failure, limits, network, serveHttp, serveSocket, text } from "./servers.ts";

const short = { ...limits, timeoutMs: 120 };

test("a server that never answers", verifies("network.limits"), async () => {
  const server = await serveSocket((socket) => socket.resume());
  const error = await failure(network().exchange({ method: "POST", url: server.url, body: "{}" }, short));
  expect(error).toMatchObject({ code: "timeout", data: { phase: "answer" } });
  expect(error.message).toBe(`no answer from ${server.url} within 0.12 s`);
  await server.closed(1);
});

test("one that stops within its headers", async () => {
  const server = await serveSocket((socket) => {
    socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\nx-half: "));
  });
  expect(await failure(network().exchange({ method: "GET", url: server.url }, short))).toMatchObject({
    code: "timeout",
  });
  await server.closed(1);
});

test("one whose body hangs", verifies("network.limits"), async () => {
  const server = await serveHttp((_request, response) => response.write("beginning"));
  const response = await network().exchange({ method: "GET", url: server.url }, short);
  const chunks: string[] = [];
  const error = await failure(
    (async () => {
      for await (const chunk of response.body) chunks.push(Buffer.from(chunk).toString());
    })(),
  );
  expect(chunks).toEqual(["beginning"]);
  expect(error).toMatchObject({ code: "timeout", data: { phase: "body" } });
  await server.closed(1);
});

test("one that sends a byte now and then is stopped by the whole time, not kept alive by its bytes", async () => {
  const server = await serveHttp((_request, response) => {
    const drip = setInterval(() => response.write("."), 10);
    response.on("close", () => clearInterval(drip));
  });
  const response = await network().exchange({ method: "GET", url: server.url }, { ...short, idleMs: 5_000 });
  expect((await failure(text(response))).code).toBe("timeout");
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

test("the idle timer ends a silent body, and each chunk renews it", async () => {
  const server = await serveHttp((_request, response) => {
    let left = 8;
    const drip = setInterval(() => {
      if (left-- > 0) response.write(".");
      else clearInterval(drip);
    }, 40);
    response.on("close", () => clearInterval(drip));
  });
  const response = await network().exchange({ method: "GET", url: server.url }, { ...limits, idleMs: 200 });
  let seen = "";
  const error = await failure(
    (async () => {
      for await (const chunk of response.body) seen += Buffer.from(chunk).toString();
    })(),
  );
  // Eight chunks, 40 ms apart, take longer than the 200 ms of silence that are allowed.
  expect(seen).toBe("........");
  expect([error.code, error.message]).toEqual(["timeout", expect.stringContaining("fell silent for 0.2 s")]);
  await server.closed(1);
});

test("the idle timer waits for no reader", async () => {
  const server = await serveHttp((_request, response) => {
    response.write(Buffer.alloc(2 * 1024 * 1024));
    response.end("end");
  });
  const response = await network().exchange(
    { method: "GET", url: server.url },
    { timeoutMs: 20_000, maxBodyBytes: 8 * 1024 * 1024, idleMs: 60 },
  );
  // Longer than the silence allowed: the socket is paused meanwhile, and that is our doing.
  await new Promise((resolve) => setTimeout(resolve, 180));
  expect((await text(response)).length).toBe(2 * 1024 * 1024 + 3);
});

test("a body that has come is read without hurry", async () => {
  const server = await serveHttp((_request, response) => response.end("all of it"));
  const response = await network().exchange({ method: "GET", url: server.url }, { ...short, idleMs: 30 });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await text(response)).toBe("all of it");
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
      when: (controller: AbortController) => setImmediate(() => controller.abort()),
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
