/** How long a shared session lives, and how many there may be: over two instances, by a clock that is moved by hand. */
import { McpServer } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import {
  createMemoryEventBus,
  createMemorySessionStore,
  type Listening,
  type SessionOptions,
  serve,
} from "../../src/kit/index.ts";
import { createManualClock } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { askLegacy, type Headers, message, openSession } from "./kit-fixture.ts";

async function start(options: SessionOptions) {
  const clock = createManualClock();
  const store = createMemorySessionStore();
  const bus = createMemoryEventBus();
  let release = (): void => {};
  let entered = (): void => {};
  const held = new Promise<void>((resolve) => {
    entered = resolve;
  });
  const kits = [0, 1].map(() =>
    serve<string>({
      clock,
      bus,
      description: { name: "limits", version: "1.0.0" },
      authenticate: (request) => request.headers.get("x-user") ?? "anyone",
      sessions: { store, ...options },
      server: () => {
        const mcp = new McpServer({ name: "limits", version: "1.0.0" });
        mcp.registerTool("hold", {}, async () => {
          entered();
          await new Promise<void>((resolve) => {
            release = resolve;
          });
          return { content: [{ type: "text", text: "done" }] };
        });
        return mcp;
      },
    }),
  );
  const [a, b] = (await Promise.all(kits.map((kit) => kit.listen()))) as [Listening, Listening];
  return {
    clock,
    store,
    a: a.url,
    b: b.url,
    held,
    release: () => release(),
    async [Symbol.asyncDispose]() {
      await Promise.all([a.close(), b.close()]);
      await bus.close();
    },
  };
}

const ping = async (url: string, headers: Headers): Promise<number> =>
  (await askLegacy(url, { method: "ping", headers })).status;

describe("a shared session", () => {
  it("lives as long as it is used anywhere, and is over everywhere", verifies("kit.instances"), async () => {
    await using relay = await start({ ttlMs: 60_000 });
    const { a, b, clock } = relay;
    const headers = await openSession(a);
    for (let times = 0; times < 4; times += 1) {
      await clock.advance(40_000);
      expect(await ping(b, headers)).toBe(200);
    }
    // Its server at the first was let go meanwhile, and is made again.
    expect(await ping(a, headers)).toBe(200);
    await clock.advance(60_001);
    expect([await ping(a, headers), await ping(b, headers)]).toEqual([404, 404]);
  });

  it("lives while a call works at one of them", verifies("kit.instances"), async () => {
    await using relay = await start({ ttlMs: 60_000 });
    const { a, b, clock } = relay;
    const headers = await openSession(a);
    const call = askLegacy(a, { method: "tools/call", params: { name: "hold", arguments: {} }, headers });
    await relay.held;
    for (let times = 0; times < 12; times += 1) {
      await clock.sleeping();
      await clock.advance(15_000);
    }
    expect(await ping(b, headers)).toBe(200);
    relay.release();
    expect((await message(call)).result.content[0].text).toBe("done");
  });

  it("is one of at most so many of its user, wherever they were opened", verifies("kit.limits"), async () => {
    await using relay = await start({ maxOfUser: 2 });
    const { a, b, clock } = relay;
    const ann = { "x-user": "ann" };
    const first = await openSession(a, ann);
    const other = await openSession(b, { "x-user": "bo" });
    await clock.advance(1);
    const second = await openSession(b, ann);
    await clock.advance(1);
    const third = await openSession(a, ann);
    expect(await Promise.all([first, second, third, other].map((headers) => ping(b, headers)))).toEqual([
      404, 200, 200, 200,
    ]);
    expect(await ping(a, first)).toBe(404);
  });

  it("leaves a full process without ending", verifies("kit.limits"), async () => {
    await using relay = await start({ max: 1 });
    const { a, b } = relay;
    const first = await openSession(a);
    const second = await openSession(a);
    expect([await ping(a, first), await ping(a, second), await ping(b, first)]).toEqual([200, 200, 200]);
  });

  it("is one of at most so many in the store, at the next sweep", verifies("kit.limits"), async () => {
    await using relay = await start({ maxShared: 1 });
    const { a, b, clock } = relay;
    const first = await openSession(a);
    await clock.advance(1);
    const second = await openSession(b);
    await clock.sleeping(2);
    await clock.advance(60_000);
    await expect.poll(() => ping(b, first)).toBe(404);
    expect(await ping(a, second)).toBe(200);
  });

  it("refuses to be kept without a bus, and to keep more than is read", verifies("kit.limits"), async () => {
    const server = () => new McpServer({ name: "x", version: "1" });
    expect(() => serve({ server, sessions: { store: createMemorySessionStore() } })).toThrow(
      expect.objectContaining({ code: "invalid-input", data: { field: "bus" } }),
    );
    await using relay = await start({});
    const params = {
      protocolVersion: "2025-11-25",
      capabilities: { experimental: { much: { text: "x".repeat(70_000) } } },
      clientInfo: { name: "x", version: "1" },
    };
    expect((await askLegacy(relay.a, { method: "initialize", params })).status).toBe(413);
  });
});
