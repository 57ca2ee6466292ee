/** What goes through the passage of a relay, both ways, and what does not: headers, types, statuses, origins, pages, what it costs. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { refusalsForPeople } from "../../src/doors/pages/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { openPassages, type PassageFixture, PING, raw, scripted } from "./passage-fixture.ts";
import { expectProblem } from "./rest-fixture.ts";

let passages: PassageFixture;
beforeAll(async () => {
  passages = await openPassages();
});
afterAll(() => passages[Symbol.asyncDispose]());

describe("to the relay", () => {
  it(
    "go the message as it was written, and the headers that MCP names",
    verifies("passage.headers", "call.headers-afresh", "call.token-unkept"),
    async () => {
      await using relay = await startFakeRelay({ era: "legacy", session: true });
      const id = await passages.list(relay.url);
      const body = '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":1.00000000000000000001}}';
      const answer = await passages.send(id, {
        body,
        headers: {
          authorization: "Bearer the-catalogs-own",
          cookie: "a=b",
          "x-forwarded-for": "192.0.2.1",
          "user-agent": "someone",
          traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
          "x-relay-authorization": "Bearer the-relays-own",
          "mcp-session-id": "s-1",
          "mcp-protocol-version": "2025-11-25",
          "mcp-method": "ping",
          "mcp-name": "a name",
          "mcp-param-city": "Bern",
          "mcp-surprise": "1",
          "last-event-id": "",
        },
      });
      await answer.text();
      const [seen] = relay.requests;
      expect(seen?.body).toBe(body);
      const {
        host: _host,
        "content-length": _length,
        connection: _connection,
        ...sent
      } = seen?.headers ?? {};
      expect(sent).toEqual({
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "accept-encoding": expect.any(String),
        authorization: "Bearer the-relays-own",
        "mcp-session-id": "s-1",
        "mcp-protocol-version": "2025-11-25",
        "mcp-method": "ping",
        "mcp-name": "a name",
        "mcp-param-city": "Bern",
        "cdn-loop": "127.0.0.1:8790",
      });
      expect(JSON.stringify(passages.catalog.log)).not.toMatch(/the-relays-own|the-catalogs-own|s-1/);
    },
  );

  it("goes nothing that is not of its form", async () => {
    await using relay = await startFakeRelay();
    const id = await passages.list(relay.url);
    for (const [name, value] of [
      ["mcp-session-id", "a b"],
      ["mcp-session-id", "\u00e4"],
      ["mcp-protocol-version", "2025/11/25"],
      ["mcp-param-x", "x".repeat(5_000)],
      ["X-Relay-Authorization", "Basic abc"],
    ] as const) {
      const refused = await passages.send(id, { headers: { [name]: value } });
      expect((await expectProblem(refused, "invalid-input", 400)).field).toBe(name);
    }
    for (const body of ["", "nothing", "[]", "{}", '{"jsonrpc":"1.0"}', "[".repeat(500)])
      await expectProblem(await passages.send(id, { body }), "invalid-input", 400);
    const text = await passages.send(id, { headers: { "content-type": "text/plain" } });
    await expectProblem(text, "unsupported-media-type", 415);
    const large = JSON.stringify({ jsonrpc: "2.0", method: "x".repeat(4 * 1024 * 1024) });
    await expectProblem(await passages.send(id, { body: large }), "too-large", 413);
    // What a page embeds asks for images or anything.
    const embedded = await passages.send(id, { method: "GET", headers: { accept: "image/avif,*/*" } });
    await expectProblem(embedded, "invalid-input", 400);
    const put = await passages.send(id, { method: "PUT", body: PING });
    await expectProblem(put, "method-not-allowed", 405);
    expect(put.headers.get("allow")).toBe("POST, GET, DELETE, OPTIONS");
    for (const none of ["nobody.example", "%ff", "a%2Fb"])
      await expectProblem(await passages.send(none), "not-found", 404);
    expect(relay.requests).toEqual([]);
  });
});

