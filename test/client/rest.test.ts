/** The client over REST: what it asks, and what it makes of answers that are good, foreign, wrong, endless or missing. */
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import { type ErrorCode, errorCodes } from "../../src/spec/index.ts";
import { json, record, startFakeCatalog, text } from "./fake-catalog.ts";

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error) => error as { code: string; message: string; data: Record<string, unknown> },
  );

describe("what is asked", () => {
  it("puts every filter in the query, flags as 1 and 0, and nothing that was not given", async () => {
    await using server = await startFakeCatalog(json({ ok: true, relays: [], total: 0, nextCursor: null }));
    await using catalog = new CatalogClient(server.base);
    await catalog.list({
      q: "a b&c",
      tag: "x",
      online: false,
      verified: true,
      auth: "unknown",
      limit: 3,
      cursor: "c+/=",
    });
    await catalog.list();
    const [full, bare] = server.asked.map(({ url }) => new URL(url, server.base));
    expect(Object.fromEntries(full?.searchParams ?? [])).toEqual({
      q: "a b&c",
      tag: "x",
      online: "0",
      verified: "1",
      auth: "unknown",
      limit: "3",
      cursor: "c+/=",
    });
    expect(`${bare?.pathname}${bare?.search}`).toBe("/v1/relays");
  });

  it("keeps any id inside its own path segment", async () => {
    await using server = await startFakeCatalog(json({ ok: true, removed: "x" }));
    await using catalog = new CatalogClient(server.base, { token: "t" });
    for (const id of ["", ".", ".."]) expect((await failure(catalog.remove(id))).code).toBe("invalid-input");
    expect(server.asked).toEqual([]);
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), async (id) => {
        fc.pre(id !== "." && id !== ".." && id.isWellFormed());
        const before = server.asked.length;
        await catalog.remove(id);
        const path = new URL(server.asked[before]?.url ?? "", server.base).pathname;
        expect(path.startsWith("/v1/relays/")).toBe(true);
        expect(decodeURIComponent(path.slice("/v1/relays/".length))).toBe(id);
        expect(path.split("/")).toHaveLength(4);
      }),
      { numRuns: 60 },
    );
  });

  it("sends the relay's credential in the body of the call, and the admin token only as the catalog's own", async () => {
    await using server = await startFakeCatalog(
      json({ ok: true, relay: "r", tool: "t", result: { content: [] } }),
    );
    await using catalog = new CatalogClient(server.base, { token: "admin" });
    await catalog.call({ relay: "r", tool: "t", token: "mine" });
    const [call] = server.asked;
    expect(JSON.parse(call?.body ?? "")).toEqual({ tool: "t", arguments: {}, token: "mine" });
    expect(call?.headers.authorization).toBe("Bearer admin");
    expect(call?.url).toBe("/v1/relays/r/call");
  });
});

describe("where the catalog is", () => {
  it.each([
    ["http://127.0.0.1:8790", "http://127.0.0.1:8790"],
    ["http://127.0.0.1:8790/", "http://127.0.0.1:8790"],
    ["127.0.0.1:8790", "http://127.0.0.1:8790"],
    ["localhost:8790/v1", "http://localhost:8790"],
    ["catalog.example", "https://catalog.example"],
    ["https://catalog.example/v1/", "https://catalog.example"],
    ["https://catalog.example/mcp", "https://catalog.example"],
    ["https://site.example/catalog/", "https://site.example/catalog"],
  ])("%s is read as %s", async (given, base) => {
    await using catalog = new CatalogClient(given);
    expect(catalog.base).toBe(base);
  });

  it.each(["", "ftp://x.example", "https://user:pass@x.example", "not a url"])("%j is refused", (given) => {
    expect(() => new CatalogClient(given)).toThrow(expect.objectContaining({ code: "invalid-input" }));
  });

  it("takes the API's place from the catalog's descriptor when nothing answers under /v1", async () => {
    await using server = await startFakeCatalog(({ url }, response) => {
      if (url === "/.well-known/openmcp.json") {
        return json({ mcp: "/mcp", catalog: { api: "/elsewhere/v1" } })({} as never, response);
      }
      if (url === "/elsewhere/v1/relays/r")
        return json({ ok: true, relay: record("r") })({} as never, response);
      return text("<h1>nothing here</h1>", { status: 404 })({} as never, response);
    });
    await using catalog = new CatalogClient(server.base);
    expect((await catalog.get("r")).id).toBe("r");
    await catalog.get("r");
    expect(server.asked.map(({ url }) => url)).toEqual([
      "/v1/relays/r",
      "/.well-known/openmcp.json",
      "/elsewhere/v1/relays/r",
      "/elsewhere/v1/relays/r",
    ]);
  });

  it("never sends the admin token to another origin that a descriptor names", async () => {
    await using other = await startFakeCatalog(json({ ok: true, relay: record("r") }));
    await using server = await startFakeCatalog(({ url }, response) =>
      url === "/.well-known/openmcp.json"
        ? json({ mcp: "/mcp", catalog: { api: `${other.base}/v1` } })({} as never, response)
        : text("<h1>nothing here</h1>", { status: 404 })({} as never, response),
    );
    await using catalog = new CatalogClient(server.base, { token: "secret" });
    expect((await catalog.get("r")).id).toBe("r");
    expect(server.asked[0]?.headers.authorization).toBe("Bearer secret");
    expect(other.asked[0]?.headers.authorization).toBeUndefined();
  });

  it("follows no redirect with a credential in the body, and names the place it leads to", async () => {
    await using other = await startFakeCatalog(json({ ok: true, result: {} }));
    await using server = await startFakeCatalog((_asked, response) => {
      response.writeHead(307, { location: `${other.base}/v1/relays/r/call` });
      response.end();
    });
    await using catalog = new CatalogClient(server.base);
    const error = await failure(catalog.call({ relay: "r", tool: "t", token: "mine" }));
    expect(error.code).toBe("catalog-answer");
    expect(error.message).toContain(other.base);
    expect(other.asked).toEqual([]);
  });
});

