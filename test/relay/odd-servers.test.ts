/** The twelve kinds of odd servers that are found in the field (probe.md), each read rightly. */
import { describe, expect, it } from "vitest";
import { verifies } from "../requirements.ts";
import { error, json, legacy, lookAt, modern, names, result, serve, tool } from "./harness.ts";

const two = [tool("one"), tool("two")];

describe("1: answers anything to server/discover and serves initialize well", () => {
  it.each([
    ["500 with HTML", { status: 500, type: "text/html", body: "<html><body>Oops</body></html>" }],
    ["502 without a body", { status: 502, type: "text/plain", body: "" }],
    ["200 with HTML", { status: 200, type: "text/html", body: "<!doctype html><p>Welcome" }],
    ["200 with an empty body", { status: 200, type: "application/json", body: "" }],
    ["202", { status: 202, type: "text/plain", body: "" }],
    [
      "200 with an empty result",
      { status: 200, type: "application/json", body: '{"jsonrpc":"2.0","id":1,"result":{}}' },
    ],
    [
      "an error with id null",
      {
        status: 400,
        type: "application/json",
        body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}',
      },
    ],
    [
      "an error with id null and status 200",
      {
        status: 200,
        type: "application/json",
        body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"x"}}',
      },
    ],
    ["401", { status: 401, type: "application/json", body: '{"error":"unauthorized"}' }],
    ["403 of a front door", { status: 403, type: "text/html", body: "<h1>Forbidden</h1>" }],
    ["404 with text", { status: 404, type: "text/plain", body: "404 page not found" }],
    ["405", { status: 405, type: "text/plain", body: "" }],
    ["406", { status: 406, type: "text/plain", body: "" }],
    [
      "another's id",
      {
        status: 200,
        type: "application/json",
        body: '{"jsonrpc":"2.0","id":99,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}',
      },
    ],
  ])("%s", async (_, { status, type, body }) => {
    await using server = await serve(
      legacy(two, (heard, response) => {
        if (heard.method !== "server/discover") return false;
        response.writeHead(status, { "content-type": type }).end(body);
        return true;
      }),
    );
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "online", era: "2025-06-18", error: null, httpStatus: 200 });
    expect(names(verdict)).toEqual(["one", "two"]);
    expect(server.methods).not.toContain("GET");
  });

  it("breaks the connection off", async () => {
    await using server = await serve(
      legacy(two, (heard, response) => {
        if (heard.method !== "server/discover") return false;
        response.destroy();
        return true;
      }),
    );
    expect(await lookAt(server.url)).toMatchObject({ state: "online", era: "2025-06-18" });
  });

  it("never answers it", async () => {
    await using server = await serve(legacy(two, ({ method }) => method === "server/discover"));
    const verdict = await lookAt(server.url, { timeoutMs: 1_000 });
    expect(verdict).toMatchObject({ state: "online", era: "2025-06-18" });
    expect(verdict.steps[0]).toMatchObject({ step: "server/discover", status: null, ok: false });
  });
});

describe("2: one malformed tool among many", () => {
  it.each([
    ["no inputSchema", { name: "bad" }, "bad", "has no input schema"],
    ["description: null", tool("bad", { description: null }), "bad", "has a description that is no text"],
    ["a bad icon", tool("bad", { icons: [{ sizes: ["1x1"] }] }), "bad", "has an icon without a source"],
    ["no name", { inputSchema: { type: "object" } }, null, "has no name and was left out"],
    ["null", null, null, "has no name and was left out"],
    ["a name that is a number", { name: 7 }, null, "has no name and was left out"],
  ])("%s: the others are kept, the one is noted", async (_, bad, kept, note) => {
    await using server = await serve(
      modern([], (heard, response) => {
        if (heard.method !== "tools/list") return false;
        result(heard, response, { tools: [tool("one"), bad, tool("two")], nextCursor: null });
        return true;
      }),
    );
    const verdict = await lookAt(server.url);
    expect(verdict.state).toBe("online");
    expect(names(verdict)).toEqual(["one", ...(kept === null ? [] : [kept]), "two"]);
    expect(verdict.notes).toHaveLength(1);
    expect(verdict.notes[0]).toContain(note);
    expect(verdict.toolsTruncated).toBe(false);
  });
});

