/** A catalog that has just started, a relay that was just added: its tools are found at once, by whatever door. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { runCli } from "../cli/run-cli.ts";
import { startCatalogProcess } from "./catalog-process.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-find-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it("finds a tool right after its relay was added, on a database that was not there before", async () => {
  await using relay = await startFakeRelay({
    tools: [{ name: "book_hotel", description: "Books a room.", inputSchema: { type: "object" } }],
  });
  await using catalog = await startCatalogProcess([
    ...["--db", join(folder, "catalog.db"), "--refresh", "off", "--log-level", "silent"],
  ]);
  const env = { OPENMCP_CATALOG: catalog.url };
  expect(await runCli(["add", relay.url, "--catalog", catalog.url])).toMatchObject({ code: 0 });
  const found = await runCli(["find", "book", "a", "hotel", "--json", "--catalog", catalog.url], { env });
  expect(JSON.parse(found.stdout)).toMatchObject({ tools: [{ name: "book_hotel" }] });
});

it("finds it as soon over MCP, with tools that changed", async () => {
  await using relay = await startFakeRelay({ tools: [{ name: "book_hotel" }] });
  await using catalog = await startCatalogProcess([
    ...["--db", join(folder, "catalog.db"), "--refresh", "off", "--log-level", "silent"],
  ]);
  await using client = new CatalogClient(catalog.url, { transport: "mcp" });
  await client.register(relay.url);
  expect((await client.find({ q: "hotel" })).tools).toMatchObject([{ name: "book_hotel" }]);
  relay.update({ tools: [{ name: "rent_bicycle" }] });
  await client.register(relay.url);
  expect((await client.find({ q: "bicycle" })).tools).toMatchObject([{ name: "rent_bicycle" }]);
});
