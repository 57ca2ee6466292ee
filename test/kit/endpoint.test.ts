/** The endpoint of both eras over real sockets: official clients, raw requests, sessions, and what it refuses. */
import { request as rawRequest } from "node:http";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { McpServer } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  callerOf,
  createMemoryEventBus,
  createMemorySessionStore,
  type Kit,
  type Listening,
  type ServeOptions,
  serve,
} from "../../src/kit/index.ts";
import { createManualClock } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { askLegacy, askModern, clientNames, message, officialClients, openSession } from "./kit-fixture.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Gates that tools wait at. */
interface Hold {
  readonly entered: Promise<void>;
  release(): void;
}

let nextHold: { enter: () => void; released: Promise<void> } | null = null;

function hold(): Hold {
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  nextHold = { enter: entered.resolve, released: released.promise };
  return { entered: entered.promise, release: released.resolve };
}

function greeter(): McpServer {
  const mcp = new McpServer({ name: "greeter", version: "1.2.3" }, { capabilities: { logging: {} } });
  mcp.registerTool(
    "greet",
    {
      description: "Greets.",
      inputSchema: z.object({ name: z.string() }),
      outputSchema: z.object({ text: z.string() }),
    },
    ({ name }) => ({
      content: [{ type: "text", text: `Hello, ${name}!` }],
      structuredContent: { text: `Hello, ${name}!` },
    }),
  );
  mcp.registerTool("slow", {}, async () => {
    nextHold?.enter();
    await nextHold?.released;
    return { content: [{ type: "text", text: "done" }] };
  });
  mcp.registerTool("count", {}, async (context) => {
    const { session } = callerOf<undefined, number>(context);
    const count = await session?.state.update((value) => value + 1);
    return { content: [{ type: "text", text: String(count ?? "no session") }] };
  });
  mcp.registerTool("ask", {}, async (context) => {
    const answer = await context.mcpReq.elicitInput({
      message: "Your name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    });
    return { content: [{ type: "text", text: JSON.stringify(answer.content) }] };
  });
  mcp.registerTool("steps", {}, async (context) => {
    const token = (context.mcpReq._meta as { progressToken?: string } | undefined)?.progressToken;
    for (const progress of [1, 2]) {
      if (token !== undefined) {
        await context.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken: token, progress },
        });
      }
    }
    return { content: [] };
  });
  mcp.registerResource("note", "note://one", {}, (uri) => ({ contents: [{ uri: uri.href, text: "1" }] }));
  mcp.registerPrompt("review", {}, () => ({
    messages: [{ role: "user", content: { type: "text", text: "Look." } }],
  }));
  return mcp;
}

async function start(
  options: Partial<ServeOptions<undefined, number>> = {},
): Promise<{ kit: Kit; on: Listening; url: string }> {
  const kit = serve<undefined, number>({
    server: greeter,
    ...options,
    sessions: options.sessions === false ? false : { state: () => 0, ...options.sessions },
  });
  const on = await kit.listen();
  closing.push(() => on.close());
  return { kit, on, url: on.url };
}

describe.each(clientNames)("the official client, %s", (name) => {
  it("initializes, lists and calls", verifies("kit.both-eras"), async () => {
    const { url } = await start();
    await using caller = await officialClients[name](url);
    const { client } = caller;
    expect(client.getServerVersion()).toMatchObject({ name: "greeter", version: "1.2.3" });
    expect((await client.listTools()).tools.map((tool: { name: string }) => tool.name)).toEqual([
      "greet",
      "slow",
      "count",
      "ask",
      "steps",
    ]);
    const called = await client.callTool({ name: "greet", arguments: { name: "Bo" } });
    expect(called.structuredContent).toEqual({ text: "Hello, Bo!" });
    expect((await client.readResource({ uri: "note://one" })).contents[0].text).toBe("1");
    expect((await client.getPrompt({ name: "review" })).messages).toHaveLength(1);
  });

  it("hears of a change that the relay tells", verifies("kit.changes-told"), async () => {
    const { kit, url } = await start();
    await using caller = await officialClients[name](url);
    const { client } = caller;
    const heard = Promise.withResolvers<string>();
    if (name === "2.x modern") {
      client.setNotificationHandler(
        "notifications/resources/updated",
        (event: { params: { uri: string } }) => {
          heard.resolve(event.params.uri);
        },
      );
      const stream = await client.listen({ resourceSubscriptions: ["note://one"] });
      closing.push(async () => stream?.close?.());
    } else {
      client.fallbackNotificationHandler = async (event: { method: string; params?: { uri?: string } }) => {
        if (event.method === "notifications/resources/updated") heard.resolve(event.params?.uri ?? "");
      };
      await client.subscribeResource({ uri: "note://one" });
    }
    // A client opens its GET stream beside its first calls: what is told before that is not heard.
    const again = setInterval(() => kit.notify.resourceUpdated("note://one"), 20);
    kit.notify.resourceUpdated("note://other");
    expect(await heard.promise).toBe("note://one");
    clearInterval(again);
  });
});