it("3: modern results without resultType, ttlMs and cacheScope", async () => {
  await using server = await serve((heard, response) => {
    if (heard.method === "server/discover")
      result(heard, response, { supportedVersions: ["2026-07-28"], capabilities: {} });
    else result(heard, response, { tools: two });
  });
  const verdict = await lookAt(server.url);
  expect(verdict).toMatchObject({ state: "online", era: "2026-07-28" });
  expect(names(verdict)).toEqual(["one", "two"]);
});

it("4: extra top-level members such as error: null beside a result", async () => {
  await using server = await serve(
    legacy(two, (heard, response) => {
      if (heard.method !== "initialize" && heard.method !== "tools/list") return false;
      const value =
        heard.method === "initialize" ? { protocolVersion: "2025-03-26", capabilities: {} } : { tools: two };
      result(heard, response, value, { error: null, trace: { took: 3 } });
      return true;
    }),
  );
  const verdict = await lookAt(server.url);
  expect(verdict).toMatchObject({ state: "online", era: "2025-03-26" });
  expect(names(verdict)).toEqual(["one", "two"]);
});

describe("5: a careless initialize", () => {
  it.each([
    ["no serverInfo", { protocolVersion: "2025-06-18", capabilities: { tools: {} } }, "2025-06-18"],
    [
      "capabilities: null",
      { protocolVersion: "2025-06-18", capabilities: null, serverInfo: { name: "odd", version: "1" } },
      "2025-06-18",
    ],
    [
      "tools: true",
      { protocolVersion: "2025-06-18", capabilities: { tools: true }, serverInfo: {} },
      "2025-06-18",
    ],
    ["a version nobody knows", { protocolVersion: "2024-10-07", capabilities: { tools: {} } }, "2024-10-07"],
    [
      "a version that no header holds",
      { protocolVersion: "v1 βeta", capabilities: { tools: {} } },
      "v1 βeta",
    ],
    ["no version", { capabilities: { tools: {} } }, "2025-11-25"],
    ["nothing", {}, "2025-11-25"],
  ])("%s", async (_, answer, era) => {
    await using server = await serve(
      legacy(two, (heard, response) => {
        if (heard.method !== "initialize") return false;
        result(heard, response, answer);
        return true;
      }),
    );
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "online", era });
    expect(names(verdict)).toEqual(["one", "two"]);
    const listed = server.heard.find(({ method }) => method === "tools/list");
    expect(listed?.headers["mcp-protocol-version"]).toBe(/^[\w.-]+$/.test(era) ? era : undefined);
  });
});

it("6: forgets to declare tools but lists them", async () => {
  await using server = await serve(
    modern(two, (heard, response) => {
      if (heard.method !== "server/discover") return false;
      result(heard, response, { supportedVersions: ["2026-07-28"], capabilities: {} });
      return true;
    }),
  );
  const verdict = await lookAt(server.url);
  expect(names(verdict)).toEqual(["one", "two"]);
  expect(verdict.notes).toEqual(["It lists tools without declaring the capability."]);
});

