/** Sockets: reused while fresh, bounded over all origins, freed at once when nobody reads on, gone after close. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createExchange } from "../../src/net/index.ts";
import { maxConnectionsPerOrigin, maxIdleConnections } from "../../src/net/limits.ts";
import { failure, limits, network, serveHttp, serveSocket, text } from "./servers.ts";

test("one socket serves what follows one another, each at once has its own", async () => {
  const server = await serveHttp((_request, response) => response.end("ok"));
  const { exchange, connections } = network();
  const post = async () => text(await exchange({ method: "POST", url: server.url, body: "{}" }, limits));
  for (let n = 0; n < 20; n++) await post();
  expect([server.accepted, connections()]).toEqual([1, { open: 1, idle: 1 }]);
  await Promise.all(Array.from({ length: 10 }, post));
  expect([server.accepted, connections()]).toEqual([10, { open: 10, idle: 10 }]);
});

test.each([
  [
    "cancel(), once or twice,",
    (response: { cancel(): void }) => {
      response.cancel();
      response.cancel();
    },
  ],
  [
    "leaving the loop",
    async (response: { body: AsyncIterable<Uint8Array> }) => {
      for await (const _chunk of response.body) break;
    },
  ],
])("%s frees the connection of an endless body", async (_name, leave) => {
  const server = await serveHttp((_request, response) => {
    response.write("event: 1\n\n");
  });
  const { exchange, connections } = network();
  const response = await exchange({ method: "GET", url: server.url }, limits);
  await leave(response);
  // At once, and not when the exchange's own time is over.
  expect(connections()).toEqual({ open: 0, idle: 0 });
  await server.closed(1);
});

test("cancel() while someone waits for a chunk ends the wait", async () => {
  const server = await serveHttp((_request, response) => response.flushHeaders());
  const response = await network().exchange({ method: "GET", url: server.url }, limits);
  const reading = failure(text(response));
  response.cancel();
  expect((await reading).code).toBe("aborted");
  await server.closed(1);
});

test("cancel() after the end keeps the connection", async () => {
  const server = await serveHttp((_request, response) => response.end("ok"));
  const { exchange, connections } = network();
  const response = await exchange({ method: "GET", url: server.url }, limits);
  await text(response);
  response.cancel();
  expect(connections()).toEqual({ open: 1, idle: 1 });
});

test("idle sockets are bounded over all origins", async () => {
  const server = await serveHttp((_request, response) => response.end("ok"), "0.0.0.0");
  const { exchange, connections } = network();
  const origins = maxIdleConnections + 44;
  for (let n = 0; n < origins; n++) {
    const url = `http://127.0.${1 + (n >> 8)}.${n & 255}:${server.port}/`;
    await text(await exchange({ method: "POST", url, body: "{}" }, limits));
  }
  expect(connections()).toEqual({ open: maxIdleConnections, idle: maxIdleConnections });
  // The oldest were closed: the server sees it.
  await server.closed(44);
});

test("connections to one origin are bounded, the rest wait their turn", async () => {
  const held: (() => void)[] = [];
  const server = await serveHttp((_request, response) => {
    held.push(() => response.end("ok"));
  });
  const { exchange, connections } = network();
  const post = async (signal?: AbortSignal) =>
    text(
      await exchange({ method: "POST", url: server.url, body: "{}", ...(signal ? { signal } : {}) }, limits),
    );
  const first = Array.from({ length: maxConnectionsPerOrigin }, () => post());
  const controller = new AbortController();
  const givenUp = failure(post(controller.signal));
  const late = [post(), post()];
  expect(connections().open).toBe(maxConnectionsPerOrigin);
  controller.abort();
  expect((await givenUp).code).toBe("aborted");
  await server.connected(maxConnectionsPerOrigin);
  const release = setInterval(() => {
    for (const end of held.splice(0)) end();
  }, 5);
  expect(new Set(await Promise.all([...first, ...late]))).toEqual(new Set(["ok"]));
  clearInterval(release);
  expect(server.accepted).toBe(maxConnectionsPerOrigin);
});

test("a waiting exchange still has its time limit", async () => {
  const server = await serveSocket((socket) => socket.resume());
  const { exchange } = network();
  const timed = (timeoutMs: number) =>
    failure(exchange({ method: "GET", url: server.url }, { ...limits, timeoutMs }));
  const holders = Array.from({ length: maxConnectionsPerOrigin }, () => timed(400));
  expect(await timed(50)).toMatchObject({ code: "timeout", data: { phase: "connection" } });
  for (const error of await Promise.all(holders)) expect(error.code).toBe("timeout");
});

test("a server that closes after each answer is called again, and leaves nothing behind", async () => {
  const server = await serveSocket((socket) => {
    socket.on("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
  });
  const { exchange, connections } = network();
  for (let n = 1; n <= 10; n++) {
    expect(await text(await exchange({ method: "POST", url: server.url, body: "{}" }, limits))).toBe("ok");
    await server.closed(n);
  }
  const last = await exchange({ method: "POST", url: server.url, body: "{}", headers: {} }, limits);
  await text(last);
  await server.closed(11);
  expect(connections().idle).toBeLessThanOrEqual(1);
});

test("a GET that dies with a connection it found idle is asked again, a POST never", async () => {
  const asked: string[] = [];
  const server = await serveSocket((socket) => {
    let answered = false;
    socket.on("data", (data) => {
      asked.push(data.toString().split(" ")[0] ?? "");
      if (answered) socket.destroy();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
      answered = true;
    });
  });
  const { exchange } = network();
  const send = (method: "GET" | "POST") => exchange({ method, url: server.url }, limits).then(text);
  expect([await send("GET"), await send("GET")]).toEqual(["ok", "ok"]);
  expect(asked).toEqual(["GET", "GET", "GET"]);
  expect(await failure(send("POST"))).toMatchObject({ code: "unreachable", data: { reason: "reset" } });
  expect(asked).toEqual(["GET", "GET", "GET", "POST"]);
});

test("a GET that dies on a fresh connection is not asked again", async () => {
  const server = await serveSocket((socket) => {
    socket.on("data", () => socket.destroy());
  });
  expect((await failure(network().exchange({ method: "GET", url: server.url }, limits))).code).toBe(
    "unreachable",
  );
  expect(server.accepted).toBe(1);
});

test("bytes that nobody asked for spoil the connection, not the next answer", async () => {
  const server = await serveSocket((socket) => {
    socket.on("data", () => {
      const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n";
      socket.write(`${answer}ok${answer}no`);
    });
  });
  const { exchange } = network();
  for (let n = 0; n < 5; n++) {
    expect(await text(await exchange({ method: "POST", url: server.url, body: "{}" }, limits))).toBe("ok");
  }
});

test("close() ends what runs, refuses what comes, and can be called again", async () => {
  const server = await serveHttp((request, response) => {
    if (request.url === "/body") response.write("beginning");
  });
  const owned = createExchange({
    allowLoopback: true,
    allowNetworks: [],
    lookup: () => new Promise(() => {}),
  });
  const waiting = [`${server.url}/wait`, "http://slow.test/"].map((url) =>
    failure(owned.exchange({ method: "POST", url, body: "{}" }, limits)),
  );
  const response = await owned.exchange({ method: "GET", url: `${server.url}/body` }, limits);
  const body = failure(text(response));
  await Promise.all([owned.close(), owned.close()]);
  await owned[Symbol.asyncDispose]();
  for (const error of [...(await Promise.all(waiting)), await body]) expect(error.code).toBe("aborted");
  expect((await failure(owned.exchange({ method: "GET", url: server.url }, limits))).code).toBe("aborted");
  expect(owned.connections()).toEqual({ open: 0, idle: 0 });
  await server.closed(2);
});

test("a process that closed its network ends by itself, and so does one that only holds idle sockets", async () => {
  const server = await serveHttp((_request, response) => response.end("ok"));
  const script = (close: boolean) => `
    import { createExchange } from ${JSON.stringify(new URL("../../src/net/index.ts", import.meta.url).href)};
    const network = createExchange({ allowLoopback: true, allowNetworks: [] });
    const limits = { timeoutMs: 600_000, idleMs: 600_000, maxBodyBytes: 1000 };
    for (const path of ["/a", "/b"]) {
      const response = await network.exchange({ method: "GET", url: "${server.url}" + path }, limits);
      for await (const chunk of response.body) process.stdout.write(chunk);
    }
    ${close ? "await network.close();" : ""}
    process.stdout.write(process.getActiveResourcesInfo().includes("Timeout") ? " timers" : " quiet");`;
  for (const close of [true, false]) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module-typescript", "-e", script(close)],
      {
        timeout: 20_000,
      },
    );
    expect(stdout.startsWith("okok")).toBe(true);
    if (close) expect(stdout).toBe("okok quiet");
  }
});