describe("a call in the middle of which the client is asked", () => {
  it("works in a legacy session", verifies("kit.both-eras"), async () => {
    const { url } = await start();
    await using caller = await officialClients["1.x"](url);
    caller.client.setRequestHandler(ElicitRequestSchema, () => ({
      action: "accept",
      content: { name: "Bo" },
    }));
    const answer = await caller.client.callTool({ name: "ask", arguments: {} });
    expect(answer.content[0].text).toBe('{"name":"Bo"}');
  });

  it("tells progress in both eras", verifies("kit.both-eras"), async () => {
    const { url } = await start();
    for (const name of clientNames) {
      await using caller = await officialClients[name](url);
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      await (name === "1.x"
        ? caller.client.callTool({ name: "steps", arguments: {} }, undefined, { onprogress })
        : caller.client.callTool({ name: "steps", arguments: {} }, { onprogress }));
      expect([name, ...seen]).toEqual([name, 1, 2]);
    }
  });
});

describe("by hand", () => {
  it("answers a bare POST with a JSON-RPC error", verifies("kit.bare-post"), async () => {
    const { url } = await start();
    const bare = await fetch(url, { method: "POST" });
    expect([bare.status, (await message(bare)).error.code]).toEqual([400, -32700]);
    const text = await fetch(url, { method: "POST", body: "hello" });
    expect([text.status, (await message(text)).jsonrpc]).toEqual([415, "2.0"]);
    const broken = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{",
    });
    expect([broken.status, (await message(broken)).error.code]).toEqual([400, -32700]);
    const put = await fetch(url, { method: "PUT" });
    expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, POST, DELETE, OPTIONS"]);
  });

  it("refuses a body over its limit before it reads it", verifies("kit.limits"), async () => {
    const { url } = await start({ maxBodyBytes: 2_000 });
    const big = await askModern(url, { method: "tools/list", params: { x: "y".repeat(3_000) } });
    expect([big.status, (await message(big)).error.message]).toEqual([
      413,
      expect.stringContaining("2000 bytes"),
    ]);
    expect((await askModern(url, { method: "tools/list" })).status).toBe(200);
  });

  it("says which header is missing where a session is", verifies("kit.sessions"), async () => {
    const { url } = await start();
    const answer = await askLegacy(url, { method: "tools/list" });
    expect([answer.status, (await message(answer)).error.message]).toEqual([
      400,
      expect.stringContaining("Mcp-Session-Id"),
    ]);
    expect((await fetch(url)).status).toBe(400);
  });

  it("serves legacy requests one by one where sessions are off", verifies("kit.options"), async () => {
    const { url } = await start({ sessions: false });
    expect((await message(askLegacy(url, { method: "tools/list" }))).result.tools).toHaveLength(5);
    expect((await fetch(url)).status).toBe(405);
    const counted = await message(
      askLegacy(url, { method: "tools/call", params: { name: "count", arguments: {} } }),
    );
    expect(counted.result.content[0].text).toBe("no session");
  });
});

describe("a legacy session", () => {
  it("keeps a state of its own, which no change is lost of", verifies("kit.session-state"), async () => {
    const { url } = await start();
    const [one, two] = await Promise.all([openSession(url), openSession(url)]);
    const count = (headers: Readonly<Record<string, string>>) =>
      message(askLegacy(url, { method: "tools/call", params: { name: "count", arguments: {} }, headers }));
    await Promise.all(Array.from({ length: 10 }, () => count(one)));
    expect((await count(one)).result.content[0].text).toBe("11");
    expect((await count(two)).result.content[0].text).toBe("1");
  });

  it("ends by DELETE, once", verifies("kit.sessions"), async () => {
    const { url } = await start();
    const headers = await openSession(url);
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(200);
    const after = await askLegacy(url, { method: "tools/list", headers });
    expect([after.status, (await message(after)).error]).toEqual([
      404,
      { code: -32001, message: "Session not found" },
    ]);
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(404);
  });

  it(
    "ends when it was idle for its time, and not while it works or listens",
    verifies("kit.sessions"),
    async () => {
      const clock = createManualClock();
      const store = createMemorySessionStore();
      await using bus = createMemoryEventBus();
      const { url } = await start({ clock, bus, sessions: { ttlMs: 60_000, store } });
      const [idle, busy, listening] = await Promise.all([
        openSession(url),
        openSession(url),
        openSession(url),
      ]);
      const held = hold();
      const call = askLegacy(url, {
        method: "tools/call",
        params: { name: "slow", arguments: {} },
        headers: busy,
      });
      const stream = await fetch(url, { headers: { ...listening, accept: "text/event-stream" } });
      await held.entered;
      await clock.sleeping();
      await clock.advance(59_000);
      expect((await askLegacy(url, { method: "ping", headers: idle })).status).toBe(200);
      await clock.advance(60_001);
      expect((await askLegacy(url, { method: "ping", headers: idle })).status).toBe(404);
      expect(await store.read(idle["mcp-session-id"] as string, clock.now())).toBeNull();
      expect((await askLegacy(url, { method: "ping", headers: listening })).status).toBe(200);
      held.release();
      expect((await message(call)).result.content[0].text).toBe("done");
      expect((await askLegacy(url, { method: "ping", headers: busy })).status).toBe(200);
      await stream.body?.cancel();
    },
  );

  it(
    "makes room by ending the one that is idle for the longest time, and refuses when all work",
    verifies("kit.limits"),
    async () => {
      const { url } = await start({ sessions: { max: 2 } });
      const first = await openSession(url);
      const second = await openSession(url);
      await (await askLegacy(url, { method: "ping", headers: first })).text();
      const third = await openSession(url);
      expect((await askLegacy(url, { method: "ping", headers: second })).status).toBe(404);
      const streams = await Promise.all(
        [first, third].map((headers) => fetch(url, { headers: { ...headers, accept: "text/event-stream" } })),
      );
      expect(streams.map(({ status }) => status)).toEqual([200, 200]);
      const refused = await askLegacy(url, {
        method: "initialize",
        params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
      });
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
      for (const stream of streams) await stream.body?.cancel();
    },
  );
});

