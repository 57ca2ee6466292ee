/** Importing AI Catalogs and lists of URLs: nested catalogs, cards inside and elsewhere, and what is none. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { caller, deadUrl } from "../catalog/fixture.ts";
import { relaysOfTests } from "../catalog/relays.ts";
import { verifies } from "../requirements.ts";
import { startImportCatalog } from "./fixture.ts";

const relay = relaysOfTests();

const card = (name: string, url: string) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
  name,
  version: "1.0.0",
  description: "A server.",
  remotes: [{ type: "streamable-http", url }],
});

const entry = (identifier: string, more: object, type = "application/mcp-server-card+json") => ({
  identifier,
  type,
  displayName: identifier,
  ...more,
});

const AI = "application/ai-catalog+json";

/** Documents by path, on a name of their own; every name leads to 127.0.0.1. */
async function site(documents: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const found = documents[path];
    if (found === undefined) response.writeHead(404).end();
    else if (Buffer.isBuffer(found)) response.writeHead(200, { "content-type": AI }).end(found);
    else if (typeof found === "string") response.writeHead(200, { "content-type": "text/html" }).end(found);
    else response.writeHead(200, { "content-type": AI }).end(JSON.stringify(found));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://lists.fleet.dev:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("an AI Catalog", () => {
  it(
    "gives the servers of its cards, of those inside it and of the catalogs it names, each once",
    verifies("import.ai-catalog"),
    async () => {
      const one = await relay({ descriptor: { mcp: "/mcp" } });
      const at = (host: string) => one.url.replace("127.0.0.1", host);
      const documents: Record<string, unknown> = {
        "/cards/a": card("dev.fleet/a", at("a.fleet.dev")),
        "/cards/registry": {
          name: "dev.fleet/r",
          description: "A server.",
          version: "2.0.0",
          remotes: [{ type: "streamable-http", url: at("r.fleet.dev") }],
        },
        "/cards/broken": "<html>",
      };
      documents["/.well-known/ai-catalog.json"] = {
        specVersion: "1.0",
        entries: [
          entry("urn:air:fleet.dev:mcp:a", { url: "/cards/a" }),
          entry("urn:air:fleet.dev:mcp:inside", { data: card("dev.fleet/inside", at("inside.fleet.dev")) }),
          entry("urn:air:fleet.dev:mcp:same", { data: card("dev.fleet/same", at("a.fleet.dev")) }),
          entry("urn:air:fleet.dev:mcp:r", { url: "/cards/registry" }, "application/mcp-server+json"),
          entry("urn:air:fleet.dev:mcp:broken", { url: "/cards/broken" }),
          entry("urn:air:fleet.dev:mcp:gone", { url: "/cards/gone" }),
          entry("urn:air:fleet.dev:skill:x", { url: "/skill" }, "application/agent-skill"),
          entry("urn:air:fleet.dev:catalog", { url: "/more" }, AI),
          entry("urn:air:fleet.dev:bad", {}),
        ],
      };
      documents["/more"] = {
        specVersion: "1.0",
        entries: [
          entry("urn:air:fleet.dev:back", { url: "/.well-known/ai-catalog.json" }, AI),
          entry("urn:air:fleet.dev:mcp:a", { url: "/cards/a" }),
          entry("urn:air:fleet.dev:mcp:deep", { data: card("dev.fleet/deep", at("deep.fleet.dev")) }),
        ],
      };
      await using lists = await site(documents);
      await using imports = await startImportCatalog();
      const job = await imports.run({ from: "ai-catalog", url: lists.url });
      expect(job).toMatchObject({
        state: "done",
        complete: true,
        url: `${lists.url}/.well-known/ai-catalog.json`,
        report: { taken: 4, shared: 1, listed: 4, skipped: { unreadable: 3, "not-mcp": 1 } },
      });
      expect(job.report.seen).toBe(9);
      expect(new Set(lists.asked).size).toBe(lists.asked.filter((path) => path !== "/x").length);
      const results = await imports.results(job.id);
      expect(results.map(({ names }) => names)).toContainEqual(["dev.fleet/a", "dev.fleet/same"]);
      const id = results.find(({ names }) => names.includes("dev.fleet/deep"))?.relay as string;
      const { claims } = await operations.claims.run(imports.catalog.context, { id }, caller);
      expect(claims).toMatchObject([{ name: "dev.fleet/deep", source: `${lists.url}/more` }]);
    },
  );

  it("of 100,000 entries gives what its first MiB has, and says so; another charset is read too", async () => {
    const listed = (count: number) => ({
      specVersion: "1.0",
      entries: Array.from({ length: count }, (_, at) =>
        entry(`urn:x:${at}`, { data: card(`dev.fleet/s${at}`, "https://{tenant}.fleet.dev/mcp") }),
      ),
    });
    await using lists = await site({
      "/large": listed(100_000),
      "/wide": Buffer.from(`\ufeff${JSON.stringify(listed(2))}`, "utf16le"),
    });
    await using imports = await startImportCatalog();
    const { report, ...large } = await imports.run({ from: "ai-catalog", url: `${lists.url}/large` });
    expect(large).toMatchObject({ state: "done", complete: false });
    expect(large.problems).toEqual([expect.stringContaining("larger than 1 MiB")]);
    expect(report.seen).toBeGreaterThan(1_000);
    expect(report.seen).toBeLessThan(10_001);
    const wide = await imports.run({ from: "ai-catalog", url: `${lists.url}/wide` });
    expect(wide).toMatchObject({ complete: true, report: { seen: 2 } });
  });

  it("is found in the place of the MCP Catalog too, and levels without end have one", async () => {
    const documents: Record<string, unknown> = {};
    documents["/.well-known/ai-catalog.json"] = "<html>not here</html>";
    documents["/.well-known/mcp/catalog.json"] = {
      specVersion: "draft",
      entries: [
        {
          identifier: "urn:mcp:server:dev.fleet/x",
          displayName: "X",
          mediaType: "application/mcp-server-card+json",
          url: "/x",
        },
      ],
    };
    documents["/x"] = card("dev.fleet/x", "http://localhost/mcp");
    for (let level = 0; level < 9; level += 1) {
      documents[`/level/${level}`] = {
        specVersion: "1.0",
        entries: [entry(`urn:air:fleet.dev:${level}`, { url: `/level/${level + 1}` }, AI)],
      };
    }
    await using lists = await site(documents);
    await using imports = await startImportCatalog();
    const site1 = await imports.run({ from: "ai-catalog", url: lists.url });
    expect(site1).toMatchObject({ complete: true, report: { seen: 1, skipped: { localhost: 1 } } });
    const deep = await imports.run({ from: "ai-catalog", url: `${lists.url}/level/0` });
    expect(deep).toMatchObject({ complete: false, report: { documents: 4 } });
    expect(deep.problems).toEqual([expect.stringContaining("deeper than")]);
    const none = await imports.run({ from: "ai-catalog", url: `${lists.url}/x` });
    expect(none).toMatchObject({ complete: false, problems: [expect.stringContaining("no catalog")] });
  });

  it("with more cards than one reads at once comes whole", async () => {
    const cards = Array.from({ length: 811 }, (_, at) =>
      entry(`urn:air:fleet.dev:mcp:${at}`, { url: `/card/${at}` }),
    );
    const documents: Record<string, unknown> = { "/list": { specVersion: "0.9", entries: cards } };
    for (let at = 0; at < 811; at += 1)
      documents[`/card/${at}`] = card(`dev.fleet/${at}`, `https://c${at}.fleet.dev/mcp`);
    await using lists = await site(documents);
    await using imports = await startImportCatalog();
    const job = await imports.run({ from: "ai-catalog", url: `${lists.url}/list`, dryRun: true });
    expect(job).toMatchObject({ complete: true, report: { seen: 811, taken: 811, documents: 812 } });
  });
});

describe("a list of URLs", () => {
  it(
    "is looked at as it is, each URL once, and a host that is down is left alone",
    verifies("import.probed"),
    async () => {
      const one = await relay();
      const dead = await deadUrl();
      const down = Array.from({ length: 9 }, (_, at) => `${dead}/${at}`);
      await using imports = await startImportCatalog();
      const { context } = imports.catalog;
      const urls = [one.url, `${one.url}/`, "not a url", ...down];
      const taken = await operations.importRelays.run(
        context,
        { from: "urls", urls },
        { ...caller, admin: true },
      );
      expect(taken.rejected).toMatchObject([{ url: "not a url" }]);
      const job = await imports.ended(taken.job);
      expect(job).toMatchObject({ from: "urls", url: null, complete: true });
      expect(job.report).toMatchObject({ seen: 10, taken: 10, listed: 1 });
      const { unreachable = 0, "host-down": left = 0 } = job.report.failed;
      expect(unreachable + left).toBe(9);
      // Two at a time: one more may be under way when the fifth has failed.
      expect(left).toBeGreaterThanOrEqual(3);
    },
  );
});
