/** Forwarding a call (wire.md, "Forwarding a call"): round trips, corrections, what is never repeated, what is never leaked. */
import { describe, expect, it, vi } from "vitest";
import { type EndpointHints, withExactNumbers } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { callAt, error, eventually, json, legacy, modern, result, serve, tool } from "./harness.ts";

const judgedAt = "2026-11-30T00:00:00.000Z";
const hints = {
  modern: { era: "modern", protocolVersion: "2026-07-28", session: false, judgedAt },
  legacy: { era: "legacy", protocolVersion: "2025-06-18", session: false, judgedAt },
  session: { era: "legacy", protocolVersion: "2025-06-18", session: true, judgedAt },
} satisfies Record<string, EndpointHints>;

const done = { content: [{ type: "text", text: "done" }] };
const tools = [tool("echo")];

describe("round trips", () => {
  it("one for a modern relay", verifies("call.one-round-trip"), async () => {
    await using server = await serve(modern(tools));
    const outcome = await callAt(server.url, { arguments: { a: 1 } }, { hints: hints.modern });
    expect(outcome).toMatchObject({ kind: "result", result: done, hints: null });
    expect(server.methods).toEqual(["tools/call"]);
    const [call] = server.heard;
    expect(call?.headers).toMatchObject({
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "echo",
    });
    expect(call?.params).toMatchObject({
      name: "echo",
      arguments: { a: 1 },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { name: "openmcp" },
      },
    });
  });

  it("one for a legacy relay without sessions", verifies("call.one-round-trip"), async () => {
    await using server = await serve(legacy(tools));
    expect(await callAt(server.url, {}, { hints: hints.legacy })).toMatchObject({
      kind: "result",
      result: done,
      hints: null,
    });
    expect(server.methods).toEqual(["tools/call"]);
    expect(server.heard[0]?.headers["mcp-protocol-version"]).toBe("2025-06-18");
    expect(server.heard[0]?.params._meta).not.toHaveProperty("io.modelcontextprotocol/protocolVersion");
  });

  it(
    "a session of its own for a legacy relay that has them, deleted after",
    verifies("call.session"),
    async () => {
      await using server = await serve(withSessions());
      expect(await callAt(server.url, {}, { hints: hints.session })).toMatchObject({
        kind: "result",
        hints: null,
      });
      await eventually(() => server.methods.includes("DELETE"));
      expect(server.methods).toEqual(["initialize", "notifications/initialized", "tools/call", "DELETE"]);
      expect(server.heard.slice(1).every(({ headers }) => headers["mcp-session-id"] === "s1")).toBe(true);
    },
  );

  it("two callers have two sessions", verifies("call.session"), async () => {
    await using server = await serve(withSessions());
    await callAt(server.url, {}, { hints: hints.session });
    await callAt(server.url, {}, { hints: hints.session });
    const used = server.heard
      .filter(({ method }) => method === "tools/call")
      .map(({ headers }) => headers["mcp-session-id"]);
    expect(used).toEqual(["s1", "s2"]);
  });

  it("nothing remembered: the era is asked, and told", async () => {
    await using server = await serve(modern(tools));
    const outcome = await callAt(server.url);
    expect(outcome).toMatchObject({
      kind: "result",
      hints: { era: "modern", protocolVersion: "2026-07-28", session: false },
    });
    expect(server.methods).toEqual(["server/discover", "tools/call"]);
  });
});