describe("from the relay", () => {
  const answered = async (status: number, headers: Record<string, string | string[]>, text = "{}") => {
    await using relay = await scripted((_request, response) => response.writeHead(status, headers).end(text));
    const answer = await passages.send(await passages.list(relay.url));
    return { answer, text: await answer.text() };
  };

  it("comes its body, and of its headers those that MCP names", verifies("passage.headers"), async () => {
    const { answer, text } = await answered(
      200,
      {
        "content-type": "application/json; charset=utf-8",
        "mcp-session-id": "s-2",
        "mcp-protocol-version": "2025-11-25",
        "set-cookie": ["a=b", "c=d"],
        "x-evil": "1",
        "access-control-allow-origin": "https://evil.example",
        "cache-control": "public, max-age=1000",
        "content-security-policy": "default-src *",
        refresh: "0; url=https://evil.example/",
      },
      '{"jsonrpc":"2.0","id":1,"result":{"n":1.0000000000000000001}}',
    );
    expect(text).toContain("1.0000000000000000001");
    expect(Object.fromEntries(answer.headers)).toEqual({
      "content-type": "application/json",
      "mcp-session-id": "s-2",
      "mcp-protocol-version": "2025-11-25",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
    });
  });

  it("comes a challenge that a client acts on, and none that a browser asks its user for", async () => {
    const challenge = async (value: string) => {
      const { answer } = await answered(401, {
        "content-type": "application/json",
        "www-authenticate": value,
      });
      expect(answer.status).toBe(401);
      return answer.headers.get("www-authenticate");
    };
    const metadata = "https://relay.example/.well-known/oauth-protected-resource";
    expect(await challenge(`Bearer realm="a", resource_metadata="${metadata}", error="x"`)).toBe(
      `Bearer realm="a", resource_metadata="${metadata}"`,
    );
    expect(await challenge("Bearer")).toBe("Bearer");
    for (const asks of ['Basic realm="The catalog"', "Negotiate", 'Digest realm="a", nonce="b"'])
      expect(await challenge(asks)).toBeNull();
  });

  it("comes no type but those of MCP, whatever it says", async () => {
    const problem = await answered(400, { "content-type": "application/problem+json" }, '{"title":"mine"}');
    expect([problem.answer.headers.get("content-type"), problem.text]).toEqual([
      "application/json",
      '{"title":"mine"}',
    ]);
    const page = await answered(200, { "content-type": "text/html" }, "<script>alert(1)</script>");
    expect([page.answer.status, JSON.parse(page.text).code]).toEqual([502, "relay-unreachable"]);
    expect(page.text).not.toContain("alert(1)");
    for (const [status, code] of [
      [400, "relay-unreachable"],
      [403, "relay-refused"],
      [404, "relay-unreachable"],
      [503, "relay-unreachable"],
    ] as const) {
      const { answer, text } = await answered(status, { "content-type": "text/html" }, "<b>no</b>");
      expect([answer.status, JSON.parse(text)]).toEqual([status, expect.objectContaining({ code, status })]);
    }
    const accepted = await answered(202, { "content-type": "text/plain" }, "Accepted");
    expect([accepted.answer.status, accepted.text, accepted.answer.headers.get("content-type")]).toEqual([
      202,
      "",
      null,
    ]);
    const wait = await answered(429, { "content-type": "text/plain", "retry-after": "7" }, "slow down");
    expect([wait.answer.status, wait.answer.headers.get("retry-after")]).toEqual([429, "7"]);
  });

  it("comes no status that HTTP has no meaning for, no body behind one that has none, and no place is lost", async () => {
    const page = { origin: "http://127.0.0.1:8790" };
    for (const [status, expected] of [
      [205, 205],
      [600, 502],
      [999, 502],
    ] as const) {
      for (const type of ["application/json", "text/html"]) {
        await using relay = await scripted((_request, response) =>
          response.writeHead(status, { "content-type": type }).end("{}"),
        );
        const id = await passages.list(relay.url);
        for (const headers of [{}, page]) {
          const answer = await passages.send(id, { headers });
          expect(answer.status).toBe(expected);
          if (expected === 205) expect(answer.body).toBeNull();
          else await expectProblem(answer, "relay-unreachable", 502);
          expect(passages.door.streams).toBe(0);
        }
      }
    }
  });

  it("comes nothing that is made a page of the catalog's", verifies("directory.refusals"), async () => {
    const { identity } = passages.catalog.context;
    const door = refusalsForPeople(passages.door.fetch, {
      identity,
      programs: () => true,
      passed: passages.door.serves,
    });
    const led = {
      host: "127.0.0.1:8790",
      "content-type": "application/json",
      accept: "text/html",
      "sec-fetch-mode": "navigate",
    };
    const ask = (id: string) =>
      door(
        new Request(`http://127.0.0.1:8790/v1/relays/${id}/mcp`, {
          method: "POST",
          headers: led,
          body: PING,
        }),
        {},
      );
    for (const text of ['{"title":"The catalog","detail":"says so"}', '{"error":null}', "null", "{", ""]) {
      await using relay = await scripted((_request, response) => {
        response.writeHead(404, { "content-type": "application/problem+json" }).write(text);
        response.end();
      });
      const answer = await ask(await passages.list(relay.url));
      expect([answer.status, answer.headers.get("content-type")]).toEqual([404, "application/json"]);
      expect(await answer.text()).toBe(text);
    }
    const refused = await ask("nobody.example");
    expect([refused.status, refused.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  });

  it("come no headers that it smuggles", async () => {
    const head = (line: string) =>
      `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${line}\r\ncontent-length: 2\r\n\r\n{}`;
    for (const line of [
      "mcp-session-id: a\x01b",
      "mcp-session-id: a\r\n set-cookie: c=d",
      "mcp-session-id: \xe4\xe4",
      "mcp-session-id: a\rset-cookie: c=d",
      "mcp-session-id: a, b",
      `mcp-session-id: ${"x".repeat(5_000)}`,
    ]) {
      await using relay = await raw(head(line));
      const answer = await passages.send(await passages.list(relay.url));
      expect([200, 502]).toContain(answer.status);
      expect(answer.headers.has("mcp-session-id")).toBe(false);
      expect(answer.headers.has("set-cookie")).toBe(false);
      await answer.text();
    }
  });
});

describe("another origin", () => {
  it("gets nothing of what a relay redirects", verifies("passage.origin"), async () => {
    const went: string[] = [];
    await using other = await startFakeRelay();
    await using relay = await scripted((request, response) => {
      went.push(`${request.method} ${request.url}`);
      const [, status = "307", to = "there"] = /^\/(\d+)-(\w+)\/mcp/.exec(request.url ?? "") ?? [];
      const location = { there: other.url, metadata: "http://169.254.169.254/latest/", here: "/mcp/in" }[to];
      if (request.url === "/mcp/in") response.writeHead(202).end();
      else response.writeHead(Number(status), { location }).end();
    });
    for (const path of ["307-there", "308-there", "302-there", "303-here", "307-metadata"]) {
      const answer = await passages.send(await passages.list(`${relay.origin}/${path}/mcp`));
      const problem = await expectProblem(answer, "relay-unreachable", 502);
      expect(problem.detail).toContain("redirects");
      expect(answer.headers.has("location")).toBe(false);
    }
    expect(went.filter((each) => each.includes("/in"))).toEqual([]);
    expect((await passages.send(await passages.list(`${relay.origin}/307-here/mcp`))).status).toBe(202);
    expect(other.requests).toEqual([]);
  });

  it("whose page it is may not use it; pages of our own may", verifies("passage.origin"), async () => {
    await using relay = await startFakeRelay();
    const id = await passages.list(relay.url);
    for (const method of ["POST", "GET", "DELETE", "OPTIONS"]) {
      const refused = await passages.send(id, { method, headers: { origin: "https://evil.example" } });
      await expectProblem(refused, "forbidden", 403);
    }
    await expectProblem(await passages.send(id, { headers: { host: "evil.example" } }), "forbidden", 403);
    expect(relay.requests).toEqual([]);
    const origin = "http://127.0.0.1:8790";
    const preflight = await passages.send(id, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-headers": "mcp-param-city,x-relay-authorization" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([204, origin]);
    expect(preflight.headers.get("access-control-allow-methods")).toBe("POST, GET, DELETE, OPTIONS");
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(
      /mcp-session-id.*x-relay-authorization.*mcp-param-city/i,
    );
    const answer = await passages.send(id, { headers: { origin } });
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect(answer.headers.get("access-control-expose-headers")).toMatch(/mcp-session-id/i);
    await answer.text();
  });
});

it("a relay that is away is told as in a call, and stays as it was listed", async () => {
  const gone = await startFakeRelay();
  const id = await passages.list(gone.url);
  const { store } = passages.catalog.context;
  const before = await store.relays.get(id);
  await gone.close();
  const answer = await passages.send(id);
  expect((await expectProblem(answer, "relay-unreachable", 502)).relay).toBe(id);
  expect(await store.relays.get(id)).toEqual(before);
});

describe("what it costs", () => {
  const rule = { perMinute: 6, burst: 2 };
  const budgets = { register: rule, bulk: rule, refresh: rule, call: rule, subscribe: rule };

  it("is a call of its client, whatever the method", verifies("passage.bounded"), async () => {
    await using limited = await openPassages({ budgets, clientOf: () => "192.0.2.1" });
    await using relay = await startFakeRelay();
    const id = await limited.list(relay.url);
    const bad = await limited.send(id, { body: "no" });
    expect([bad.status, bad.headers.get("ratelimit")]).toEqual([400, null]);
    const first = await limited.send(id);
    expect(first.headers.get("ratelimit")).toBe('"call";r=1;t=10');
    await first.text();
    await (await limited.send(id, { method: "DELETE" })).text();
    const refused = await limited.send(id);
    expect(refused.headers.get("retry-after")).toBe("10");
    await expectProblem(refused, "rate-limited", 429);
    expect(relay.requests).toHaveLength(2);
  });

  it("is a call for each message of a batch", verifies("passage.bounded"), async () => {
    await using limited = await openPassages({ budgets, clientOf: () => "192.0.2.1" });
    await using relay = await startFakeRelay();
    const id = await limited.list(relay.url);
    const two = await limited.send(id, { body: `[${PING},${PING}]` });
    expect(two.headers.get("ratelimit")).toBe('"call";r=0;t=20');
    await two.text();
    await expectProblem(await limited.send(id), "rate-limited", 429);
    const crowd = `[${Array(101).fill(PING).join(",")}]`;
    await expectProblem(await limited.send(id, { body: crowd }), "too-large", 413);
    expect(relay.requests).toHaveLength(1);
  });
});
