/** Bodies and headers of hostile servers: every limit holds, and memory and sockets are given back. */
import { randomBytes } from "node:crypto";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { verifies } from "../requirements.ts";
import { failure, limits, network, serveHttp, serveSocket, text } from "./servers.ts";

const MiB = 1024 * 1024;

describe("content codings", () => {
  const plain = JSON.stringify({ words: "na ".repeat(5_000) });
  test.each([
    ["gzip", gzipSync(plain)],
    ["x-gzip", gzipSync(plain)],
    ["GZIP", gzipSync(plain)],
    ["deflate", deflateSync(plain)],
    ["deflate", deflateRawSync(plain)],
    ["br", brotliCompressSync(plain)],
    ["zstd", zstdCompressSync(plain)],
    ["gzip, br", brotliCompressSync(gzipSync(plain))],
    ["identity", Buffer.from(plain)],
    ["unheard-of", Buffer.from(plain)],
  ])("%s", async (coding, bytes) => {
    const server = await serveHttp((_request, response) =>
      response.setHeader("content-encoding", coding).end(bytes),
    );
    const response = await network().exchange({ method: "GET", url: server.url }, limits);
    expect(await text(response)).toBe(plain);
  });

  test("are asked for, unless the caller asks itself", async () => {
    const server = await serveHttp((request, response) => response.end(request.headers["accept-encoding"]));
    const { exchange } = network();
    expect(await text(await exchange({ method: "GET", url: server.url }, limits))).toBe(
      "gzip, deflate, br, zstd",
    );
    const headers = { "accept-encoding": "identity" };
    expect(await text(await exchange({ method: "GET", url: server.url, headers }, limits))).toBe("identity");
  });

  test("an empty coded body is empty", async () => {
    const server = await serveHttp((_request, response) =>
      response.setHeader("content-encoding", "gzip").end(),
    );
    expect(await text(await network().exchange({ method: "GET", url: server.url }, limits))).toBe("");
  });

  test("each event of a coded stream arrives when it was sent", async () => {
    let more: () => void = () => {};
    const server = await serveHttp((_request, response) => {
      response.setHeader("content-encoding", "gzip");
      response.write(gzipSync("first "));
      more = () => response.end(gzipSync("second"));
    });
    const response = await network().exchange({ method: "GET", url: server.url }, limits);
    const seen: string[] = [];
    for await (const chunk of response.body) {
      seen.push(Buffer.from(chunk).toString());
      more();
    }
    expect(seen).toEqual(["first ", "second"]);
  });

  test.each([
    ["gzip", Buffer.from("this is not gzip at all")],
    ["br", Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff])],
    ["gzip, gzip, gzip", gzipSync(gzipSync(gzipSync("x")))],
  ])("damaged or over-wrapped %s fails and closes the connection", async (coding, bytes) => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-encoding": coding });
      response.write(bytes);
    });
    const response = await network().exchange({ method: "GET", url: server.url }, limits);
    expect(await failure(text(response))).toMatchObject({ code: "unreachable", data: { reason: "damaged" } });
    await server.closed(1);
  });
});

