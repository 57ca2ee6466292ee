/** A listed relay's document: what it is served as, and that clients made from it call real tools through the catalog. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApiToTools } from "../../src/openapi/index.ts";
import type { JsonObject } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { compileErrors, complaints, typesOf } from "../openapi/judges.ts";
import { plainClient } from "../openapi/plain-client.ts";
import { freePort, type ServerProcess, startProcess } from "../real-servers/start-process.ts";
import { verifies } from "../requirements.ts";
import {
  type CatalogFixture,
  json,
  openCatalog,
  type ServedCatalog,
  serveDoors,
  tool,
} from "./catalog-fixture.ts";
import { expectProblem } from "./rest-fixture.ts";

const names = [
  "plain",
  ".",
  "..",
  "%2E",
  "%2e%2e",
  "a/b",
  "a b",
  "{id}",
  "ünï",
  "100%",
  "?q#f",
  "a+b",
  "__proto__",
  "x".repeat(140),
];

let catalog: CatalogFixture;
let served: ServedCatalog;
let relay: FakeRelay;
let sdk: ServerProcess;

beforeAll(async () => {
  const port = await freePort();
  catalog = await openCatalog({ url: `http://127.0.0.1:${port}` });
  served = await serveDoors(catalog.context, { port });
  relay = await startFakeRelay({
    tools: names.map((name) => ({ ...tool(name), outputSchema: { type: "object" } })),
    onCall: (name, args) => ({ content: [], structuredContent: { name, args } }),
  });
  sdk = await startProcess({
    args: (port) => [join(import.meta.dirname, "../real-servers/servers/sdk2.ts"), String(port), "both"],
  });
});

afterAll(async () => {
  await sdk?.[Symbol.asyncDispose]();
  await relay?.close();
  await served?.[Symbol.asyncDispose]();
  await catalog?.[Symbol.asyncDispose]();
});

const read = (id: string, init?: RequestInit) => fetch(`${served.url}/v1/relays/${id}/openapi.json`, init);

async function register(url: string): Promise<string> {
  const response = await fetch(`${served.url}/v1/relays`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  return (await json(response)).relay.id;
}

describe("GET /v1/relays/:id/openapi.json", () => {
  test(
    "of a real SDK server: a client made from it calls its tools",
    verifies("openapi.callable"),
    async () => {
      const id = await register(sdk.url);
      const text = await (await read(id)).text();
      expect(await complaints(text)).toEqual([]);
      const document = JSON.parse(text);
      expect(document).toMatchObject({
        info: { title: "sdk2", version: "2.0.0" },
        servers: [{ url: served.url }],
        "x-mcp": { endpoint: sdk.url, protocolVersion: "2026-07-28", transport: "streamable-http" },
      });
      const call = plainClient(document);
      expect(await call("add", { a: 2, b: 40 })).toMatchObject({ status: 200, body: { sum: 42 } });
      expect(await call("greet", { name: "Ada" })).toMatchObject({
        body: { content: [{ text: "Hello, Ada!" }] },
      });
      const refused = await call("add", { a: "two" });
      expect(refused).toMatchObject({
        status: 422,
        type: "application/problem+json",
        body: { result: { isError: true } },
      });
    },
  );

  test(
    "of a real SDK server: a typed client compiles against its types",
    verifies("openapi.compiles"),
    async () => {
      const text = await (await read(await register(sdk.url))).text();
      const errors = await compileErrors({
        "api.ts": await typesOf(text),
        "client.ts": `import type { operations } from "./api.ts";
type Body<Id extends keyof operations> = operations[Id]["requestBody"]["content"]["application/json"];
type Answer<Id extends keyof operations> = operations[Id]["responses"][200]["content"]["application/json"];
type Failure<Id extends keyof operations> = operations[Id]["responses"]["default"]["content"]["application/problem+json"];
declare function call<Id extends keyof operations>(id: Id, body: Body<Id>): Promise<Answer<Id>>;
export const sum: Promise<number> = call("add", { a: 2, b: 40 }).then((answer) => answer.sum);
export const code = (failure: Failure<"add">): string => failure.code;
// @ts-expect-error
call("add", { a: "two", b: 40 });
// @ts-expect-error
call("greet", {});
`,
      });
      expect(errors).toBe("");
    },
  );

  test("leads to tools of every name", verifies("openapi.callable", "openapi.names"), async () => {
    const id = await register(relay.url);
    const document = await json(read(id));
    expect(openApiToTools(document).map(({ name }) => name)).toEqual(names);
    const call = plainClient(document);
    for (const { post } of Object.values(document.paths) as { post: Record<string, string> }[]) {
      const name = post["x-mcp-name"] ?? post.operationId;
      const answer = await call(post.operationId as string, { said: name });
      expect(answer, name).toMatchObject({ status: 200, body: { name, args: { said: name } } });
    }
  });

  test("is served by the type that is asked for, with its tag", verifies("openapi.served"), async () => {
    const id = await register(relay.url);
    const plain = await read(id);
    expect(plain.headers.get("content-type")).toBe("application/vnd.oai.openapi+json");
    expect(plain.headers.get("cache-control")).toBe("no-cache");
    expect(plain.headers.get("vary")).toBe("Accept");
    const etag = plain.headers.get("etag") as string;
    expect((await read(id, { headers: { "if-none-match": etag } })).status).toBe(304);
    const asJson = await read(id, {
      headers: { accept: "application/json, application/vnd.oai.openapi+json" },
    });
    expect(asJson.headers.get("content-type")).toBe("application/json");
    expect(asJson.headers.get("etag")).not.toBe(etag);
    expect(await asJson.text()).toBe(await plain.text());
    const head = await read(id, { method: "HEAD" });
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, etag, ""]);
    relay.update({ tools: [tool("other")] });
    await fetch(`${served.url}/v1/relays/${id}/refresh`, { method: "POST" });
    expect((await read(id, { headers: { "if-none-match": etag } })).status).toBe(200);
    relay.update({ tools: names.map((name) => tool(name)) });
  });

  test("405 for other methods, 404 for no relay, as problems", verifies("openapi.served"), async () => {
    const post = await read("any", { method: "POST" });
    expect(post.headers.get("allow")).toContain("GET");
    await expectProblem(post, "method-not-allowed", 405);
    await expectProblem(await read("nowhere.example"), "not-found", 404);
  });

  test(
    "says how a credential for the relay is given, where it may want one",
    verifies("openapi.callable"),
    async () => {
      const listed = async (host: string, auth: JsonObject | null) => {
        const mcp = `https://${host}/mcp`;
        await catalog.list(mcp, {
          descriptor: { mcp, ...(auth === null ? {} : { auth }) },
          tools: [tool("a"), tool("b")],
        });
        const document = await json(read(host));
        const security = Object.values(document.paths).map(
          (item) => (item as { post: { security?: unknown } }).post.security,
        );
        return [document.components.securitySchemes?.relay?.name, ...security];
      };
      const header = "X-Relay-Authorization";
      const needed = [{ relay: [] }];
      const maybe = [{}, { relay: [] }];
      expect(await listed("none.example", { kind: "none" })).toEqual([undefined, undefined, undefined]);
      expect(await listed("unstated.example", null)).toEqual([header, maybe, maybe]);
      expect(await listed("bearer.example", { kind: "bearer" })).toEqual([header, needed, needed]);
      expect(await listed("open.example", { kind: "oauth", open: ["b"] })).toEqual([header, needed, maybe]);
    },
  );

  test("the credential that it asks for reaches the relay", verifies("openapi.callable"), async () => {
    await using guarded = await startFakeRelay({
      tools: [tool("secret")],
      descriptor: { mcp: "/mcp", auth: { kind: "bearer" } },
    });
    const id = await register(guarded.url);
    guarded.update({ token: "s3cret" });
    const call = plainClient(await json(read(id)));
    expect(await call("secret", {})).toMatchObject({ status: 502, body: { code: "relay-refused" } });
    expect(await call("secret", {}, { relay: "Bearer s3cret" })).toMatchObject({ status: 200 });
  });
});