describe("what was remembered and is wrong is corrected", () => {
  it("modern is now legacy, with sessions", async () => {
    await using server = await serve(withSessions());
    const outcome = await callAt(server.url, {}, { hints: hints.modern });
    expect(outcome).toMatchObject({
      kind: "result",
      hints: { era: "legacy", protocolVersion: "2025-06-18", session: true },
    });
    expect(calls(server)).toBe(2);
  });

  it("modern is now legacy and answers 404 with a page", async () => {
    await using server = await serve(
      legacy(tools, ({ headers }, response) => {
        if (headers["mcp-method"] === undefined) return false;
        response.writeHead(404, { "content-type": "text/html" }).end("<h1>Not found</h1>");
        return true;
      }),
    );
    expect(await callAt(server.url, {}, { hints: hints.modern })).toMatchObject({
      kind: "result",
      hints: { era: "legacy" },
    });
  });

  it("legacy is now modern", async () => {
    await using server = await serve(modern(tools));
    const outcome = await callAt(server.url, {}, { hints: hints.legacy });
    expect(outcome).toMatchObject({
      kind: "result",
      hints: { era: "modern", protocolVersion: "2026-07-28" },
    });
    expect(server.methods).toEqual(["tools/call", "tools/call"]);
  });

  it("no sessions are now sessions", async () => {
    await using server = await serve(withSessions());
    const outcome = await callAt(server.url, {}, { hints: hints.legacy });
    expect(outcome).toMatchObject({ kind: "result", hints: { session: true } });
  });

  it("sessions are now none", async () => {
    await using server = await serve(legacy(tools));
    expect(await callAt(server.url, {}, { hints: hints.session })).toMatchObject({
      kind: "result",
      hints: { session: false },
    });
  });

  it("an older modern revision", async () => {
    await using server = await serve(modern(tools));
    const stale: EndpointHints = { ...hints.modern, protocolVersion: "2027-01-31" };
    expect(await callAt(server.url, {}, { hints: stale })).toMatchObject({
      kind: "result",
      hints: { protocolVersion: "2026-07-28" },
    });
  });

  it("a server that says it is not initialized, with 200", async () => {
    let ready = false;
    await using server = await serve(
      legacy(tools, (heard, response) => {
        if (heard.method === "initialize") ready = true;
        if (heard.method !== "tools/call" || ready) return false;
        error(heard, response, -32002, { message: "Server not initialized" });
        return true;
      }),
    );
    expect(await callAt(server.url, {}, { hints: hints.legacy })).toMatchObject({ kind: "result" });
  });

  it(
    "a session that another node does not know: one fresh one, one retry",
    verifies("call.session"),
    async () => {
      let lost = 1;
      await using server = await serve(withSessions(() => lost-- > 0));
      expect(await callAt(server.url, {}, { hints: hints.session })).toMatchObject({ kind: "result" });
      expect(calls(server)).toBe(2);
      await eventually(() => server.methods.filter((method) => method === "DELETE").length === 2);
    },
  );

  it("a session that is never known is given up", async () => {
    await using server = await serve(withSessions(() => true));
    expect(await callAt(server.url, {}, { hints: hints.session })).toMatchObject({
      kind: "rpc-error",
      rpc: { code: -32001 },
    });
    expect(calls(server)).toBe(2);
  });
});

describe("a call that may have run is never repeated", verifies("call.never-retried"), () => {
  it.each([
    ["an answer of 500", (r: Response_) => r.writeHead(500).end("oops"), "unreachable"],
    ["an answer of 502", (r: Response_) => r.writeHead(502).end(), "unreachable"],
    ["a broken connection", (r: Response_) => r.destroy(), "unreachable"],
    [
      "a stream that ends early",
      (r: Response_) => r.writeHead(200, { "content-type": "text/event-stream" }).end(": bye\n\n"),
      "unreachable",
    ],
    [
      "a page",
      (r: Response_) => r.writeHead(200, { "content-type": "text/html" }).end("<p>hi"),
      "unreachable",
    ],
    [
      "half an answer",
      (r: Response_) => r.writeHead(200, { "content-type": "application/json" }).end('{"jsonrpc":"2.0",'),
      "unreachable",
    ],
  ])("%s", async (_, respond, kind) => {
    await using server = await serve(
      modern(tools, ({ method }, response) => {
        if (method !== "tools/call") return false;
        respond(response);
        return true;
      }),
    );
    const outcome = await callAt(server.url, {}, { hints: hints.modern });
    expect(outcome).toMatchObject({ kind, message: expect.stringContaining("may have run") });
    expect(calls(server)).toBe(1);
  });

  it("one that never arrived is not said to have run", async () => {
    const server = await serve(modern(tools));
    await server[Symbol.asyncDispose]();
    const outcome = await callAt(server.url, {}, { hints: hints.modern });
    expect(outcome).toEqual({
      kind: "unreachable",
      message: expect.stringMatching(/^Nothing listens at .*\d\.$/),
    });
  });

  it("an error of the tool's own is the answer", async () => {
    await using server = await serve(
      legacy(tools, (heard, response) => {
        if (heard.method !== "tools/call") return false;
        error(heard, response, -32602, { status: 400, message: "Unknown tool", data: { tool: "echo" } });
        return true;
      }),
    );
    const outcome = await callAt(server.url, {}, { hints: hints.legacy });
    expect(outcome).toEqual({
      kind: "rpc-error",
      rpc: { code: -32602, message: "Unknown tool", data: { tool: "echo" } },
    });
    expect(calls(server)).toBe(1);
  });

  it("method not found in both eras is the answer, once each", async () => {
    await using server = await serve(
      modern([], (heard, response) => {
        if (heard.method !== "tools/call") return false;
        error(heard, response, -32601, { status: 404, message: "Method not found" });
        return true;
      }),
    );
    expect(await callAt(server.url, {}, { hints: hints.modern })).toMatchObject({
      kind: "rpc-error",
      rpc: { code: -32601 },
    });
  });
});

