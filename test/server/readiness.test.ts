/** /readyz names the part that is not ready, tells no more, and the log hears of a change once. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorker } from "../../src/catalog/worker.ts";
import { createLog, parseServeOptions, startCatalog } from "../../src/server/index.ts";
import { createReadiness } from "../../src/server/readiness.ts";
import { type Logger, silentLogger } from "../../src/spec/index.ts";
import { verifies } from "../requirements.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-ready-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("GET /readyz of a catalog that runs", () => {
  it(
    "says which part of the database is wrong, and when it is well again",
    verifies("operate.ready"),
    async () => {
      const db = join(folder, "catalog.db");
      const lines: string[] = [];
      const log = createLog({ level: "info", human: false, write: (line) => void lines.push(line) });
      await using catalog = await startCatalog(
        parseServeOptions({ port: 0, db, refresh: "off", peerSync: "off" }),
        { log },
      );
      const ready = async () => {
        const response = await fetch(`${catalog.url}/readyz`);
        const { parts } = (await response.json()) as { parts: Record<string, string> };
        return { status: response.status, parts };
      };
      const well = { store: "ok", migrations: "ok", workers: "ok", intake: "ok" };
      expect(await ready()).toEqual({ status: 200, parts: well });
      const other = new DatabaseSync(db, { timeout: 5_000 });
      try {
        const version = other.prepare("pragma user_version").get()?.user_version as number;
        other.exec("pragma user_version = 9999");
        expect(await ready()).toMatchObject({
          status: 503,
          parts: { store: "ok", migrations: expect.stringContaining("newer") },
        });
        await ready();
        other.exec(`pragma user_version = ${version}`);
        other.exec("alter table revision rename to gone");
        expect(await ready()).toMatchObject({ status: 503, parts: { store: "can't be read" } });
        other.exec("alter table gone rename to revision");
        expect(await ready()).toEqual({ status: 200, parts: well });
      } finally {
        other.close();
      }
      const told = lines.map((line) => JSON.parse(line)).filter((line) => /^(not )?ready/.test(line.message));
      expect(told.map((line) => line.message)).toEqual(["not ready", "not ready", "ready again"]);
      const health = await fetch(`${catalog.url}/healthz`);
      expect(health.status).toBe(200);
      // Status pages are on other origins.
      for (const answer of [health, await fetch(`${catalog.url}/readyz`)]) {
        expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      }
    },
  );
});

describe("readiness", () => {
  const store = { check: async () => {} };

  it("names a worker that broke", verifies("operate.ready"), async () => {
    const broken = createWorker(async () => {
      throw new Error("planted");
    });
    const whole = createWorker(
      (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    );
    for (const worker of [broken, whole]) worker.start();
    await expect.poll(() => broken.state).toBe("failed");
    expect(broken.failure).toMatchObject({ message: "planted" });
    expect(whole.state).toBe("running");
    const workers = { failed: () => [{ name: "webhooks", failure: broken.failure }] };
    const { ready, parts } = await createReadiness({
      store,
      workers,
      stopping: () => false,
      logger: silentLogger,
    })();
    expect(ready).toBe(false);
    expect(parts.workers).toBe("failed: webhooks");
    await broken.close();
    await whole.close();
    expect([broken.state, whole.state]).toEqual(["failed", "closed"]);
  });

  it("says that a stop was asked for", async () => {
    const said: string[] = [];
    const logger: Logger = { ...silentLogger, warn: (_, message) => void said.push(message) };
    const workers = { failed: () => [] };
    const check = createReadiness({ store, workers, stopping: () => true, logger });
    expect(await check()).toEqual({
      ready: false,
      parts: { store: "ok", migrations: "ok", workers: "ok", intake: "shutting down" },
    });
    await check();
    expect(said).toEqual(["not ready"]);
  });
});

it("a failure of ours has one id: in the header, in the answer and on its lines in the log", async () => {
  const lines: string[] = [];
  const db = join(folder, "failing.db");
  const log = createLog({ level: "info", human: false, write: (line) => void lines.push(line) });
  await using catalog = await startCatalog(
    parseServeOptions({ port: 0, db, refresh: "off", peerSync: "off" }),
    { log },
  );
  const other = new DatabaseSync(db, { timeout: 5_000 });
  other.exec("drop table relay_count");
  other.close();
  const response = await fetch(`${catalog.url}/healthz`, { headers: { "x-request-id": "r-20" } });
  expect(response.status).toBe(500);
  expect(response.headers.get("x-request-id")).toBe("r-20");
  const { requestId, detail } = (await response.json()) as { requestId: string; detail: string };
  expect(requestId).toBe("r-20");
  expect(detail).toContain("r-20");
  await expect
    .poll(() => lines.map((line) => JSON.parse(line)).filter((line) => line.requestId === "r-20"))
    .toEqual([
      expect.objectContaining({ level: "error", err: expect.anything() }),
      expect.objectContaining({ level: "error", message: "request", route: "/healthz" }),
    ]);
});