describe("answers", () => {
  it("summarises records as spec does, and keeps what the page says of the rest", async () => {
    const relays = [record("a.example"), record("b.example", { online: false, verified: false })];
    await using server = await startFakeCatalog(json({ ok: true, relays, total: 7, nextCursor: "more" }));
    await using catalog = new CatalogClient(server.base);
    expect(await catalog.list()).toEqual({
      relays: [
        {
          id: "a.example",
          name: "Relay a.example",
          description: null,
          mcp: "https://a.example/mcp",
          auth: "unknown",
          tags: [],
          tools: ["ping"],
          online: true,
          verified: true,
        },
        expect.objectContaining({ id: "b.example", online: false, verified: false }),
      ],
      total: 7,
      nextCursor: "more",
    });
  });

  it("reads a catalog of the first 0.1 kind: no total, no cursor, no probe, no events", async () => {
    const relays = [
      record("a.example"),
      { id: "odd", descriptor: {}, tools: null },
      "noise",
      null,
      { no: "id" },
    ];
    await using server = await startFakeCatalog(({ method, url }, response) => {
      if (method === "POST")
        return json({ ok: true, relay: record("a.example"), event: "relay.registered" }, { status: 201 })(
          {} as never,
          response,
        );
      if (url.startsWith("/v1/tools"))
        return json({ ok: true, tools: [{ relay: "a.example", name: "ping" }] })({} as never, response);
      return json({ ok: true, relays })({} as never, response);
    });
    await using catalog = new CatalogClient(server.base);
    const list = await catalog.list();
    expect(list).toMatchObject({ total: null, nextCursor: null });
    expect(list.relays.map(({ id, mcp }) => [id, mcp])).toEqual([
      ["a.example", "https://a.example/mcp"],
      ["odd", ""],
    ]);
    expect(await catalog.register("https://a.example")).toMatchObject({
      created: true,
      event: "relay.registered",
      events: ["relay.registered"],
      changed: true,
    });
    expect(await catalog.find({ q: "ping" })).toEqual({
      tools: [
        {
          relay: "a.example",
          name: "ping",
          auth: "unknown",
          online: true,
          verified: false,
          score: 0,
          matched: [],
        },
      ],
    });
  });

  it("walks all pages once, and ends where a cursor comes back", async () => {
    const pages: Record<string, object> = {
      "": { relays: [record("a")], nextCursor: "1" },
      "1": { relays: [record("b")], nextCursor: "2" },
      "2": { relays: [record("c")], nextCursor: "1" },
    };
    await using server = await startFakeCatalog(({ url }, response) =>
      json({ ok: true, ...pages[new URL(url, "http://x").searchParams.get("cursor") ?? ""] })(
        {} as never,
        response,
      ),
    );
    await using catalog = new CatalogClient(server.base);
    const ids: string[] = [];
    for await (const relay of catalog.relays({ online: true })) ids.push(relay.id);
    expect(ids).toEqual(["a", "b", "c"]);
    expect(server.asked.every(({ url }) => url.includes("online=1") && url.includes("limit=500"))).toBe(true);
  });

  it.each([
    ["a page", text("<html>"), "HTML page"],
    ["nothing", text("", { type: "text/plain" }), "nothing"],
    ["other JSON", json({ hello: "world" }), "relays"],
    ["a list", json([1, 2]), "something else"],
  ])("says catalog-answer for %s", async (_name, answer, words) => {
    await using server = await startFakeCatalog(answer);
    await using catalog = new CatalogClient(server.base);
    const error = await failure(catalog.list());
    expect(error.code).toBe("catalog-answer");
    expect(error.message).toContain(words);
  });

  it("says catalog-unreachable for a gateway whose catalog is gone", async () => {
    await using server = await startFakeCatalog(text("<h1>Bad gateway</h1>", { status: 502 }));
    await using catalog = new CatalogClient(server.base);
    expect((await failure(catalog.list())).code).toBe("catalog-unreachable");
  });
});