describe("caps", () => {
  test("a body of exactly its cap passes, one byte more does not", verifies("network.limits"), async () => {
    const server = await serveHttp((request, response) => {
      if (request.url === "/chunked") response.write("1");
      response.end("x".repeat(request.url === "/chunked" ? 999 : 1000));
    });
    const { exchange } = network();
    for (const path of ["/length", "/chunked"]) {
      const get = (maxBodyBytes: number) =>
        exchange({ method: "GET", url: server.url + path }, { ...limits, maxBodyBytes });
      expect((await text(await get(1000))).length).toBe(1000);
      const response = await get(999);
      expect(response.status).toBe(200);
      expect(await failure(text(response))).toMatchObject({ code: "too-large", data: { maxBodyBytes: 999 } });
    }
  });

  test("a length over the cap is refused before the body is sent", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-length": 10 * MiB }).flushHeaders();
    });
    const response = await network().exchange({ method: "GET", url: server.url }, limits);
    expect((await failure(text(response))).message).toContain("1 MiB");
    await server.closed(1);
  });

  test("a length that only describes (HEAD, 304) is no body", async () => {
    const server = await serveSocket((socket) => {
      socket.on("data", (data) => {
        const status = data.toString().startsWith("HEAD") ? "200 OK" : "304 Not Modified";
        socket.write(`HTTP/1.1 ${status}\r\ncontent-length: ${10 * MiB}\r\n\r\n`);
      });
    });
    const { exchange } = network();
    for (const method of ["HEAD", "GET"] as const) {
      expect(await text(await exchange({ method, url: server.url }, limits))).toBe("");
    }
  });

  test.each(["gzip", "br", "zstd"] as const)(
    "a bomb of %s stops at its cap",
    verifies("network.limits"),
    async (coding) => {
      const zeros = Buffer.alloc(64 * MiB);
      const bomb = {
        gzip: () => gzipSync(zeros),
        br: () => brotliCompressSync(zeros, { params: { 1: 1 } }),
        zstd: () => zstdCompressSync(zeros),
      }[coding]();
      const server = await serveHttp((_request, response) =>
        response.setHeader("content-encoding", coding).end(bomb),
      );
      const response = await network().exchange({ method: "GET", url: server.url }, limits);
      let read = 0;
      const error = await failure(
        (async () => {
          for await (const chunk of response.body) read += chunk.length;
        })(),
      );
      expect(error.code).toBe("too-large");
      expect(read).toBeLessThanOrEqual(MiB);
    },
  );

  test("a bomb within a bomb stops at its cap", async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(16 * MiB)));
    const server = await serveHttp((_request, response) =>
      response.setHeader("content-encoding", "gzip, gzip").end(bomb),
    );
    const response = await network().exchange({ method: "GET", url: server.url }, limits);
    expect((await failure(text(response))).code).toBe("too-large");
  });

  test("an endless body stops at its cap and is cut off", async () => {
    const server = await serveHttp((_request, response) => {
      const chunk = "x".repeat(64 * 1024);
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    });
    const response = await network().exchange(
      { method: "GET", url: server.url },
      { ...limits, maxBodyBytes: 8 * MiB },
    );
    expect((await failure(text(response))).code).toBe("too-large");
    await server.closed(1);
  });

  test.each(["identity", "gzip"])("a %s body that nobody reads stays in the socket", async (coding) => {
    const { promise: finished, resolve } = Promise.withResolvers<boolean>();
    // Random bytes, so that a decoder is as large an escape as the socket itself.
    const random = randomBytes(32 * MiB);
    const bytes = coding === "gzip" ? gzipSync(random, { level: 0 }) : random;
    const server = await serveHttp((_request, response) => {
      response.on("close", () => resolve(response.writableFinished));
      response.setHeader("content-encoding", coding);
      response.end(bytes);
    });
    const { exchange } = network();
    await exchange({ method: "GET", url: server.url }, { timeoutMs: 2_000, maxBodyBytes: 128 * MiB });
    // Nobody reads, nobody cancels: the exchange's own timer ends it, and most of it was never taken.
    expect(await finished).toBe(false);
  });

  test("a slow reader gets every byte in order", async () => {
    const size = 3 * MiB;
    const bytes = Buffer.from(Array.from({ length: size }, (_, n) => n % 251));
    const server = await serveHttp((request, response) => {
      if (request.url === "/gzip") response.setHeader("content-encoding", "gzip").end(gzipSync(bytes));
      else response.end(bytes);
    });
    const { exchange } = network();
    for (const path of ["/plain", "/gzip"]) {
      const response = await exchange(
        { method: "GET", url: server.url + path },
        { timeoutMs: 20_000, maxBodyBytes: size, idleMs: 5_000 },
      );
      const chunks: Uint8Array[] = [];
      for await (const chunk of response.body) {
        chunks.push(chunk);
        await new Promise(setImmediate);
      }
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    }
  });

  test.each([
    ["one long field", (n: number) => `x-long: ${"x".repeat(n)}\r\n`],
    ["many fields", (n: number) => "x-many: aaaaaaaaaaaaaaaaaaaa\r\n".repeat(n / 30)],
  ])("a flood of headers, %s", verifies("network.limits"), async (_name, fields) => {
    const server = await serveSocket((socket) => {
      socket.on("data", () => {
        socket.write(`HTTP/1.1 200 OK\r\n${fields(200_000)}content-length: 0\r\n\r\n`);
      });
    });
    const error = await failure(network().exchange({ method: "GET", url: server.url }, limits));
    expect([error.code, error.message]).toEqual(["too-large", expect.stringContaining("header fields")]);
    await server.closed(1);
  });

  test("trailers are capped as headers are", async () => {
    const server = await serveSocket((socket) => {
      socket.on("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n");
        socket.write(`x-trailer: ${"x".repeat(100_000)}\r\n\r\n`);
      });
    });
    const response = await network().exchange({ method: "GET", url: server.url }, limits);
    expect((await failure(text(response))).code).toBe("too-large");
  });
});