describe("7: notifications/initialized", () => {
  it("is never answered", async () => {
    await using server = await serve(legacy(two, ({ method }) => method === "notifications/initialized"));
    expect(names(await lookAt(server.url))).toEqual(["one", "two"]);
  });

  it.each([
    ["as text", 200, "text/plain", "ok"],
    [
      "as a JSON-RPC error",
      400,
      "application/json",
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}',
    ],
    ["with 500", 500, "text/html", "<html>"],
  ])("is answered %s", async (_, status, type, body) => {
    await using server = await serve(
      legacy(two, ({ method }, response) => {
        if (method !== "notifications/initialized") return false;
        response.writeHead(status, { "content-type": type }).end(body);
        return true;
      }),
    );
    expect(names(await lookAt(server.url))).toEqual(["one", "two"]);
  });

  it("is answered with a stream that stays open", async () => {
    await using server = await serve(
      legacy(two, ({ method }, response) => {
        if (method !== "notifications/initialized") return false;
        response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
        return true;
      }),
    );
    expect(names(await lookAt(server.url))).toEqual(["one", "two"]);
  });
});

describe("8: an SSE answer", () => {
  it("that ends without the response is a protocol error", async () => {
    await using server = await serve(
      modern(two, ({ method }, response) => {
        if (method !== "tools/list") return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(
          'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n',
        );
        return true;
      }),
    );
    const verdict = await lookAt(server.url);
    expect(verdict).toMatchObject({ state: "protocol-error", tools: null, era: "2026-07-28" });
    expect(verdict.error).toContain("ended before the answer");
  });

  it("that never ends after the response is read, and dropped", async () => {
    let dropped = 0;
    await using server = await serve((heard, response) => {
      response.on("close", () => dropped++);
      const value =
        heard.method === "server/discover"
          ? { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }
          : { tools: two };
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      response.write(
        `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id: heard.id, result: value })}\n\n`,
      );
    });
    expect(names(await lookAt(server.url))).toEqual(["one", "two"]);
    await expect.poll(() => dropped).toBe(2);
  });
});

describe("9: bodies without end", () => {
  it("after whole JSON: it is read, and dropped", async () => {
    let dropped = 0;
    await using server = await serve((heard, response) => {
      response.on("close", () => dropped++);
      const value =
        heard.method === "server/discover"
          ? { supportedVersions: ["2026-07-28"], capabilities: { tools: {} } }
          : { tools: two };
      response.writeHead(200, { "content-type": "application/json" });
      response.write(JSON.stringify({ jsonrpc: "2.0", id: heard.id, result: value }));
    });
    expect(names(await lookAt(server.url))).toEqual(["one", "two"]);
    await expect.poll(() => dropped).toBe(2);
  });

  it("that trickle are given up in time", async () => {
    await using server = await serve(({ http }, response) => {
      if (http !== "POST") return void response.writeHead(405).end();
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    });
    expect(await lookAt(server.url, { timeoutMs: 600 })).toMatchObject({ state: "timeout", tools: null });
  });

  it("that pour are given up at the cap", async () => {
    const flood = "x".repeat(256 * 1024);
    await using server = await serve(
      modern(two, ({ method }, response) => {
        if (method !== "tools/list") return false;
        response.writeHead(200, { "content-type": "application/json" });
        response.write('{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"');
        const pour = () => {
          while (!response.destroyed && response.write(flood));
        };
        response.on("drain", pour);
        pour();
        return true;
      }),
    );
    const verdict = await lookAt(server.url);
    expect(verdict.state).toBe("protocol-error");
    expect(verdict.error).toContain("larger than is read");
  });

  it("of an event stream with comments only", async () => {
    await using server = await serve(({ http }, response) => {
      if (http !== "POST") return void response.writeHead(405).end();
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(": still here\n\n"), 20);
      response.on("close", () => clearInterval(timer));
    });
    expect(await lookAt(server.url, { timeoutMs: 600 })).toMatchObject({ state: "timeout" });
  });
});

it("10: a valid 2.1 MB list of 1,030 tools in one SSE event", async () => {
  const many = Array.from({ length: 1_030 }, (_, i) => tool(`tool_${i}`, { description: "d".repeat(1_980) }));
  await using server = await serve(
    legacy(many, (heard, response) => {
      if (heard.method !== "tools/list") return false;
      const text = JSON.stringify({ jsonrpc: "2.0", id: heard.id, result: { tools: many } });
      expect(text.length).toBeGreaterThan(2_000_000);
      response
        .writeHead(200, { "content-type": "text/event-stream" })
        .end(`event: message\ndata: ${text}\n\n`);
      return true;
    }),
  );
  const verdict = await lookAt(server.url);
  expect(verdict.state).toBe("online");
  expect(verdict.tools).toHaveLength(1_030);
  expect(verdict.tools?.[1_029]).toEqual(many[1_029]);
});

