import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restDoor } from "../../src/doors/rest/index.ts";
import { routes } from "../../src/doors/rest/routes.ts";
import { createLog, parseServeOptions, startCatalog } from "../../src/server/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogFixture, openCatalog } from "./catalog-fixture.ts";

let catalog: CatalogFixture;
let app: ReturnType<typeof restDoor>;
// biome-ignore lint/suspicious/noExplicitAny: a document read as whoever reads it does.
let document: any;

beforeAll(async () => {
  catalog = await openCatalog();
  app = restDoor({ context: catalog.context, adminToken: null });
  document = await (await app.request("/v1/openapi.json")).json();
});

afterAll(() => catalog[Symbol.asyncDispose]());

describe("GET /v1/openapi.json", () => {
  test("is valid OpenAPI 3.1", verifies("rest.openapi"), async () => {
    const result = await new Validator().validate(structuredClone(document));
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(document.openapi).toBe("3.1.1");
  });

  test("has every route and no other", verifies("rest.openapi"), () => {
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`);
    expect(documented.sort()).toEqual(served.sort());
  });

  test("has what other doors serve, where they do", verifies("rest.openapi"), async () => {
    await using whole = await startCatalog(parseServeOptions({ port: 0, db: ":memory:", refresh: "off" }), {
      log: createLog({ level: "silent", human: false, write: () => {} }),
    });
    const all = (await (await fetch(`${whole.url}/v1/openapi.json`)).json()) as typeof document;
    expect((await new Validator().validate(structuredClone(all))).valid).toBe(true);
    const more = Object.entries(all.paths).filter(([path]) => document.paths[path] === undefined);
    expect(more.map(([path]) => path)).toEqual([
      "/v1/relays/{id}/mcp",
      "/v1/events",
      "/v1/admin/backup",
      "/v1/admin/restore",
    ]);
    for (const [path, item] of more) {
      const options = await fetch(`${whole.url}${path}`, { method: "OPTIONS" });
      const allowed = options.headers.get("allow") ?? "";
      for (const method of Object.keys(item as object)) expect(allowed).toContain(method.toUpperCase());
    }
  });

  test("every reference leads somewhere, every operation has its own id", () => {
    const text = JSON.stringify(document);
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      expect(document.components.schemas).toHaveProperty(name as string);
    }
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(routes.length);
  });

  test("path parameters are those of the path, the rest is query or body", () => {
    const call = document.paths["/v1/relays/{id}/call"].post;
    expect(
      call.parameters.map((parameter: { name: string; in: string }) => `${parameter.in} ${parameter.name}`),
    ).toEqual(["path id", "header X-Relay-Authorization"]);
    const body = call.requestBody.content["application/json"].schema;
    expect(Object.keys(body.properties)).toEqual([
      "tool",
      "arguments",
      "token",
      "inputResponses",
      "requestState",
      "clientCapabilities",
    ]);
    expect(body.required).toEqual(["tool"]);
    const list = document.paths["/v1/relays"].get;
    expect(list.parameters.map((parameter: { name: string }) => parameter.name)).toEqual([
      "q",
      "tag",
      "online",
      "verified",
      "auth",
      "era",
      "limit",
      "cursor",
      "view",
    ]);
    expect(
      list.parameters.find((parameter: { name: string }) => parameter.name === "limit").schema,
    ).toMatchObject({
      type: "integer",
      minimum: 1,
      maximum: 500,
    });
  });

  test("says which routes want the admin credential", () => {
    expect(document.paths["/v1/relays/{id}"].delete.security).toEqual([{ admin: [] }]);
    expect(document.paths["/v1/relays/{id}"].get.security).toBeUndefined();
  });

  test("names the catalog by its public URL, and the statuses by their codes", () => {
    expect(document.servers).toEqual([{ url: "http://127.0.0.1:8790" }]);
    const { responses } = document.paths["/v1/relays"].post;
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(["200", "201", "400", "413", "415", "422", "500"]),
    );
    expect(responses[422].content).toHaveProperty("application/problem+json");
  });
});
