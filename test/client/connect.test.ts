/** Going direct: the SDK's client on the relay's own endpoint, with the caller's own credential and a proper end. */
import { describe, expect, it } from "vitest";
import { CatalogClient, connect, type OpenMcpError } from "../../src/client/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { json, record, startFakeCatalog } from "./fake-catalog.ts";

const tools = [{ name: "ping", inputSchema: { type: "object" } }] as const;

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error) => error as OpenMcpError,
  );

describe.each(["modern", "legacy"] as const)("a relay of the %s era", (era) => {
  it("is listed and called", verifies("client.direct"), async () => {
    await using relay = await startFakeRelay({ era, tools });
    await using client = await connect(relay.url);
    expect(client.era).toBe(era);
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(["ping"]);
    const result = await client.callTool({ name: "ping", arguments: { a: 1 } });
    expect(result.isError).not.toBe(true);
  });

  it("gets the credential on every request, and only what was given", async () => {
    await using relay = await startFakeRelay({ era, tools, token: "mine" });
    await using client = await connect(relay.url, { token: "mine" });
    await client.listTools();
    const sent = new Set(
      relay.requests.filter(({ path }) => path === "/mcp").map(({ headers }) => headers.authorization),
    );
    expect([...sent]).toEqual(["Bearer mine"]);
    expect(await failure(connect(relay.url))).toMatchObject({ code: "relay-refused" });
    expect(await failure(connect(relay.url, { token: "wrong" }))).toMatchObject({ code: "relay-refused" });
  });
});

it("ends a legacy session when it closes, once", async () => {
  await using relay = await startFakeRelay({ era: "legacy", session: true, tools });
  const client = await connect(relay.url);
  await client.listTools();
  expect(relay.openSessions.size).toBe(1);
  await client.close();
  await client[Symbol.asyncDispose]();
  expect(relay.openSessions.size).toBe(0);
  expect(relay.requests.filter(({ method }) => method === "DELETE")).toHaveLength(1);
});

it("closes in bounded time although the server never answers the end of the session", async () => {
  await using relay = await startFakeRelay({
    era: "legacy",
    session: true,
    tools,
    intercept: ({ method }) => method === "DELETE",
  });
  const client = await connect(relay.url);
  await client.close();
});

it(
  "goes from the record to the relay, and tells neither of them of the other's credential",
  verifies("client.direct"),
  async () => {
    await using relay = await startFakeRelay({ tools, token: "mine" });
    await using server = await startFakeCatalog(
      json({ ok: true, relay: record("r", { source: relay.url, descriptor: { mcp: relay.url } }) }),
    );
    await using catalog = new CatalogClient(server.base, { token: "admin" });
    await using client = await catalog.connect("r", { token: "mine" });
    expect((await client.listTools()).tools).toHaveLength(1);
    expect(JSON.stringify(relay.requests)).not.toContain("admin");
    expect(JSON.stringify(server.asked)).not.toContain("mine");
    expect(server.asked).toHaveLength(1);
  },
);

describe("what goes wrong", () => {
  it("is told apart", async () => {
    expect(await failure(connect("http://127.0.0.1:1/mcp"))).toMatchObject({ code: "relay-unreachable" });
    expect(await failure(connect("no url"))).toMatchObject({ code: "invalid-input" });
    expect(await failure(connect("file:///etc/passwd"))).toMatchObject({ code: "invalid-input" });
    await using page = await startFakeCatalog((_asked, response) => {
      response.writeHead(404, { "content-type": "text/html" });
      response.end("<h1>no</h1>");
    });
    const notMcp = await failure(connect(`${page.base}/`));
    expect(notMcp).toMatchObject({ code: "relay-unreachable" });
    expect(notMcp.message).toContain("/mcp");
    await using silent = await startFakeCatalog(() => {});
    expect(await failure(connect(silent.base, { timeoutMs: 80 }))).toMatchObject({ code: "relay-timeout" });
    expect(await failure(connect(silent.base, { signal: AbortSignal.abort() }))).toMatchObject({
      code: "aborted",
    });
  });

  it("is the catalog's when its record names no endpoint", async () => {
    await using server = await startFakeCatalog(
      json({ ok: true, relay: record("r", { source: "x", descriptor: {} }) }),
    );
    await using catalog = new CatalogClient(server.base);
    expect(await failure(catalog.connect("r"))).toMatchObject({ code: "catalog-answer" });
  });
});
