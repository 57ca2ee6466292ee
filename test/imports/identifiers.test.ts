/** What publishers call their relays, as an import of a catalog reads it: kept with the record, where the publisher says it. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { type AiCatalog, parseRaw } from "../../src/spec/index.ts";
import { caller } from "../catalog/fixture.ts";
import { relaysOfTests } from "../catalog/relays.ts";
import { aiCatalog, card, cardEntry } from "../discovery/site.ts";
import { verifies } from "../requirements.ts";
import { type ImportCatalog, startImportCatalog } from "./fixture.ts";

const relay = relaysOfTests();
const WELL_KNOWN = "/.well-known/ai-catalog.json";
const URN = "urn:air:fleet.dev:mcp:one";

/** Documents by host and path: every name leads to 127.0.0.1. */
async function web() {
  const documents = new Map<string, object | string>();
  const server = createServer((request: IncomingMessage, response) => {
    const [host] = (request.headers.host ?? "").split(":");
    const found = documents.get(`${host}${request.url}`);
    if (found === undefined) response.writeHead(404).end();
    else if (typeof found === "string") response.writeHead(200, { "content-type": "text/html" }).end(found);
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(found));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    at: (host: string, path = "/") => `http://${host}:${port}${path}`,
    serve: (host: string, path: string, document: object | string) =>
      documents.set(`${host}${path}`, document),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const inside = (identifier: string, url: string) => ({
  ...cardEntry("x", ""),
  url: undefined,
  identifier,
  data: card("dev.fleet/x", url),
});
const nested = (url: string) => ({ identifier: "urn:x:nested", type: "application/ai-catalog+json", url });

async function relayAt(host: string, descriptor?: object) {
  const started = await relay(descriptor === undefined ? {} : { descriptor: { mcp: "/mcp", ...descriptor } });
  return started.url.replace("127.0.0.1", host);
}

/** Identifiers by endpoint, as records have them. */
async function identifiers({ catalog }: ImportCatalog): Promise<Record<string, string | undefined>> {
  const records = await Promise.all((await catalog.ids()).map((id) => catalog.get(id)));
  return Object.fromEntries(records.map(({ id, identifier }) => [id.replace(/-\d+$/, ""), identifier]));
}

describe("an import of a publisher's catalog", () => {
  it(
    "keeps what it calls its relays, cards inside it and elsewhere, and it is published unchanged",
    verifies("publish.identifiers"),
    async () => {
      await using site = await web();
      await using imports = await startImportCatalog();
      const one = await relayAt("one.fleet.dev", { name: "One" });
      const two = await relayAt("two.fleet.dev");
      site.serve("fleet.dev", "/cards/two", card("dev.fleet/two", two));
      site.serve(
        "fleet.dev",
        WELL_KNOWN,
        aiCatalog([
          inside(URN, one),
          { ...cardEntry("two", "/cards/two"), identifier: "urn:air:fleet.dev:mcp:two" },
        ]),
      );
      await imports.run({ from: "ai-catalog", url: site.at("fleet.dev") });
      expect(await identifiers(imports)).toEqual({
        "one.fleet.dev": URN,
        "two.fleet.dev": "urn:air:fleet.dev:mcp:two",
      });
      const { context } = imports.catalog;
      const identity = { ...context.identity, description: "A catalog." };
      const document = await operations.aiCatalog.run({ ...context, identity }, {}, caller);
      const { entries } = parseRaw(document) as unknown as AiCatalog;
      expect(entries.map(({ identifier }) => identifier)).toContain(URN);
    },
  );

  it("tells it of a relay that is listed already, and another import of a stranger's takes nothing", async () => {
    await using site = await web();
    await using imports = await startImportCatalog();
    const one = await relayAt("one.fleet.dev", {});
    await imports.catalog.register(one);
    site.serve("evil.dev", WELL_KNOWN, aiCatalog([inside("urn:air:fleet.dev:mcp:stolen", one)]));
    await imports.run({ from: "ai-catalog", url: site.at("evil.dev") });
    expect(await identifiers(imports)).toEqual({ "one.fleet.dev": undefined });
    site.serve("fleet.dev", WELL_KNOWN, aiCatalog([inside(URN, one)]));
    await imports.run({ from: "ai-catalog", url: site.at("fleet.dev") });
    await imports.run({ from: "ai-catalog", url: site.at("evil.dev") });
    expect(await identifiers(imports)).toEqual({ "one.fleet.dev": URN });
  });

  it("believes it too where a stranger's list leads to the publisher's own, and nothing of the stranger's", async () => {
    await using site = await web();
    await using imports = await startImportCatalog();
    const one = await relayAt("one.fleet.dev");
    const two = await relayAt("two.fleet.dev");
    const three = await relayAt("three.fleet.dev");
    site.serve("fleet.dev", WELL_KNOWN, aiCatalog([inside(URN, one)]));
    // Anybody's file on that host.
    site.serve("fleet.dev", "/uploads/list", aiCatalog([inside("urn:air:fleet.dev:mcp:two", two)]));
    site.serve(
      "lists.dev",
      WELL_KNOWN,
      aiCatalog([
        nested(site.at("fleet.dev", WELL_KNOWN)),
        nested(site.at("fleet.dev", "/uploads/list")),
        inside("urn:air:fleet.dev:mcp:three", three),
      ]),
    );
    await imports.run({ from: "ai-catalog", url: site.at("lists.dev") });
    expect(await identifiers(imports)).toEqual({
      "one.fleet.dev": URN,
      "two.fleet.dev": undefined,
      "three.fleet.dev": undefined,
    });
  });

  it("finds the catalog that a front page names, and believes it of that site alone", async () => {
    await using site = await web();
    await using imports = await startImportCatalog();
    const one = await relayAt("one.fleet.dev");
    const link = (url: string) => `<html><head><link rel="ai-catalog" href="${url}"></head></html>`;
    site.serve("fleet.dev", "/list", aiCatalog([inside(URN, one)]));
    site.serve("evil.dev", "/", link(site.at("fleet.dev", "/list")));
    site.serve("fleet.dev", "/", link("/list"));
    const job = await imports.run({ from: "ai-catalog", url: site.at("evil.dev") });
    expect(job).toMatchObject({ complete: true, report: { listed: 1 } });
    expect(await identifiers(imports)).toEqual({ "one.fleet.dev": undefined });
    // Given by its URL alone it may be anybody's too.
    await imports.run({ from: "ai-catalog", url: site.at("fleet.dev", "/list") });
    expect(await identifiers(imports)).toEqual({ "one.fleet.dev": undefined });
    await imports.run({ from: "ai-catalog", url: site.at("fleet.dev") });
    expect(await identifiers(imports)).toEqual({ "one.fleet.dev": URN });
    // And says where it looked when there is none.
    const none = await imports.run({ from: "ai-catalog", url: site.at("empty.dev") });
    expect(none).toMatchObject({ complete: false, problems: [expect.stringContaining("front page")] });
  });
});
