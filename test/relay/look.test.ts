/** Where a look ends, with what evidence, and what others' users report that must not happen here (probe.md). */

import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { createExchange } from "../../src/net/index.ts";
import { type EndpointHints, OpenMcpError, type ProbeState } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";
import { error, eventually, json, legacy, lookAt, modern, names, result, serve, tool } from "./harness.ts";

const two = [tool("one"), tool("two")];
const now = Date.parse("2026-11-30T12:00:00Z");
const fresh = new Date(now - 60_000).toISOString();
const old = new Date(now - 48 * 60 * 60 * 1_000).toISOString();

describe("online", () => {
  it(
    "modern: discover and one page, nothing else",
    verifies("probe.both-eras", "probe.unauthenticated"),
    async () => {
      await using server = await serve(modern(two));
      const verdict = await lookAt(server.url, { now: () => now });
      expect(verdict).toMatchObject({
        state: "online",
        era: "2026-07-28",
        transport: "streamable-http",
        httpStatus: 200,
        server: { name: "odd", version: "2.0.0", protocolVersion: "2026-07-28" },
        toolsTruncated: false,
        notes: [],
        error: null,
        challenge: null,
        hints: {
          era: "modern",
          protocolVersion: "2026-07-28",
          session: false,
          judgedAt: new Date(now).toISOString(),
        },
      });
      expect(verdict.latencyMs).toBeGreaterThanOrEqual(0);
      expect(server.methods).toEqual(["server/discover", "tools/list"]);
      expect(verdict.steps.map(({ step, method, status, ok }) => [step, method, status, ok])).toEqual([
        ["server/discover", "POST", 200, true],
        ["tools/list", "POST", 200, true],
      ]);
      const [discover, list] = server.heard;
      expect(server.heard.every(({ headers }) => headers.authorization === undefined)).toBe(true);
      expect(discover?.headers).toMatchObject({
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "server/discover",
      });
      expect(discover?.headers["mcp-name"]).toBeUndefined();
      expect(list?.params._meta).toMatchObject({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    },
  );

  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "legacy, negotiated to %s",
    async (version) => {
      await using server = await serve(
        legacy(two, (heard, response) => {
          if (heard.method !== "initialize") return false;
          result(heard, response, { protocolVersion: version, capabilities: { tools: {} } });
          return true;
        }),
      );
      const verdict = await lookAt(server.url);
      expect(verdict).toMatchObject({
        state: "online",
        era: version,
        hints: { era: "legacy", protocolVersion: version, session: false },
      });
      expect(server.methods).toEqual([
        "server/discover",
        "initialize",
        "notifications/initialized",
        "tools/list",
      ]);
      const [, initialize, initialized, list] = server.heard;
      expect(initialize?.params).toMatchObject({
        protocolVersion: "2025-11-25",
        clientInfo: { name: "openmcp" },
      });
      expect(initialize?.headers["mcp-protocol-version"]).toBeUndefined();
      expect(initialized?.headers["mcp-protocol-version"]).toBe(version);
      expect(list?.headers["mcp-protocol-version"]).toBe(version);
      expect(list?.params).toEqual({});
    },
  );

  it.each([
    ["names its versions", { supported: ["2025-03-26", "2024-11-05"] }, "Unsupported version", "2025-03-26"],
    ["names none", undefined, "Unsupported protocol version: 2025-11-25", "2025-03-26"],
  ])("legacy that refuses the newest version and %s", async (_, data, message, agreed) => {
    await using server = await serve(
      legacy(two, (heard, response) => {
        if (heard.method !== "initialize") return false;
        if (heard.params.protocolVersion === "2025-03-26") {
          result(heard, response, { protocolVersion: "2025-03-26", capabilities: { tools: {} } });
        } else error(heard, response, -32602, { message, data });
        return true;
      }),
    );
    expect(await lookAt(server.url)).toMatchObject({ state: "online", era: agreed });
  });

  it("modern that wants another revision: asked again in one it names", async () => {
    await using server = await serve((heard, response) => {
      if (heard.headers["mcp-protocol-version"] !== "2026-12-01") {
        return error(heard, response, -32022, {
          status: 400,
          data: { supported: ["2025-11-25", "2026-12-01"] },
        });
      }
      if (heard.method === "server/discover")
        return result(heard, response, { supportedVersions: ["2026-12-01"], capabilities: { tools: {} } });
      result(heard, response, { tools: two });
    });
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "online", era: "2026-12-01" });
    expect(verdict.notes).toEqual(["It speaks the revision 2026-12-01, which is newer than this catalog."]);
    expect(server.methods).toEqual(["server/discover", "server/discover", "tools/list"]);
  });

  it("modern that goes on refusing is asked twice, not for ever", async () => {
    await using server = await serve((heard, response) =>
      heard.http === "POST"
        ? error(heard, response, -32022, { status: 400, data: { supported: ["2026-07-28"] } })
        : void response.writeHead(405).end(),
    );
    expect((await lookAt(server.url)).state).toBe("protocol-error");
    expect(server.heard.length).toBeLessThan(8);
  });

  it.each([-32020, -32021])("error %i to discover means modern", async (code) => {
    await using server = await serve(
      modern(two, (heard, response) => {
        if (heard.method !== "server/discover") return false;
        error(heard, response, code, { status: 400 });
        return true;
      }),
    );
    expect(await lookAt(server.url)).toMatchObject({
      state: "online",
      era: "2026-07-28",
      server: { name: "odd" },
    });
    expect(server.methods).not.toContain("initialize");
  });

  it("a front door that blocks only discover: initialize tells it is modern", async () => {
    await using server = await serve(
      modern(two, (heard, response) => {
        if (heard.method !== "server/discover") return false;
        response.writeHead(403).end();
        return true;
      }),
    );
    expect(await lookAt(server.url)).toMatchObject({ state: "online", era: "2026-07-28" });
  });

  it("no tools at all, never promised: online with none", async () => {
    await using server = await serve(
      modern([], (heard, response) => {
        if (heard.method === "server/discover")
          result(heard, response, { supportedVersions: ["2026-07-28"], capabilities: { prompts: {} } });
        else error(heard, response, -32601, { status: 404 });
        return true;
      }),
    );
    expect(await lookAt(server.url)).toMatchObject({
      state: "online",
      tools: [],
      notes: expect.arrayContaining(["It offers no tools."]),
    });
  });

  it("tools: null is an empty list", async () => {
    await using server = await serve(
      legacy([], (heard, response) => {
        if (heard.method !== "tools/list") return false;
        result(heard, response, { tools: null });
        return true;
      }),
    );
    expect(await lookAt(server.url)).toMatchObject({ state: "online", tools: [] });
  });
});