it("11: keys that others strip are kept, raw and in their order", verifies("probe.tools-whole"), async () => {
  const raw =
    '{"name":"one","x-vendor":{"b":1,"a":[null,true]},"inputSchema":{"type":"object","$comment":"kept","properties":{"__proto__":{"type":"string"},"constructor":{}}},"__proto__":{"polluted":true},"annotations":{"readOnlyHint":true},"_meta":{"k":1},"execution":{"taskSupport":"optional"}}';
  await using server = await serve(
    legacy([], (heard, response) => {
      if (heard.method !== "tools/list") return false;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(`{"jsonrpc":"2.0","id":${heard.id},"result":{"tools":[${raw}]}}`);
      return true;
    }),
  );
  const verdict = await lookAt(server.url);
  expect(JSON.stringify(verdict.tools?.[0])).toBe(raw);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect(Object.getPrototypeOf(verdict.tools?.[0])).toBe(Object.prototype);
});

describe("12: a tool with an invalid x-mcp-header", () => {
  it.each([
    [
      "a space in it",
      { type: "object", properties: { a: { type: "string", "x-mcp-header": "My Region" } } },
      "no header can be named",
    ],
    ["an empty one", { type: "object", properties: { a: { type: "string", "x-mcp-header": "" } } }, "empty"],
    ["no text", { type: "object", properties: { a: { type: "string", "x-mcp-header": 5 } } }, "empty"],
    [
      "on an object",
      { type: "object", properties: { a: { type: "object", "x-mcp-header": "A" } } },
      "no string, integer or boolean",
    ],
    [
      "on a number",
      { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } },
      "no string, integer or boolean",
    ],
    [
      "twice",
      {
        type: "object",
        properties: {
          a: { type: "string", "x-mcp-header": "A" },
          b: { type: "string", "x-mcp-header": "a" },
        },
      },
      "repeats",
    ],
    [
      "below items",
      {
        type: "object",
        properties: { a: { type: "array", items: { type: "string", "x-mcp-header": "A" } } },
      },
      "no place",
    ],
    ["below $defs", { type: "object", $defs: { a: { type: "string", "x-mcp-header": "A" } } }, "no place"],
    ["on the schema itself", { type: "object", "x-mcp-header": "A" }, "no place"],
  ])("%s: it is shown, and marked", async (_, inputSchema, why) => {
    await using server = await serve(modern([tool("good"), tool("bad", { inputSchema })]));
    const verdict = await lookAt(server.url);
    expect(names(verdict)).toEqual(["good", "bad"]);
    expect(verdict.notes).toHaveLength(1);
    expect(verdict.notes[0]).toContain('"bad"');
    expect(verdict.notes[0]).toContain(why);
  });

  it("a valid one is no oddity", async () => {
    const inputSchema = {
      type: "object",
      properties: {
        a: { type: "string", "x-mcp-header": "A" },
        deep: { type: "object", properties: { b: { type: "integer", "x-mcp-header": "B" } } },
      },
    };
    await using server = await serve(modern([tool("good", { inputSchema })]));
    expect((await lookAt(server.url)).notes).toEqual([]);
  });
});

it("tells an error that is meant for nobody from the answer", async () => {
  await using server = await serve((heard, response) => {
    if (heard.method === "initialize")
      json(response, { jsonrpc: "2.0", id: String(heard.id), result: { capabilities: {} } });
    else error(heard, response, -32601);
  });
  expect(await lookAt(server.url)).toMatchObject({ state: "protocol-error", tools: null });
});