describe("headers", () => {
  test("repeated ones are joined, cookies dropped, ours kept ours", async () => {
    const seen: (readonly [string, unknown])[] = [];
    const server = await serveHttp((request, response) => {
      seen.push(...Object.entries(request.headers));
      response.writeHead(
        200,
        [
          ["Link", "<a>"],
          ["link", "<b>"],
          ["Set-Cookie", "a=1"],
          ["set-cookie", "b=2"],
          ["WWW-Authenticate", "Bearer"],
        ].flat(),
      );
      response.end("ok");
    });
    const response = await network().exchange(
      {
        method: "POST",
        url: server.url,
        headers: {
          Host: "evil.test",
          "Content-Length": "99",
          "Transfer-Encoding": "chunked",
          Connection: "close",
          "X-Own": "1",
        },
        body: new TextEncoder().encode("four"),
      },
      limits,
    );
    await text(response);
    expect(response.headers).toMatchObject({ link: "<a>, <b>", "www-authenticate": "Bearer" });
    expect(response.headers).not.toHaveProperty("set-cookie");
    expect(Object.fromEntries(seen)).toMatchObject({
      host: server.url.slice("http://".length),
      "content-length": "4",
      connection: "keep-alive",
      "x-own": "1",
    });
  });

  test("one that would break the request is refused without its value", async () => {
    const server = await serveHttp((_request, response) => response.end());
    const headers = { authorization: "Bearer se\r\ncret" };
    const error = await failure(network().exchange({ method: "GET", url: server.url, headers }, limits));
    expect([error.code, error.message]).toEqual(["invalid-input", expect.stringContaining("authorization")]);
    expect(error.message).not.toContain("cret");
  });

  test("informational answers are passed over", async () => {
    const server = await serveHttp((_request, response) => {
      response.writeEarlyHints({ link: "</style.css>; rel=preload; as=style" });
      response.end("final");
    });
    const response = await network().exchange({ method: "GET", url: server.url }, limits);
    expect([response.status, await text(response)]).toEqual([200, "final"]);
  });

  test("an answer named like an object's own parts harms nobody", async () => {
    const server = await serveSocket((socket) => {
      socket.on("data", () => {
        socket.end(
          "HTTP/1.1 200 OK\r\n__proto__: x\r\n__proto__: y\r\nconstructor: z\r\ncontent-length: 2\r\n\r\nok",
        );
      });
    });
    const response = await network().exchange({ method: "GET", url: server.url }, limits);
    expect(await text(response)).toBe("ok");
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });
});

describe("broken answers", () => {
  test.each([
    ["not HTTP", "SSH-2.0-OpenSSH_9.9\r\n", "not-http"],
    ["closed at once", "", "reset"],
    ["cut off in the head", "HTTP/1.1 200 OK\r\ncontent-le", "reset"],
  ])("%s is unreachable", async (_name, answer, reason) => {
    const server = await serveSocket((socket) => {
      socket.on("data", () => socket.end(answer));
    });
    const error = await failure(network().exchange({ method: "POST", url: server.url, body: "{}" }, limits));
    expect([error.code, error.data.reason]).toEqual(["unreachable", reason]);
    expect(error.message).toContain(server.url);
  });

  test.each([
    ["a length that was promised", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"],
    ["a chunk without end", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n"],
  ])("cut off in the body (%s): what came is read, then it fails", async (_name, answer) => {
    const server = await serveSocket((socket) => {
      socket.on("data", () => socket.end(answer));
    });
    const response = await network().exchange({ method: "GET", url: server.url }, limits);
    const chunks: string[] = [];
    const error = await failure(
      (async () => {
        for await (const chunk of response.body) chunks.push(Buffer.from(chunk).toString());
      })(),
    );
    expect(chunks.join("")).toBe("half");
    expect(error).toMatchObject({ code: "unreachable", data: { reason: "reset" } });
  });

  test("a reset is told from a refusal", async () => {
    const server = await serveSocket((socket) => {
      socket.on("data", () => socket.resetAndDestroy());
    });
    const { exchange } = network();
    expect(await failure(exchange({ method: "POST", url: server.url, body: "{}" }, limits))).toMatchObject({
      code: "unreachable",
      data: { reason: "reset" },
    });
    const error = await failure(
      exchange({ method: "GET", url: "http://127.255.255.254:9/".replace(":9", ":1024") }, limits),
    );
    expect([error.code, error.data.reason]).toEqual(["unreachable", "refused"]);
    expect(error.message).toBe("nothing listens at http://127.255.255.254:1024");
  });

  test("a body is read once", async () => {
    const server = await serveHttp((_request, response) => response.end("once"));
    const response = await network().exchange({ method: "GET", url: server.url }, limits);
    expect(await text(response)).toBe("once");
    await expect(text(response)).rejects.toThrow(TypeError);
  });
});