describe("hints", () => {
  /** As the servers of the older SDKs: a revision they don't know is refused before anything else. */
  function strictAboutVersions(
    heard: Parameters<typeof error>[0],
    response: Parameters<typeof error>[1],
  ): boolean {
    if (heard.headers["mcp-protocol-version"] !== "2026-07-28") return false;
    error({ ...heard, id: undefined }, response, -32000, {
      status: 400,
      message: "Bad Request: Unsupported protocol version",
    });
    return true;
  }

  const hint = (era: "modern" | "legacy", judgedAt: string): EndpointHints => ({
    era,
    protocolVersion: era === "modern" ? "2026-07-28" : "2025-06-18",
    session: false,
    judgedAt,
  });

  it("a modern one saves the discovery, and keeps its date", async () => {
    await using server = await serve(modern(two));
    const verdict = await lookAt(server.url, { hints: hint("modern", fresh), now: () => now });
    expect(server.methods).toEqual(["tools/list"]);
    expect(verdict).toMatchObject({ state: "online", hints: hint("modern", fresh), server: { name: "odd" } });
  });

  it("without a name in the answer the server is not told, not forgotten", async () => {
    await using server = await serve((heard, response) => result(heard, response, { tools: two }));
    const verdict = await lookAt(server.url, { hints: hint("modern", fresh), now: () => now });
    expect(verdict).toMatchObject({ state: "online", server: null });
  });

  it("an old one is asked again", async () => {
    await using server = await serve(modern(two));
    const verdict = await lookAt(server.url, { hints: hint("modern", old), now: () => now });
    expect(server.methods).toEqual(["server/discover", "tools/list"]);
    expect(verdict.hints?.judgedAt).toBe(new Date(now).toISOString());
  });

  it("a legacy one asks initialize first", async () => {
    await using server = await serve(legacy(two));
    await lookAt(server.url, { hints: hint("legacy", fresh), now: () => now });
    expect(server.methods).toEqual(["initialize", "notifications/initialized", "tools/list"]);
  });

  it.each([
    ["modern", legacy(two, strictAboutVersions), "2025-06-18"],
    ["legacy", modern(two), "2026-07-28"],
  ] as const)("a stale %s one is corrected", async (era, respond, spoken) => {
    await using server = await serve(respond);
    const verdict = await lookAt(server.url, { hints: hint(era, fresh), now: () => now });
    expect(verdict).toMatchObject({
      state: "online",
      era: spoken,
      hints: { judgedAt: new Date(now).toISOString() },
    });
  });
});