describe("errors", () => {
  it.each(errorCodes)("keeps the code %s and its detail", async (code) => {
    const problem = {
      type: "urn:x",
      title: "T",
      status: 422,
      detail: "the sentence",
      code,
      ok: false,
      error: "x",
      extra: [1],
    };
    await using server = await startFakeCatalog(
      json(problem, { status: 422, headers: { "content-type": "application/problem+json" } }),
    );
    await using catalog = new CatalogClient(server.base);
    const error = await failure(catalog.get("r"));
    expect(error).toMatchObject({ code, message: "the sentence", data: { extra: [1], status: 422 } });
  });

  it.each<[number, "get" | "call" | "register", ErrorCode]>([
    [400, "get", "invalid-input"],
    [401, "get", "unauthorized"],
    [404, "get", "not-found"],
    [422, "register", "not-listed"],
    [422, "call", "relay-error"],
    [502, "call", "relay-unreachable"],
    [504, "call", "relay-timeout"],
    [503, "get", "unavailable"],
    [500, "get", "internal"],
    [418, "get", "invalid-input"],
  ])("reads a bare {ok: false, error} of status %i for %s as %s", async (status, method, code) => {
    await using server = await startFakeCatalog(json({ ok: false, error: "their words" }, { status }));
    await using catalog = new CatalogClient(server.base);
    const asked = {
      get: () => catalog.get("r"),
      call: () => catalog.call({ relay: "r", tool: "t" }),
      register: () => catalog.register("https://r.example"),
    }[method]();
    expect(await failure(asked)).toMatchObject({ code, message: "their words" });
  });

  it("keeps how long to wait", async () => {
    await using server = await startFakeCatalog(
      json({ ok: false, error: "slow down" }, { status: 429, headers: { "retry-after": "7" } }),
    );
    await using catalog = new CatalogClient(server.base);
    expect(await failure(catalog.list())).toMatchObject({
      code: "rate-limited",
      data: { retryAfterSeconds: 7 },
    });
  });

  it("tells a catalog that is not there from one that is slow, and from a caller that gave up", async () => {
    const server = await startFakeCatalog(() => {});
    await using catalog = new CatalogClient(server.base, { timeoutMs: 60 });
    expect(await failure(catalog.list())).toMatchObject({ code: "timeout", data: { timeoutMs: 60 } });
    const stop = new AbortController();
    const asking = failure(catalog.list({}, { signal: stop.signal, timeoutMs: 60_000 }));
    stop.abort();
    expect((await asking).code).toBe("aborted");
    await server[Symbol.asyncDispose]();
    const gone = await failure(catalog.list());
    expect(gone).toMatchObject({ code: "catalog-unreachable", data: { reason: "connection refused" } });
    expect(gone.message).toContain("openmcp serve");
  });

  it("counts the time of the body too", async () => {
    await using server = await startFakeCatalog(async (_asked, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      while (!response.destroyed) {
        response.write(" ");
        await sleep(10);
      }
    });
    await using catalog = new CatalogClient(server.base, { timeoutMs: 150 });
    expect((await failure(catalog.list())).code).toBe("timeout");
  });

  it("stops at 64 MiB of an endless answer", async () => {
    const block = Buffer.alloc(1024 * 1024, " ");
    await using server = await startFakeCatalog((_asked, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const pour = (): void => {
        while (!response.destroyed && response.write(block)) {}
      };
      response.on("drain", pour);
      pour();
    });
    await using catalog = new CatalogClient(server.base);
    expect((await failure(catalog.list())).code).toBe("too-large");
  });

  it("ends what is under way when it closes, and closes twice without harm", async () => {
    await using server = await startFakeCatalog(() => {});
    const catalog = new CatalogClient(server.base);
    const asking = failure(catalog.list());
    await catalog.close();
    await catalog.close();
    expect((await asking).code).toBe("aborted");
  });
});
