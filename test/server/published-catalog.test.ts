/** A running catalog as strangers meet it: discovery finds it and its relays, and another catalog takes them over from its documents. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { discover } from "../../src/discovery/index.ts";
import { parseServeOptions, type RunningCatalog, startCatalog } from "../../src/server/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { runCli } from "../cli/run-cli.ts";
import { verifies } from "../requirements.ts";

const ADMIN = { authorization: "Bearer correct-horse", "content-type": "application/json" };

let relays: FakeRelay[];
let catalog: RunningCatalog;

const start = () =>
  startCatalog(
    parseServeOptions({
      port: 0,
      db: ":memory:",
      refresh: "off",
      logLevel: "silent",
      adminToken: "correct-horse",
      name: "A catalog",
    }),
  );

beforeAll(async () => {
  relays = [
    await startFakeRelay({
      descriptor: { mcp: "/mcp", name: "One" },
      serverInfo: { name: "one", version: "1.4.2" },
    }),
    await startFakeRelay({ descriptor: { mcp: "/mcp", name: "Two" } }),
  ];
  catalog = await start();
  for (const { url } of relays) {
    const answer = await fetch(`${catalog.url}/v1/relays`, {
      method: "POST",
      headers: ADMIN,
      body: JSON.stringify({ url }),
    });
    expect(answer.status).toBe(201);
  }
});

afterAll(async () => {
  await catalog.close();
  await Promise.all(relays.map((relay) => relay.close()));
});

const endpoints = () => relays.map(({ url }) => url).sort();

describe("a running catalog", () => {
  it(
    "is discovered with its relays, and nothing is wrong with its documents",
    verifies("publish.ai-catalog", "publish.mcp-catalog", "publish.own-card", "publish.link"),
    async () => {
      const found = await discover(catalog.url, { fetch });
      expect(found.verdict).toBe("found");
      for (const document of found.documents) {
        expect([document.url, document.conformant, document.diagnostics]).toEqual([document.url, true, []]);
      }
      const published = found.documents.map(({ url }) => url.replace(catalog.url, ""));
      expect(published).toEqual(
        expect.arrayContaining([
          "/.well-known/openmcp.json",
          "/.well-known/ai-catalog.json",
          "/.well-known/mcp/catalog.json",
          "/mcp/server-card",
        ]),
      );
      const servers = found.servers.map(({ endpoint }) => endpoint);
      expect(servers.sort()).toEqual([`${catalog.url}/mcp`, ...endpoints()].sort());
    },
  );

  it("contradicts itself nowhere, as a person sees with openmcp discover", async () => {
    const { code, stdout, stderr } = await runCli(["discover", catalog.url, "--json"]);
    const { servers } = JSON.parse(stdout) as {
      servers: { contradictions: unknown[]; live: { state: string } }[];
    };
    expect(servers.map(({ live }) => live.state)).toEqual(["online", "online", "online"]);
    expect(servers.flatMap(({ contradictions }) => contradictions)).toEqual([]);
    expect([code, stderr]).toEqual([0, ""]);
  });

  /** An import takes no relay of this machine over, so here it says that it would have had to. */
  it.each([
    ["registry", 2, { localhost: 2 }],
    // A catalog on one's own network lists servers there.
    ["ai-catalog", 3, {}],
  ])(
    "is read to its end by another catalog's import of its %s",
    verifies("registry.list", "publish.ai-catalog"),
    async (from, entries, skipped) => {
      await using other = await start();
      const taken = await fetch(`${other.url}/v1/import`, {
        method: "POST",
        headers: ADMIN,
        body: JSON.stringify({ from, url: catalog.url }),
      });
      expect(taken.status, await taken.clone().text()).toBe(202);
      const { poll } = (await taken.json()) as { poll: string };
      const job = async () => ((await (await fetch(poll, { headers: ADMIN })).json()) as { job: object }).job;
      await expect.poll(job, { timeout: 10_000 }).toMatchObject({
        state: "done",
        complete: true,
        problems: [],
        report: { seen: entries, skipped },
      });
    },
  );
});