describe("sessions", () => {
  const session = { "mcp-session-id": "s-1" };
  const opening = (
    heard: Parameters<Parameters<typeof serve>[0]>[0],
    response: Parameters<Parameters<typeof serve>[0]>[1],
  ) => {
    if (heard.method !== "initialize") return false;
    const answer = { protocolVersion: "2025-06-18", capabilities: { tools: {} } };
    json(response, { jsonrpc: "2.0", id: heard.id, result: answer }, { headers: session });
    return true;
  };

  it("that was opened is used and deleted", verifies("probe.session-deleted"), async () => {
    await using server = await serve(legacy(two, opening));
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "online", hints: { session: true } });
    expect(server.methods).toEqual([
      "server/discover",
      "initialize",
      "notifications/initialized",
      "tools/list",
      "DELETE",
    ]);
    expect(server.heard.slice(2).map(({ headers }) => headers["mcp-session-id"])).toEqual([
      "s-1",
      "s-1",
      "s-1",
    ]);
    expect(verdict.steps.at(-1)).toMatchObject({ step: "DELETE", method: "DELETE", status: 405 });
  });

  it("is deleted after a failure too", verifies("probe.session-deleted"), async () => {
    await using server = await serve(
      legacy(two, (heard, response) => {
        if (heard.method !== "tools/list") return opening(heard, response);
        response.writeHead(500).end();
        return true;
      }),
    );
    expect((await lookAt(server.url)).state).toBe("protocol-error");
    expect(server.methods.at(-1)).toBe("DELETE");
  });

  it("is deleted when the look is aborted", async () => {
    await using server = await serve(
      legacy(two, (heard, response) => heard.method === "tools/list" || opening(heard, response)),
    );
    const controller = new AbortController();
    const looking = lookAt(server.url, { signal: controller.signal });
    await eventually(() => server.methods.includes("tools/list"));
    controller.abort();
    await expect(looking).rejects.toMatchObject({ code: "aborted" });
    await eventually(() => server.methods.includes("DELETE"));
  });

  it("a DELETE that is never answered holds nobody up for long", async () => {
    await using server = await serve(
      legacy(two, (heard, response) => heard.http === "DELETE" || opening(heard, response)),
    );
    expect(await lookAt(server.url)).toMatchObject({ state: "online" });
  });

  it("that is lost at once is opened once more", async () => {
    let lost = 1;
    await using server = await serve(
      legacy(two, (heard, response) => {
        if (heard.method !== "tools/list" || lost-- <= 0) return opening(heard, response);
        error(heard, response, -32001, { status: 404, message: "Session not found" });
        return true;
      }),
    );
    expect(await lookAt(server.url)).toMatchObject({ state: "online" });
    expect(server.methods.filter((method) => method === "initialize")).toHaveLength(2);
  });
});