describe("time", () => {
  it("is up without a sign of life, and the legacy relay is told", async () => {
    await using server = await serve(legacy(tools, ({ method }) => method === "tools/call"));
    const outcome = await callAt(server.url, {}, { hints: hints.legacy, idleMs: 100 });
    expect(outcome).toMatchObject({ kind: "timeout", message: expect.stringContaining("may have run") });
    await eventually(() => server.methods.includes("notifications/cancelled"));
    expect(server.heard.at(-1)?.params).toMatchObject({ requestId: server.heard[0]?.id });
  });

  it("is renewed by progress, which is handed on", verifies("call.time-limits"), async () => {
    await using server = await serve(
      modern(tools, (heard, response) => {
        if (heard.method !== "tools/call") return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        const token = (heard.params._meta as { progressToken: number }).progressToken;
        let sent = 0;
        const send = (message: object) =>
          response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
        const timer = setInterval(() => {
          sent++;
          send({
            method: "notifications/progress",
            params: { progressToken: token, progress: sent, total: 8, message: `step ${sent}` },
          });
          send({ method: "notifications/progress", params: { progressToken: "another's", progress: 99 } });
          send({ method: "notifications/message", params: { level: "info", data: "log" } });
          if (sent < 8) return;
          clearInterval(timer);
          send({ id: heard.id, result: done });
          response.end();
        }, 50);
        return true;
      }),
    );
    const onProgress = vi.fn();
    const outcome = await callAt(server.url, {}, { hints: hints.modern, idleMs: 200, onProgress });
    expect(outcome).toMatchObject({ kind: "result", result: done });
    expect(onProgress.mock.calls.map(([progress]) => progress)).toEqual(
      Array.from({ length: 8 }, (_, i) => ({ progress: i + 1, total: 8, message: `step ${i + 1}` })),
    );
  });

  it("is up in all, however lively the relay is", verifies("call.time-limits"), async () => {
    await using server = await serve(
      modern(tools, ({ method }, response) => {
        if (method !== "tools/call") return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        const timer = setInterval(() => response.write(": alive\n\n"), 20);
        response.on("close", () => clearInterval(timer));
        return true;
      }),
    );
    expect(await callAt(server.url, {}, { hints: hints.modern, idleMs: 200, timeoutMs: 500 })).toMatchObject({
      kind: "timeout",
    });
  });

  it("an abort rejects; a legacy relay is told, a modern one hears the connection close", async () => {
    let closed = 0;
    const hang = ({ method }: { method: string }, response: Response_) => {
      if (method !== "tools/call") return false;
      response.on("close", () => closed++);
      return true;
    };
    await using old = await serve(legacy(tools, hang));
    await using fresh = await serve(modern(tools, hang));
    for (const [server, hint] of [
      [old, hints.legacy],
      [fresh, hints.modern],
    ] as const) {
      const controller = new AbortController();
      const call = callAt(server.url, {}, { hints: hint, signal: controller.signal });
      await eventually(() => calls(server) === 1);
      controller.abort();
      await expect(call).rejects.toMatchObject({ code: "aborted" });
    }
    await eventually(() => old.methods.includes("notifications/cancelled") && closed === 2);
    expect(fresh.methods).toEqual(["tools/call"]);
  });

  it("an abort beforehand sends nothing", async () => {
    await using server = await serve(modern(tools));
    await expect(
      callAt(server.url, {}, { hints: hints.modern, signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ code: "aborted" });
    expect(server.heard).toEqual([]);
  });

  it("an abort deletes the session it opened", async () => {
    await using server = await serve(withSessions(undefined, ({ method }) => method === "tools/call"));
    const controller = new AbortController();
    const call = callAt(server.url, {}, { hints: hints.session, signal: controller.signal });
    await eventually(() => calls(server) === 1);
    controller.abort();
    await expect(call).rejects.toMatchObject({ code: "aborted" });
    await eventually(
      () => server.methods.includes("DELETE") && server.methods.includes("notifications/cancelled"),
    );
  });
});

describe("the credential", () => {
  const token = "secret-token-0123456789";

  it(
    "goes along as a bearer, and nothing else of the caller does",
    verifies("call.headers-afresh"),
    async () => {
      await using server = await serve(withSessions());
      await callAt(server.url, { token }, { hints: hints.session });
      await eventually(() => server.methods.includes("DELETE"));
      expect(server.heard.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
      const sent = new Set(server.heard.flatMap(({ headers }) => Object.keys(headers)));
      for (const name of ["cookie", "x-forwarded-for", "referer", "origin"]) expect(sent).not.toContain(name);
    },
  );

  it(
    "does not follow a redirect to another origin, nor do the arguments",
    verifies("call.headers-afresh"),
    async () => {
      await using other = await serve(modern(tools));
      await using server = await serve(
        (_, response) => void response.writeHead(307, { location: other.url }).end(),
      );
      const outcome = await callAt(server.url, { token }, { hints: hints.modern });
      expect(outcome).toMatchObject({ kind: "unreachable", message: expect.stringContaining("redirects") });
      expect(other.heard).toEqual([]);
      expect(JSON.stringify(outcome)).not.toContain(token);
    },
  );

  it("follows one within the origin", async () => {
    await using server = await serve(
      modern(tools, (heard, response) => {
        if (heard.headers["x-seen"] !== undefined || server.heard.length > 1) return false;
        response.writeHead(308, { location: "/mcp/" }).end();
        return true;
      }),
    );
    expect(await callAt(server.url, { token }, { hints: hints.modern })).toMatchObject({ kind: "result" });
    expect(server.heard[1]?.headers.authorization).toBe(`Bearer ${token}`);
  });

  it.each([
    [401, true, "refuses the credential"],
    [403, true, "refuses the credential"],
    [401, false, "wants a credential"],
  ])("%i with a token given: %s", async (status, given, message) => {
    await using server = await serve(
      modern(tools, (_, response) => {
        json(
          response,
          { jsonrpc: "2.0", id: null, error: { code: -32001, message: `bad token ${token}` } },
          {
            status,
            headers: {
              "www-authenticate":
                'Bearer realm="odd", resource_metadata="https://relay.example/.well-known/oauth-protected-resource"',
            },
          },
        );
        return true;
      }),
    );
    const outcome = await callAt(server.url, given ? { token } : {}, { hints: hints.modern });
    expect(outcome).toEqual({
      kind: "refused",
      status,
      message: expect.stringContaining(message),
      challenge: {
        scheme: "Bearer",
        realm: "odd",
        scope: null,
        resourceMetadata: "https://relay.example/.well-known/oauth-protected-resource",
      },
    });
    expect(JSON.stringify(outcome)).not.toContain(token);
  });

  it("is taken out of an error in which the relay repeats it", verifies("call.token-unkept"), async () => {
    await using server = await serve(
      modern(tools, (heard, response) => {
        error(heard, response, -32000, {
          message: `no such user: ${token}`,
          data: { authorization: `Bearer ${token}` },
        });
        return true;
      }),
    );
    const outcome = await callAt(server.url, { token }, { hints: hints.modern });
    expect(outcome).toEqual({
      kind: "rpc-error",
      rpc: { code: -32000, message: "no such user: [token]", data: { authorization: "Bearer [token]" } },
    });
  });

  it.each(["two words", "tab\there", "line\r\nx-evil: 1", "smörgås"])(
    "that no header holds is refused unsent: %j",
    async (bad) => {
      await using server = await serve(modern(tools));
      const call = callAt(server.url, { token: bad }, { hints: hints.modern });
      await expect(call).rejects.toMatchObject({ code: "invalid-input", data: { field: "token" } });
      await expect(call).rejects.not.toThrow(bad);
      expect(server.heard).toEqual([]);
    },
  );
});

describe("results come whole", () => {
  it("with unknown keys, input_required and isError", async () => {
    const odd = {
      resultType: "input_required",
      inputRequests: { r1: { method: "elicitation/create", params: { message: "?" } } },
      requestState: "opaque",
      "x-vendor": [1, { deep: null }],
      isError: true,
      content: [{ type: "hologram", data: "…" }],
    };
    await using server = await serve(
      modern(tools, (heard, response) => {
        result(heard, response, odd);
        return true;
      }),
    );
    expect(await callAt(server.url, {}, { hints: hints.modern })).toEqual({
      kind: "result",
      result: odd,
      text: JSON.stringify(odd),
      hints: null,
    });
  });

  it("matched by the exact id: a string is not the number", async () => {
    await using server = await serve(
      modern(tools, (heard, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const id of [String(heard.id), 99, null]) {
          response.write(
            `data: ${JSON.stringify({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "wrong" }] } })}\n\n`,
          );
        }
        response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: heard.id, result: done })}\n\n`);
        return true;
      }),
    );
    expect(await callAt(server.url, {}, { hints: hints.modern })).toMatchObject({
      kind: "result",
      result: done,
    });
  });

  it.each(["null", "[1]", "5"])("%s is no result, and is not waited for", async (odd) => {
    await using server = await serve((heard, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      // The stream stays open: the answer is in.
      response.write(`data: {"jsonrpc":"2.0","id":${JSON.stringify(heard.id)},"result":${odd}}\n\n`);
    });
    const outcome = await callAt(server.url, {}, { hints: hints.modern });
    expect(outcome).toMatchObject({ kind: "unreachable", message: expect.stringContaining("no object") });
  });

  it("an error that is a text is one", async () => {
    await using server = await serve((heard, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(heard.id)},"error":"out of tea"}`);
    });
    expect(await callAt(server.url, {}, { hints: hints.modern })).toMatchObject({
      kind: "rpc-error",
      rpc: { code: -32603, message: "out of tea" },
    });
  });

  it("after requests of the server: a ping is answered, anything else declined", async () => {
    await using server = await serve(
      legacy(tools, (heard, response) => {
        if (heard.method === "" && heard.http === "POST") {
          response.writeHead(202).end();
          return true;
        }
        if (heard.method !== "tools/call") return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write('data: {"jsonrpc":"2.0","id":"p1","method":"ping"}\n\n');
        response.write('data: {"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{}}\n\n');
        void eventually(() => replies().length === 2).then(() =>
          response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: heard.id, result: done })}\n\n`),
        );
        return true;
      }),
    );
    const replies = () =>
      server.heard
        .filter(({ http, method }) => http === "POST" && method === "")
        .map(({ text }) => JSON.parse(text));
    expect(await callAt(server.url, {}, { hints: hints.legacy })).toMatchObject({ kind: "result" });
    expect(replies()).toEqual(
      expect.arrayContaining([
        { jsonrpc: "2.0", id: "p1", result: {} },
        { jsonrpc: "2.0", id: 7, error: expect.objectContaining({ code: -32601 }) },
      ]),
    );
  });
});

describe("headers from arguments (x-mcp-header)", () => {
  const inputSchema = {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      where: { type: "object", properties: { floor: { type: "integer", "x-mcp-header": "Floor" } } },
      loud: { type: "boolean", "x-mcp-header": "Loud" },
      plain: { type: "string" },
    },
  };
  const definition = tool("echo", { inputSchema });

  it("are sent to a modern relay, encoded where they must be", async () => {
    await using server = await serve(modern([definition]));
    const args = { region: "Zürich ", where: { floor: 3 }, loud: false, plain: "x" };
    await callAt(server.url, { arguments: args }, { hints: hints.modern, definition });
    const sent = server.heard[0]?.headers ?? {};
    expect(sent["mcp-param-region"]).toBe(`=?base64?${Buffer.from("Zürich ").toString("base64")}?=`);
    expect(sent["mcp-param-floor"]).toBe("3");
    expect(sent["mcp-param-loud"]).toBe("false");
    expect(Object.keys(sent)).not.toContain("mcp-param-plain");
  });

  it("are JavaScript's spelling of a number that the body has digit by digit", async () => {
    await using server = await serve(modern([definition]));
    const text = '{"where":{"floor":3.0}}';
    const args = withExactNumbers(text, JSON.parse(text));
    await callAt(server.url, { arguments: args }, { hints: hints.modern, definition });
    expect(server.heard[0]?.headers["mcp-param-floor"]).toBe("3");
    expect(server.heard[0]?.text).toContain(`"arguments":${text}`);
  });

  it("are not sent to a legacy one", async () => {
    await using server = await serve(legacy([definition]));
    await callAt(server.url, { arguments: { region: "eu" } }, { hints: hints.legacy, definition });
    expect(
      Object.keys(server.heard[0]?.headers ?? {}).filter((name) => name.startsWith("mcp-param")),
    ).toEqual([]);
  });

  it("that the relay misses are learnt from its list, and the call is made again", async () => {
    await using server = await serve(
      modern([definition], (heard, response) => {
        if (heard.method !== "tools/call" || heard.headers["mcp-param-region"] === "eu") return false;
        error(heard, response, -32020, { status: 400, message: "Mcp-Param-Region is missing" });
        return true;
      }),
    );
    const outcome = await callAt(
      server.url,
      { arguments: { region: "eu" } },
      { hints: hints.modern, definition: null },
    );
    expect(outcome).toMatchObject({ kind: "result" });
    expect(server.methods).toEqual(["tools/call", "tools/list", "tools/call"]);
  });

  it("that it goes on missing are its error", async () => {
    await using server = await serve(
      modern([definition], (heard, response) => {
        if (heard.method !== "tools/call") return false;
        error(heard, response, -32020, { status: 400 });
        return true;
      }),
    );
    const outcome = await callAt(
      server.url,
      { arguments: { region: "eu" } },
      { hints: hints.modern, definition },
    );
    expect(outcome).toMatchObject({ kind: "rpc-error", rpc: { code: -32020 } });
    expect(calls(server)).toBe(1);
  });

  it("a tool's name that no header holds is encoded", async () => {
    await using server = await serve(modern([tool("größe")]));
    await callAt(server.url, { tool: "größe" }, { hints: hints.modern });
    expect(server.heard[0]?.headers["mcp-name"]).toBe(
      `=?base64?${Buffer.from("größe").toString("base64")}?=`,
    );
  });
});

type Response_ = Parameters<Parameters<typeof serve>[0]>[1];

function calls(server: { readonly methods: readonly string[] }): number {
  return server.methods.filter((method) => method === "tools/call").length;
}

/** A legacy server that wants a session for everything but `initialize`. */
function withSessions(
  lost: () => boolean = () => false,
  over: (heard: { method: string }) => boolean = () => false,
) {
  let opened = 0;
  return legacy(tools, (heard, response) => {
    if (heard.method === "initialize") {
      const answer = {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "odd", version: "1" },
      };
      json(
        response,
        { jsonrpc: "2.0", id: heard.id, result: answer },
        { headers: { "mcp-session-id": `s${++opened}` } },
      );
      return true;
    }
    if (heard.headers["mcp-session-id"] === undefined) {
      error(heard, response, -32000, { status: 400, message: "Bad Request: no session" });
      return true;
    }
    if (heard.http === "DELETE") {
      response.writeHead(200).end();
      return true;
    }
    if (heard.method === "tools/call" && lost()) {
      error(heard, response, -32001, { status: 404, message: "Session not found" });
      return true;
    }
    return over(heard);
  });
}
