/** What strangers send and authors get wrong: limits under a rush, slow readers, names that are none, layers and options that fail. */
import { connect } from "node:net";
import { McpServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import {
  type Listening,
  type Middleware,
  type ServeOptions,
  serve,
  server,
  visibleTo,
} from "../../src/kit/index.ts";
import { MAX_STREAM_BACKLOG_BYTES } from "../../src/kit/limits.ts";
import { isOpenMcpError, type Logger, silentLogger } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { askLegacy, askModern, message, openSession } from "./kit-fixture.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function hello(): McpServer {
  const mcp = new McpServer({ name: "hello", version: "1.0.0" });
  mcp.registerTool("hello", {}, () => ({ content: [{ type: "text", text: "Hello!" }] }));
  mcp.registerResource("news", "news://today", {}, () => ({ contents: [] }));
  return mcp;
}

async function start(options: Partial<ServeOptions<never, never>> = {}): Promise<Listening> {
  const listening = await serve({ server: hello, logger: silentLogger, ...(options as object) }).listen();
  closing.push(listening.close);
  return listening;
}

/** Lets some turns of the event loop pass, so that what rushes in is all under way. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const INITIALIZE = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "hand", version: "1" } },
};

describe("limits of sessions", () => {
  it.each([
    ["of a process", { sessions: { max: 3 } }],
    [
      "of a user",
      { sessions: { maxOfUser: 3 }, authenticate: () => "ada", description: { name: "a", version: "1.0.0" } },
    ],
  ])("%s hold when all open at one moment", verifies("kit.limits"), async (_of, options) => {
    const slow = async () => {
      await turns();
      return hello();
    };
    const { url } = await start({ ...(options as object), server: slow });
    const answers = await Promise.all(Array.from({ length: 20 }, () => askLegacy(url, INITIALIZE)));
    const opened = answers.flatMap(({ headers }) => headers.get("mcp-session-id") ?? []);
    const alive = await Promise.all(
      opened.map((id) => askLegacy(url, { method: "ping", headers: { "mcp-session-id": id } })),
    );
    expect(alive.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.every(({ status }) => status === 200 || status === 503)).toBe(true);
    // Places that were taken and given back are free.
    expect((await askLegacy(url, INITIALIZE)).status).toBe(200);
  });

  it("a place is free again when the server could not be made", verifies("kit.limits"), async () => {
    let broken = true;
    const { url } = await start({
      sessions: { max: 1 },
      server: () => {
        if (broken) throw new Error("not now");
        return hello();
      },
      description: { name: "hello", version: "1.0.0" },
    });
    expect((await askLegacy(url, INITIALIZE)).status).toBe(500);
    broken = false;
    expect((await askLegacy(url, INITIALIZE)).status).toBe(200);
  });
});

describe("a session", () => {
  it("that ends while a predicate is asked answers as ended", verifies("kit.sessions"), async () => {
    const held = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<void>();
    let holds = false;
    const { url } = await start({
      server: () => {
        const mcp = hello();
        visibleTo(
          mcp.registerTool("wipe", {}, () => ({ content: [] })),
          () => {
            if (!holds) return true;
            asked.resolve();
            return held.promise;
          },
        );
        return mcp;
      },
    });
    const session = await openSession(url);
    holds = true;
    const list = askLegacy(url, { method: "tools/list", headers: session });
    await asked.promise;
    expect((await fetch(url, { method: "DELETE", headers: session })).status).toBe(200);
    held.resolve(true);
    const answer = await list;
    expect([answer.status, (await message(answer)).error.message]).toEqual([404, "Session not found"]);
    expect((await askLegacy(url, { method: "ping", headers: session })).status).toBe(404);
  });

  it("lends no call the tools of another that has more rights", verifies("kit.hidden"), async () => {
    const entered = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let wiped = 0;
    const waits: Middleware = async (call, next) => {
      if (call.meta.wait === true) {
        entered.resolve();
        await held.promise;
      }
      return next();
    };
    const { url } = await start({
      description: { name: "notes", version: "1.0.0" },
      authenticate: ((request: Request) => ({
        id: "ada",
        admin: request.headers.get("authorization") === "admin",
      })) as never,
      middleware: [waits] as never,
      server: () => {
        const mcp = hello();
        const wipe = mcp.registerTool("wipe", {}, () => {
          wiped += 1;
          return { content: [] };
        });
        visibleTo(wipe, (user: { readonly admin: boolean }) => user.admin);
        return mcp;
      },
    });
    const session = await openSession(url, { authorization: "plain" });
    const params = { name: "wipe", _meta: { wait: true } };
    const plain = askLegacy(url, { method: "tools/call", params, headers: session, id: 8 });
    await entered.promise;
    const admin = { ...session, authorization: "admin" };
    expect(
      (await message(askLegacy(url, { method: "tools/list", headers: admin }))).result.tools,
    ).toHaveLength(2);
    held.resolve();
    expect((await message(plain)).error.message).toBe("Tool wipe not found");
    expect(wiped).toBe(0);
  });
});

describe("the reader of a stream", () => {
  it(
    "that takes nothing is let go, and costs no memory without bound",
    verifies("kit.slow-readers"),
    async () => {
      const kit = serve({ server: hello });
      const listening = await kit.listen();
      closing.push(listening.close);
      const session = await openSession(listening.url);
      const uri = `news://${"x".repeat(8_000)}`;
      await (
        await askLegacy(listening.url, { method: "resources/subscribe", params: { uri }, headers: session })
      ).text();
      const stream = await kit.fetch(
        new Request(listening.url, { headers: { ...session, accept: "text/event-stream" } }),
      );
      const notices = (4 * MAX_STREAM_BACKLOG_BYTES) / uri.length;
      for (let told = 0; told < notices; told += 1) {
        kit.notify.resourceUpdated(uri);
        if (told % 50 === 0) await turns();
      }
      // It ends, and gives what it kept for its reader.
      const kept = await stream.arrayBuffer();
      expect(kept.byteLength).toBeGreaterThan(MAX_STREAM_BACKLOG_BYTES / 2);
      expect(kept.byteLength).toBeLessThan(2 * MAX_STREAM_BACKLOG_BYTES);
      // The session goes on, with another stream.
      const again = await kit.fetch(
        new Request(listening.url, { headers: { ...session, accept: "text/event-stream" } }),
      );
      expect(again.status).toBe(200);
      await again.body?.cancel();
    },
  );
});

describe("authenticate", () => {
  it.each([
    ["nobody", undefined, 401],
    ["null", null, 401],
    ["somebody without an id", {}, 500],
  ])("that gives %s opens nothing", verifies("kit.authenticate"), async (_what, user, status) => {
    const { url } = await start({
      description: { name: "hello", version: "1.0.0" },
      authenticate: (() => user) as never,
    });
    for (const response of [
      await askModern(url, { method: "tools/list" }),
      await askLegacy(url, INITIALIZE),
      await fetch(`${url}/openapi.json`),
    ]) {
      expect(response.status).toBe(status);
      expect(response.headers.get("www-authenticate")).toBe(status === 401 ? "Bearer" : null);
      expect(await response.text()).not.toContain("hello");
    }
  });

  it("that throws is told to the log, and to nobody else", verifies("kit.authenticate"), async () => {
    const logged: unknown[] = [];
    const logger: Logger = { ...silentLogger, error: (fields) => logged.push(fields.err) };
    const failure = new Error("the password is hunter2");
    const { url } = await start({
      logger,
      description: { name: "hello", version: "1.0.0" },
      authenticate: () => {
        throw failure;
      },
    });
    const response = await askModern(url, { method: "tools/list" });
    expect([response.status, (await message(response)).error]).toEqual([
      500,
      { code: -32603, message: "Internal server error" },
    ]);
    const document = await fetch(`${url}/openapi.json`);
    expect([document.status, await document.text()]).toEqual([
      500,
      expect.not.stringMatching(/hunter2|catalog/),
    ]);
    expect(logged).toEqual([failure, failure]);
  });
});

describe("a layer", () => {
  const failing: readonly (readonly [string, Middleware])[] = [
    [
      "throws",
      () => {
        throw new Error("the password is hunter2");
      },
    ],
    ["gives nothing", (() => undefined) as never],
    ["gives a text", (() => "hi") as never],
    [
      "goes on twice",
      async (_call, next) => {
        await next();
        return next();
      },
    ],
  ];

  it.each(failing)(
    "that %s fails the call, and its caller is told no more",
    verifies("kit.onion"),
    async (_does, layer) => {
      const logged: unknown[] = [];
      const logger: Logger = { ...silentLogger, error: (fields) => logged.push(fields.err) };
      const { url } = await start({ logger, middleware: [layer] as never });
      const error = { code: -32603, message: "Internal server error" };
      expect(
        (await message(askModern(url, { method: "tools/call", params: { name: "hello" } }))).error,
      ).toEqual(error);
      const session = await openSession(url);
      const call = { method: "tools/call", params: { name: "hello" }, headers: session };
      expect((await message(askLegacy(url, call))).error).toEqual(error);
      expect(logged).toHaveLength(2);
    },
  );
});

describe("a Host", () => {
  it("that can't stand in a URL is refused like any foreign one", verifies("kit.knock"), async () => {
    const { port } = await start();
    for (const host of ["127.0.0.256", "evil.example", "999.1", "1.2.3.4.5"]) {
      expect([
        host,
        await statusOf(port, `GET /health HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      ]).toEqual([host, "403"]);
    }
  });
});

function statusOf(port: number, text: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.setEncoding("latin1").on("data", (more: string) => {
      answer += more;
    });
    socket.once("error", reject);
    socket.once("close", () => resolve(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]));
  });
}

describe("an option", () => {
  it.each([
    ["allowedOrigins", { allowedOrigins: ["app.example"] }],
    ["allowedOrigins", { allowedOrigins: ["https://*.example"] }],
    ["allowedHosts", { allowedHosts: ["https://x.example"] }],
    ["allowedHosts", { allowedHosts: ["x.example:8080"] }],
    ["allowedHosts", { allowedHosts: ["*"] }],
    ["path", { path: "/mcp?x" }],
    ["path", { path: "https://x.example/mcp" }],
    ["path", { path: "m cp" }],
    ["path", { path: "/a/../mcp" }],
    ["health", { health: "/health#x" }],
    ["explorer.path", { explorer: { path: "/x//y" } }],
    ["openapi.path", { openapi: { path: "a b" } }],
    ["endpoint", { health: "/mcp" }],
    ["explorer", { explorer: { path: "/health" } }],
    ["sessions.ttlMs", { sessions: { ttlMs: -1 } }],
    ["sessions.max", { sessions: { max: Number.NaN } }],
    ["sessions.maxOfUser", { sessions: { maxOfUser: 0 } }],
    ["maxBodyBytes", { maxBodyBytes: 0 }],
    ["drainMs", { drainMs: Number.NaN }],
  ] as const)(
    "%s that can't be meant is refused by name: %j",
    verifies("kit.wrong-options"),
    (field, options) => {
      let error: unknown = null;
      try {
        serve({ server: hello, ...(options as object) });
      } catch (thrown) {
        error = thrown;
      }
      expect(isOpenMcpError(error, "invalid-input") && error.data.field).toBe(field);
    },
  );

  it("is taken as people write it", verifies("kit.wrong-options"), async () => {
    const kit = serve({
      server: hello,
      path: "",
      health: "up",
      allowedHosts: ["Tools.Example", "münchen.example", "[2001:db8::1]"],
      openapi: { path: "/openapi.json" },
    });
    const statusAt = async (url: string): Promise<number> => (await kit.fetch(new Request(url))).status;
    for (const host of ["tools.example", "TOOLS.example:8080", "xn--mnchen-3ya.example", "[2001:db8::1]"]) {
      expect([host, await statusAt(`http://${host}/up`)]).toEqual([host, 200]);
    }
    expect(await statusAt("http://localhost/openapi.json")).toBe(200);
    expect(await statusAt("http://localhost/server-card")).toBe(200);
    // No ending of another word is a part of the relay.
    expect(await statusAt("http://localhost/setup")).toBe(404);
    await kit.close();
  });
});

describe("a relay that is closed before anyone asked", () => {
  it("says so to who asks then", verifies("kit.close"), async () => {
    const kit = server("late", "1.0.0").serve();
    await kit.close();
    await kit.close();
    expect((await kit.fetch(new Request("http://localhost/health"))).status).toBe(503);
    const post = new Request("http://localhost/mcp", { method: "POST", body: "{}" });
    expect((await kit.fetch(post)).status).toBe(503);
  });
});