describe("not online", () => {
  type Respond = Parameters<typeof serve>[0];
  const post =
    (respond: Respond): Respond =>
    (heard, response) =>
      heard.http === "POST" ? respond(heard, response) : void response.writeHead(405).end();
  const text = (status: number, type: string, body: string, headers = {}): Respond =>
    post((_, response) => void response.writeHead(status, { "content-type": type, ...headers }).end(body));

  it.each<[string, ProbeState, number | null, string, Respond]>([
    ["a web page", "not-mcp", 200, "web page", text(200, "text/html", "<html>")],
    ["a 404 page", "not-mcp", 404, "nothing at this path", text(404, "text/html", "<html>")],
    ["405 to everything", "not-mcp", 405, "…/mcp", text(405, "text/plain", "")],
    [
      "JSON that is no JSON-RPC",
      "not-mcp",
      200,
      "no JSON-RPC",
      text(200, "application/json", '{"status":"ok"}'),
    ],
    [
      "JSON-RPC that is no MCP",
      "not-mcp",
      200,
      "does not know initialize",
      post((heard, response) => error(heard, response, -32601)),
    ],
    ["text", "not-mcp", 200, "“hello you”", text(200, "text/plain", "hello\n\u0007you")],
    ["nothing", "not-mcp", 200, "with nothing", text(200, "application/json", "")],
    [
      "a redirect that no POST follows",
      "not-mcp",
      301,
      "https://elsewhere.example/mcp",
      text(301, "text/html", "", { location: "https://elsewhere.example/mcp" }),
    ],
    ["401", "auth-required", 401, "/.well-known/openmcp.json", text(401, "application/json", "{}")],
    ["403", "auth-required", 403, "HTTP 403", text(403, "text/html", "<html>")],
    ["503", "unreachable", 503, "down or overloaded", text(503, "text/html", "<html>")],
    ["500", "protocol-error", 500, "HTTP 500", text(500, "text/plain", "boom")],
    [
      "broken JSON",
      "protocol-error",
      200,
      "can't be parsed",
      text(200, "application/json", '{"jsonrpc":"2.0",'),
    ],
    [
      "an error to initialize",
      "protocol-error",
      200,
      "-32603, “database down”",
      post((heard, response) => error(heard, response, -32603, { message: "database down" })),
    ],
    [
      "no list in tools/list",
      "protocol-error",
      200,
      'named "tools"',
      post((heard, response) =>
        result(heard, response, { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }),
      ),
    ],
    [
      "JSON nested 100,000 deep",
      "protocol-error",
      200,
      "nested too deep",
      post(
        (heard, response) =>
          void response
            .writeHead(200, { "content-type": "application/json" })
            .end(
              `{"jsonrpc":"2.0","id":${heard.id},"result":${'{"a":'.repeat(100_000)}1${"}".repeat(100_001)}`,
            ),
      ),
    ],
    [
      "the same in an event stream",
      "protocol-error",
      200,
      "nested too deep",
      post(
        (heard, response) =>
          void response
            .writeHead(200, { "content-type": "text/event-stream" })
            .end(
              `data: {"jsonrpc":"2.0","id":${heard.id},"result":${"[".repeat(100_000)}${"]".repeat(100_000)}}\n\n`,
            ),
      ),
    ],
  ])("%s", async (_, state, status, sentence, respond) => {
    await using server = await serve(respond);
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({
      state,
      httpStatus: status,
      tools: null,
      hints: null,
      toolsTruncated: false,
    });
    expect(verdict.error).toContain(sentence);
    expect(verdict.error).toMatch(/^[A-Z].*\.$/);
    expect(verdict.steps.every(({ ok }) => !ok) || verdict.era !== null).toBe(true);
  });

  it("429 says how long to wait", async () => {
    await using server = await serve(text(429, "text/plain", "slow down", { "retry-after": "30" }));
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "unreachable", httpStatus: 429, retryAfterSeconds: 30 });
    expect(verdict.error).toContain("try again in 30 s");
  });

  it("a credential: what WWW-Authenticate says is kept, and no GET is made", async () => {
    await using server = await serve((_, response) => {
      response.writeHead(401, {
        "www-authenticate":
          'Bearer realm="odd", scope="read write", resource_metadata="https://relay.example/.well-known/oauth-protected-resource/mcp"',
      });
      response.end();
    });
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({
      state: "auth-required",
      challenge: {
        scheme: "Bearer",
        realm: "odd",
        scope: "read write",
        resourceMetadata: "https://relay.example/.well-known/oauth-protected-resource/mcp",
      },
    });
    expect(server.methods).toEqual(["server/discover", "initialize"]);
  });

  it("an open handshake and a gated list", async () => {
    await using server = await serve(
      modern(two, ({ method }, response) => {
        if (method !== "tools/list") return false;
        response.writeHead(401, { "www-authenticate": "Bearer" }).end();
        return true;
      }),
    );
    expect(await lookAt(server.url)).toMatchObject({
      state: "auth-required",
      era: "2026-07-28",
      challenge: { scheme: "Bearer" },
      server: { name: "odd" },
    });
  });

  it("HTTP+SSE is recognised by one GET", verifies("probe.sse-recognised"), async () => {
    let dropped = false;
    await using server = await serve(({ http }, response) => {
      if (http !== "GET")
        return void response.writeHead(404, { "content-type": "text/html" }).end("<pre>Cannot POST</pre>");
      response.on("close", () => (dropped = true));
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": hi\n\nevent: endpoint\ndata: /messages?sessionId=1\n\n");
    });
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "wrong-transport", transport: "http+sse", httpStatus: 200 });
    expect(verdict.error).toContain("Streamable HTTP");
    expect(server.methods.filter((method) => method === "GET")).toHaveLength(1);
    await eventually(() => dropped);
  });

  it("a GET that is an error proves nothing", async () => {
    await using server = await serve(legacy(two, ({ http }) => http === "GET"));
    expect(await lookAt(server.url)).toMatchObject({ state: "online" });
    expect(server.methods).not.toContain("GET");
  });

  it("an event stream on GET that is no HTTP+SSE", async () => {
    await using server = await serve(({ http }, response) => {
      if (http !== "GET") return void response.writeHead(404).end();
      response.writeHead(200, { "content-type": "text/event-stream" }).end("event: update\ndata: {}\n\n");
    });
    expect(await lookAt(server.url)).toMatchObject({ state: "not-mcp" });
  });

  it("nobody listens", async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const verdict = await lookAt(`http://127.0.0.1:${port}/mcp`);
    expect(verdict).toMatchObject({ state: "unreachable", httpStatus: null, latencyMs: null, era: null });
    expect(verdict.error).toBe(`Nothing listens at http://127.0.0.1:${port}.`);
    expect(verdict.steps).toHaveLength(1);
  });

  it("our own closing, or want of sockets, is no verdict on the relay", async () => {
    const closing = createExchange({ allowLoopback: true, allowNetworks: [] });
    await using server = await serve(() => {});
    const looking = lookAt(server.url, { exchange: closing.exchange });
    await eventually(() => server.heard.length === 1);
    await Promise.all([expect(looking).rejects.toMatchObject({ code: "aborted" }), closing.close()]);
    const dry = async () => {
      throw new OpenMcpError("unavailable", "no socket left");
    };
    await expect(lookAt(server.url, { exchange: dry })).rejects.toMatchObject({ code: "unavailable" });
  });

  it("the policy refuses the address: asked once", async () => {
    await using strict = createExchange({ allowLoopback: false, allowNetworks: [] });
    await using server = await serve(modern(two));
    const verdict = await lookAt(server.url, { exchange: strict.exchange });
    expect(verdict).toMatchObject({
      state: "blocked",
      httpStatus: null,
      error: expect.stringContaining("loopback"),
    });
    expect(verdict.steps).toHaveLength(1);
    expect(server.heard).toEqual([]);
  });

  it("a redirect to a forbidden place, which is not followed", async () => {
    await using server = await serve(
      (_, response) => void response.writeHead(307, { location: "http://169.254.169.254/latest" }).end(),
    );
    expect(await lookAt(server.url)).toMatchObject({
      state: "not-mcp",
      redirectsTo: "http://169.254.169.254/latest",
    });
  });

  it("accepts and never answers, in both eras, within the time for the whole look", async () => {
    await using server = await serve(() => {});
    const verdict = await lookAt(server.url, { timeoutMs: 500 });
    expect(verdict).toMatchObject({ state: "timeout", httpStatus: null });
    expect(verdict.steps.map(({ step }) => step)).toEqual(["server/discover", "initialize"]);
  });

  it("answers 200 on a page while its server is dead: only an MCP answer is health", async () => {
    await using server = await serve(({ http }, response) => {
      if (http === "GET") response.writeHead(200, { "content-type": "text/event-stream" }).write(": up\n\n");
      else response.writeHead(200, { "content-type": "text/event-stream" }).end();
    });
    expect((await lookAt(server.url)).state).toBe("protocol-error");
  });
});

