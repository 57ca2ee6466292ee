/** A catalog that has just started, a relay that was just added: its tools are found at once, by whatever door. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import type { FindToolsOutput } from "../../src/spec/index.ts";
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
  const find = async () =>
    JSON.parse(
      (await runCli(["find", "book", "a", "hotel", "--json", "--catalog", catalog.url], { env })).stdout,
    );
  expect(await foundSoon(find)).toMatchObject([{ name: "book_hotel" }]);
});

it("finds it as soon over MCP, with tools that changed", async () => {
  await using relay = await startFakeRelay({ tools: [{ name: "book_hotel" }] });
  await using catalog = await startCatalogProcess([
    ...["--db", join(folder, "catalog.db"), "--refresh", "off", "--log-level", "silent"],
  ]);
  await using client = new CatalogClient(catalog.url, { transport: "mcp" });
  await client.register(relay.url);
  expect(await foundSoon(() => client.find({ q: "hotel" }))).toMatchObject([{ name: "book_hotel" }]);
  relay.update({ tools: [{ name: "rent_bicycle" }] });
  await client.register(relay.url);
  // What was found before goes on being found as it was until the index has caught up.
  await expect
    .poll(async () => (await client.find({ q: "bicycle" })).tools, { timeout: 10_000 })
    .toMatchObject([{ name: "rent_bicycle" }]);
});

/**
 * What is found. A machine that is too busy to index within the time that a registration waits may find nothing yet, but has to say
 * that something is still being indexed.
 */
async function foundSoon(find: () => Promise<FindToolsOutput>): Promise<readonly unknown[]> {
  for (let asked = 0; asked < 50; asked += 1) {
    const { tools, indexing } = await find();
    if (tools.length > 0) return tools;
    expect(indexing).toBe(1);
    await sleep(100);
  }
  return [];
}
