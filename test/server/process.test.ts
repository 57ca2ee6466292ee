/** The catalog as a process that is stopped and killed: `kill -9` at any moment loses nothing that was answered for. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BulkJob, RelayRecord, ToolDefinition } from "../../src/spec/index.ts";
import { type FakeFarm, startFakeFarm } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { startCatalogProcess } from "./catalog-process.ts";

const RELAYS = 240;
/** Each of these tests starts the catalog several times over. */
const PATIENCE_MS = 120_000;

let folder: string;
let farm: FakeFarm;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-process-"));
  farm = await startFakeFarm(RELAYS, {
    tools: (index): readonly ToolDefinition[] => [
      { name: `find_${wordOf(index)}`, inputSchema: { type: "object" } },
      { name: "shared" },
    ],
  });
});
afterAll(async () => {
  await farm?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a catalog process", () => {
  it.each(["SIGTERM", "SIGINT"] as const)("prints what is on, and ends with 0 on %s", async (signal) => {
    await using catalog = await startCatalogProcess(["--db", ":memory:", "--refresh", "off"]);
    expect(catalog.output.stdout).toContain(`${catalog.url}/mcp`);
    expect((await fetch(`${catalog.url}/healthz`)).status).toBe(200);
    catalog.kill(signal);
    expect(await catalog.ended).toBe(0);
  });

  it("ends with a sentence and not with 0 when its port is taken", async () => {
    await using catalog = await startCatalogProcess(["--db", ":memory:"]);
    const port = new URL(catalog.url).port;
    const second = startCatalogProcess(["--db", ":memory:", "--port", port]);
    await expect(second).rejects.toThrow(/ended with [1-9]\d*: [\s\S]*is in use[\s\S]*--port/);
  });

  it(
    "holds every registration it answered for after kill -9, wherever it is hit",
    async ({ signal }) => {
      const db = join(folder, "killed.db");
      const answered = new Map<string, string>();
      for (const killAfter of [1, 50, 120]) {
        await using catalog = await startCatalogProcess(["--db", db, "--refresh", "off"]);
        expect(await listedOf(catalog.url)).toEqual(expect.arrayContaining([...answered.keys()]));
        const lanes = Array.from({ length: 8 }, async (_, lane) => {
          for (let index = lane; index < RELAYS; index += 8) {
            const url = farm.urls[index] as string;
            if ([...answered.values()].includes(url)) continue;
            const record = await register(catalog.url, url);
            if (record === null) return;
            answered.set(record.id, url);
            if (answered.size >= killAfter) catalog.kill("SIGKILL");
          }
        });
        await Promise.all(lanes);
        expect(await catalog.ended).toBe("SIGKILL");
      }
      await using catalog = await startCatalogProcess(["--db", db, "--refresh", "off"]);
      expect(answered.size).toBeGreaterThanOrEqual(120);
      for (const [id, url] of answered) {
        const response = await fetch(`${catalog.url}/v1/relays/${id}`);
        const { relay } = (await response.json()) as { relay: RelayRecord };
        expect(new URL(relay.descriptor.mcp, relay.source).href).toBe(url);
        expect(relay.tools.map((tool) => tool.name)).toEqual([
          `find_${wordOf(farm.urls.indexOf(url))}`,
          "shared",
        ]);
      }
      // Search catches up with what the kill left unindexed.
      for (const [id, url] of answered) {
        const word = wordOf(farm.urls.indexOf(url));
        const found = await until(signal, async () => {
          const response = await fetch(`${catalog.url}/v1/tools?q=${word}`);
          const { tools } = (await response.json()) as { tools: { relay: string }[] };
          return tools.find((tool) => tool.relay === id);
        });
        expect(found.relay).toBe(id);
      }
    },
    PATIENCE_MS,
  );

  it("finishes a bulk job that kill -9 interrupted", {
    ...verifies("rest.bulk", "rest.bulk-survives"),
    timeout: PATIENCE_MS,
  }, async ({ signal }) => {
    const db = join(folder, "bulk.db");
    let job: string;
    {
      await using catalog = await startCatalogProcess(["--db", db, "--refresh", "off"]);
      const response = await post(`${catalog.url}/v1/relays/bulk`, { urls: farm.urls });
      expect(response.status).toBe(202);
      ({ job } = (await response.json()) as { job: string });
      await until(signal, async () => (await jobOf(catalog.url, job)).done > 0);
      catalog.kill("SIGKILL");
      await catalog.ended;
    }
    await using catalog = await startCatalogProcess(["--db", db, "--refresh", "off"]);
    const finished = await until(signal, async () => {
      const state = await jobOf(catalog.url, job);
      return state.finishedAt === null ? undefined : state;
    });
    expect(finished).toMatchObject({ total: RELAYS, done: RELAYS });
    expect(finished.results.map((result) => result.url)).toEqual(farm.urls);
    expect(finished.results.filter((result) => result.relay === null)).toEqual([]);
    expect(await listedOf(catalog.url)).toHaveLength(RELAYS);
  });
});

/** A word of letters alone: search takes digits for words of their own. */
function wordOf(index: number): string {
  return `zq${[...String(index)].map((digit) => "bcdfghjklm"[Number(digit)]).join("")}zq`;
}

/** Null when the process died before it answered. */
async function register(catalog: string, url: string): Promise<RelayRecord | null> {
  try {
    const response = await post(`${catalog}/v1/relays`, { url });
    const body = (await response.json()) as { relay: RelayRecord };
    return response.ok ? body.relay : null;
  } catch {
    return null;
  }
}

async function listedOf(catalog: string): Promise<string[]> {
  const response = await fetch(`${catalog}/v1/relays?limit=500`);
  return ((await response.json()) as { relays: RelayRecord[] }).relays.map((relay) => relay.id);
}

async function jobOf(catalog: string, job: string): Promise<BulkJob> {
  return ((await (await fetch(`${catalog}/v1/relays/bulk/${job}`)).json()) as { job: BulkJob }).job;
}

/** Asks until the answer is there, or the test's own time is up. */
async function until<T>(signal: AbortSignal, ask: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await sleep(10);
  }
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