describe("paging", verifies("probe.paged"), () => {
  /** Pages by cursor; the empty string is the first page. */
  const paged = (pages: Record<string, { tools: unknown; nextCursor?: unknown }>) =>
    serve(
      modern([], (heard, response) => {
        if (heard.method !== "tools/list") return false;
        result(heard, response, pages[String(heard.params.cursor ?? "first")]);
        return true;
      }),
    );
  const lists = (server: { methods: readonly string[] }) =>
    server.methods.filter((method) => method === "tools/list").length;

  it("follows cursors to the end", async () => {
    await using server = await paged({
      first: { tools: [tool("a")], nextCursor: "p2" },
      p2: { tools: [tool("b")], nextCursor: "p3" },
      p3: { tools: [tool("c")], nextCursor: null },
    });
    const verdict = await lookAt(server.url);
    expect(names(verdict)).toEqual(["a", "b", "c"]);
    expect(verdict.notes).toEqual([]);
  });

  it("a repeated cursor ends it", async () => {
    await using server = await paged({
      first: { tools: [tool("a")], nextCursor: "p2" },
      p2: { tools: [tool("b")], nextCursor: "p2" },
    });
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "online", toolsTruncated: false });
    expect(names(verdict)).toEqual(["a", "b"]);
    expect(verdict.notes[0]).toContain("repeats a cursor");
    expect(lists(server)).toBe(2);
  });

  it('"" is a cursor like another, once', async () => {
    await using server = await paged({
      first: { tools: [tool("a")], nextCursor: "" },
      "": { tools: [tool("b")], nextCursor: "" },
    });
    expect(names(await lookAt(server.url))).toEqual(["a", "b"]);
    expect(lists(server)).toBe(2);
  });

  it("ever new cursors with nothing new are left", async () => {
    let page = 0;
    await using server = await serve(
      modern([], (heard, response) => {
        if (heard.method !== "tools/list") return false;
        result(heard, response, { tools: [tool("a"), tool("b")], nextCursor: `p${++page}` });
        return true;
      }),
    );
    const verdict = await lookAt(server.url);
    expect(names(verdict)).toEqual(["a", "b"]);
    expect(lists(server)).toBeLessThan(6);
  });

  it(
    "a name that comes twice is kept once, as it came first",
    verifies("probe.tools-deduplicated"),
    async () => {
      await using server = await paged({
        first: { tools: [tool("b", { title: "first" }), tool("a")], nextCursor: "p2" },
        p2: { tools: [tool("b", { title: "second" }), tool("c")] },
      });
      const verdict = await lookAt(server.url);
      expect(names(verdict)).toEqual(["b", "a", "c"]);
      expect(verdict.tools?.[0]?.title).toBe("first");
      expect(verdict.notes).toEqual(['The tool "b" is listed more than once.']);
    },
  );

  it("5,000 tools are listed and the cap is said", verifies("probe.tools-truncated"), async () => {
    let page = 0;
    await using server = await serve(
      modern([], (heard, response) => {
        if (heard.method !== "tools/list") return false;
        page++;
        result(heard, response, {
          tools: Array.from({ length: 700 }, (_, i) => tool(`t${page}-${i}`)),
          nextCursor: `p${page}`,
        });
        return true;
      }),
    );
    const verdict = await lookAt(server.url);
    expect(verdict.tools).toHaveLength(5_000);
    expect(verdict.toolsTruncated).toBe(true);
    expect(verdict.notes[0]).toContain("5000");
    expect(lists(server)).toBe(8);
  });

  it("100,000 tools on one page are cut too", async () => {
    await using server = await paged({
      first: { tools: Array.from({ length: 100_000 }, (_, i) => ({ name: `t${i}` })) },
    });
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "online", toolsTruncated: true });
    expect(verdict.tools).toHaveLength(5_000);
    expect(verdict.notes.length).toBeLessThan(25);
  });

  it("a page that fails leaves what came before, and says so", async () => {
    await using server = await serve(
      modern([], (heard, response) => {
        if (heard.method !== "tools/list") return false;
        if (heard.params.cursor === undefined)
          result(heard, response, { tools: [tool("a")], nextCursor: "p2" });
        else response.writeHead(500).end();
        return true;
      }),
    );
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "online", toolsTruncated: true });
    expect(names(verdict)).toEqual(["a"]);
    expect(verdict.notes[0]).toContain("broke off");
  });

  it("names of 5,000 characters or of HTML are kept, and cut in sentences", async () => {
    const long = "x".repeat(5_000);
    const html = "<img src=x onerror=alert(1)>";
    await using server = await paged({ first: { tools: [{ name: long }, { name: html, inputSchema: {} }] } });
    const verdict = await lookAt(server.url);
    expect(names(verdict)).toEqual([long, html]);
    expect(Math.max(...verdict.notes.map((note) => note.length))).toBeLessThan(300);
  });
});