describe("who may knock", () => {
  it(
    "is asked for by Host on every route, by Origin at the endpoint only",
    verifies("kit.knock"),
    async () => {
      const { on, url } = await start({ allowedOrigins: ["https://app.example"] });
      for (const path of [
        "/mcp",
        "/mcp/openapi.json",
        "/health",
        "/explorer",
        "/.well-known/openmcp.json",
        "/nothing",
      ]) {
        expect([path, await statusByHost(on.port, path, "evil.example")]).toEqual([path, 403]);
        expect(await statusByHost(on.port, path, `localhost:${on.port}`)).not.toBe(403);
      }
      const ask = (origin: string) => askModern(url, { method: "tools/list", headers: { origin } });
      const foreign = await ask("https://evil.example");
      expect([foreign.status, foreign.headers.get("access-control-allow-origin")]).toEqual([403, null]);
      const allowed = await ask("https://app.example");
      expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([
        200,
        "https://app.example",
      ]);
      const preflight = await fetch(url, {
        method: "OPTIONS",
        headers: {
          origin: "https://app.example",
          "access-control-request-headers": "mcp-param-city, x-evil",
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-headers")).toMatch(
        /Mcp-Session-Id.*mcp-param-city$/,
      );
      const open = await fetch(`${on.origin}/mcp/openapi.json`, {
        headers: { origin: "https://evil.example" },
      });
      expect([open.status, open.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    },
  );

  it("takes the names that its author gives", verifies("kit.knock"), async () => {
    const { on } = await start({ publicUrl: "https://tools.example.com", allowedHosts: ["inner.example"] });
    expect(await statusByHost(on.port, "/health", "tools.example.com")).toBe(200);
    expect(await statusByHost(on.port, "/health", "inner.example:81")).toBe(200);
    expect(await statusByHost(on.port, "/health", "localhost")).toBe(403);
  });
});

describe("close()", () => {
  it("lets calls end, takes no more, and ends streams", verifies("kit.close"), async () => {
    const { kit, on, url } = await start();
    const headers = await openSession(url);
    const stream = await fetch(url, { headers: { ...headers, accept: "text/event-stream" } });
    const held = hold();
    const slow = { method: "tools/call", params: { name: "slow", arguments: {} } };
    const call = askModern(url, slow);
    await held.entered;
    const closed = on.close();
    expect(on.close()).toBe(closed);
    const refused = await kit.fetch(
      new Request(url, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }),
    );
    expect(refused.status).toBe(503);
    expect((await kit.fetch(new Request(`${on.origin}/health`))).status).toBe(503);
    held.release();
    expect((await message(call)).result.content[0].text).toBe("done");
    await closed;
    expect(await stream.text()).toBe("");
    await kit.close();
  });

  it("does not wait for ever", verifies("kit.close"), async () => {
    const clock = createManualClock();
    const { on, url } = await start({ clock, drainMs: 5_000 });
    const held = hold();
    const call = askModern(url, { method: "tools/call", params: { name: "slow", arguments: {} } }).catch(
      () => null,
    );
    await held.entered;
    const closed = on.close();
    await clock.sleeping();
    await clock.advance(5_000);
    await closed;
    await call;
    held.release();
  });
});

/** `fetch` sends no Host of one's own. */
function statusByHost(port: number, path: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = rawRequest({ host: "127.0.0.1", port, path, headers: { host } }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end();
  });
}