describe("forms of answers", verifies("probe.transport-tolerance"), () => {
  const forms: readonly (readonly [
    string,
    string,
    (text: string) => string | readonly (string | Buffer)[],
  ])[] = [
    ["JSON with a charset", "application/json; charset=UTF-8", (text) => text],
    ["JSON with a byte order mark", "application/json;charset=utf-8", (text) => `\uFEFF${text}`],
    ["JSON after white space", "application/json", (text) => `\r\n\t ${text}\n`],
    ["JSON called something else", "text/plain", (text) => text],
    ["JSON with a vendor's type", "application/vnd.api+json", (text) => text],
    [
      "JSON in an array",
      "application/json",
      (text) => `[{"jsonrpc":"2.0","method":"notifications/message","params":{}},${text}]`,
    ],
    [
      "JSON in single bytes",
      "application/json",
      (text) => [...Buffer.from(text)].map((byte) => Buffer.from([byte])),
    ],
    [
      "SSE with a charset",
      'text/event-stream; charset="utf-8"',
      (text) => `event: message\ndata: ${text}\n\n`,
    ],
    ["SSE with CRLF", "text/event-stream", (text) => `event: message\r\ndata: ${text}\r\n\r\n`],
    ["SSE with CR", "text/event-stream", (text) => `event: message\rdata: ${text}\r\r`],
    ["SSE with a byte order mark", "text/event-stream", (text) => `\uFEFFdata: ${text}\n\n`],
    [
      "SSE without spaces, with ids and retry",
      "text/event-stream",
      (text) => `id:1\nretry:10\ndata:${text}\n\n`,
    ],
    [
      "SSE with comments and empty events",
      "text/event-stream",
      (text) => `: hello\n\n\n:\ndata:\n\nevent: ping\ndata: {}\n\ndata: ${text}\n\n`,
    ],
    [
      "SSE over several data lines",
      "text/event-stream",
      (text) => `data: ${text.replace(/,/g, ",\ndata: ")}\n\n`,
    ],
    ["SSE without its last empty line", "text/event-stream", (text) => `data: ${text}`],
    [
      "SSE in single bytes",
      "text/event-stream",
      (text) => [...Buffer.from(`: ü\r\ndata: ${text}\r\n\r\n`)].map((byte) => Buffer.from([byte])),
    ],
    ["SSE with a batch", "text/event-stream", (text) => `data: [{"jsonrpc":"2.0","method":"x"},${text}]\n\n`],
    ["SSE that is not called so", "", (text) => `event: message\ndata: ${text}\n\n`],
    [
      "SSE with other messages before",
      "text/event-stream",
      (text) =>
        `${[
          { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } },
          { jsonrpc: "2.0", id: 2, method: "ping" },
          { jsonrpc: "2.0", id: "2", result: { tools: [] } },
          { jsonrpc: "2.0", id: null, error: { code: -1, message: "" } },
          "no object",
        ]
          .map((message) => `data: ${JSON.stringify(message)}\n\n`)
          .join("")}data: not JSON\n\ndata: ${text}\n\n`,
    ],
  ];

  it.each(forms)("%s", async (_, type, form) => {
    const unicode = tool("ünï😀", { description: "line\nbreak" });
    await using server = await serve((heard, response) => {
      const value =
        heard.method === "server/discover"
          ? { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }
          : { tools: [unicode] };
      const body = form(JSON.stringify({ jsonrpc: "2.0", id: heard.id, result: value }));
      response.writeHead(200, type === "" ? {} : { "content-type": type });
      for (const piece of typeof body === "string" ? [body] : body) response.write(piece);
      response.end();
    });
    const verdict = await lookAt(server.url);
    expect(verdict.error).toBeNull();
    expect(verdict.tools).toEqual([unicode]);
  });
});
