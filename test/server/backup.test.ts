/** Backup and restore of a catalog that goes on serving: over HTTP with the admin's token, by the command line, under load. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseServeOptions, type RunningCatalog, startCatalog } from "../../src/server/index.ts";
import { createVault } from "../../src/server/vault.ts";
import { silentLogger } from "../../src/spec/index.ts";
import { checkDatabase, openSqliteStore } from "../../src/store/sqlite/index.ts";
import { type FakeFarm, type FakeRelay, startFakeFarm, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { startCatalogProcess } from "./catalog-process.ts";

const ADMIN = "admin-5ecret";
const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

let folder = "";
let db = "";
let file = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-vault-"));
  db = join(folder, "catalog.db");
  file = join(folder, "copy.db");
});
afterEach(() => rm(folder, { recursive: true }));

describe("openmcp backup and restore, with a catalog that runs", () => {
  it("copies it out, and puts the copy back: relays, search and calls are as they were", async () => {
    await using catalog = await start();
    await using first = await startFakeRelay();
    await using second = await startFakeRelay();
    const kept = await register(catalog.url, first);
    expect(await openmcp("backup", file, "--catalog", catalog.url, "--token", ADMIN)).toMatchObject({
      code: 0,
    });
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(await checkDatabase(file)).toMatchObject({ relays: 1 });
    const later = await register(catalog.url, second);

    const restored = await openmcp("restore", file, "--catalog", catalog.url, "--token", ADMIN);
    expect(restored).toMatchObject({ code: 0 });
    expect(restored.stdout).toMatch(/restored: 1 relay.*\n.*catalog\.db\.bak/);
    expect(await listed(catalog.url)).toEqual([kept]);
    const answer = await post(`${catalog.url}/v1/relays/${kept}/call`, {
      tool: "echo",
      arguments: { text: "hi" },
    });
    expect(answer.status).toBe(200);
    // Its workers are at work again: what is registered is found.
    const again = await register(catalog.url, second);
    expect(again).toBe(later);
    await expect.poll(() => pending(catalog.url), { timeout: 10_000 }).toBe(0);
    await using old = await openSqliteStore({ path: `${db}.bak` });
    expect((await old.relays.counts()).relays).toBe(2);
    expect((await readdir(folder)).sort()).toEqual(
      [
        "catalog.db",
        "catalog.db-shm",
        "catalog.db-wal",
        "catalog.db.bak",
        "catalog.db.bak-shm",
        "catalog.db.bak-wal",
        "copy.db",
      ].sort(),
    );
  });

  it("every request made meanwhile is answered", {
    ...verifies("operate.restore"),
    timeout: 60_000,
  }, async () => {
    await using farm = await startFakeFarm(60, {});
    await using catalog = await start();
    for (const url of farm.urls.slice(0, 20)) await registerUrl(catalog.url, url);
    await using relay = await startFakeRelay();
    const id = await register(catalog.url, relay);
    expect((await openmcp("backup", file, "--catalog", catalog.url, "--token", ADMIN)).code).toBe(0);
    const statuses = new Map<string, number>();
    let stop = false;
    const lane = async (name: string, once: (round: number) => Promise<Response>): Promise<void> => {
      for (let round = 0; !stop; round += 1) {
        const response = await once(round);
        await response.arrayBuffer();
        const key = `${name} ${response.status}`;
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
      }
    };
    const load = [
      lane("get", () => fetch(`${catalog.url}/v1/relays/${id}`)),
      lane("list", () => fetch(`${catalog.url}/v1/relays?limit=5`)),
      lane("find", () => fetch(`${catalog.url}/v1/tools?q=echo`)),
      lane("call", () => post(`${catalog.url}/v1/relays/${id}/call`, { tool: "echo", arguments: {} })),
      lane("register", (round) => registration(catalog.url, farm, 20 + (round % 40))),
    ];
    for (let round = 0; round < 3; round += 1) {
      await copyFile(file, `${file}.again`);
      const body = await readFile(`${file}.again`);
      const response = await restoreOver(catalog.url, body);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
    stop = true;
    await Promise.all(load);
    expect([...statuses.keys()].sort()).toEqual(
      expect.arrayContaining(["call 200", "find 200", "get 200", "list 200"]),
    );
    expect([...statuses.keys()].filter((key) => !/ 20[01]$/.test(key))).toEqual([]);
    expect(await checkDatabaseOf(catalog)).toMatchObject({ relays: expect.any(Number) });
  });

  it("tells readers of what it took away that they have missed something, and no others", async () => {
    await using catalog = await start();
    await using first = await startFakeRelay();
    await using second = await startFakeRelay();
    await register(catalog.url, first);
    expect(await openmcp("backup", file, "--catalog", catalog.url, "--token", ADMIN)).toMatchObject({
      code: 0,
    });
    await register(catalog.url, second);
    const changes = async (since: number) => {
      const response = await fetch(`${catalog.url}/v1/changes?since=${since}`);
      const body = (await response.json()) as { changes?: { seq: number }[]; next?: number; latest?: number };
      return { status: response.status, ...body };
    };
    const stream = await fetch(`${catalog.url}/v1/events`);
    expect(await restoreOver(catalog.url, await readFile(file))).toMatchObject({ status: 200 });
    // The stream knew the second relay. It is ended, and its reader told where it comes back.
    expect(await stream.text()).toContain("id: 2");
    const lost = await changes(2);
    expect(lost).toMatchObject({ status: 410, latest: 3 });
    expect((await fetch(`${catalog.url}/v1/events`, { headers: { "last-event-id": "2" } })).status).toBe(410);
    expect(await changes(1)).toMatchObject({ status: 200, changes: [], next: 3 });
    await register(catalog.url, second);
    for (const since of [1, 3]) {
      expect(await changes(since)).toMatchObject({ status: 200, changes: [{ seq: 4 }] });
    }
    expect(await changes(2)).toMatchObject({ status: 410 });
    expect(await changes(0)).toMatchObject({ status: 200, changes: [{ seq: 1 }, { seq: 4 }] });
  });

  it("kill -9 at any moment of a restore leaves the one database or the other, whole", {
    timeout: 60_000,
  }, async () => {
    await using first = await startFakeRelay();
    await using second = await startFakeRelay();
    const flags = ["--db", db, "--admin-token", ADMIN, "--refresh", "off", "--peer-sync", "off"];
    let backup = Buffer.alloc(0);
    for (const [round, killAfterMs] of [null, 0, 30, 80, 150, 250, 400].entries()) {
      await using catalog = await startCatalogProcess(flags);
      const relays = await listed(catalog.url);
      if (killAfterMs === null) {
        await register(catalog.url, first);
        await openmcp("backup", file, "--catalog", catalog.url, "--token", ADMIN);
        backup = await readFile(file);
        await register(catalog.url, second);
        continue;
      }
      expect([1, 2], `after round ${round}`).toContain(relays.length);
      if (relays.length === 1) await register(catalog.url, second);
      const restoring = restoreOver(catalog.url, backup).catch(() => null);
      await new Promise((resolve) => setTimeout(resolve, killAfterMs));
      catalog.kill("SIGKILL");
      await restoring;
      await catalog.ended;
    }
    await using store = await openSqliteStore({ path: db });
    await store.backup(join(folder, "last.db"));
  });

  it("wants the admin's token, and says when there is none", async () => {
    await using catalog = await start();
    const refused = await openmcp("backup", file, "--catalog", catalog.url, "--token", "wrong");
    expect(refused).toMatchObject({ code: 4 });
    for (const [path, method] of [
      ["/v1/admin/backup", "GET"],
      ["/v1/admin/restore", "POST"],
    ]) {
      const response = await fetch(catalog.url + path, { method: method ?? "GET" });
      expect(response.status).toBe(401);
      await response.arrayBuffer();
    }
    expect(await readdir(folder)).not.toContain("copy.db");
    await using open = await start({ adminToken: undefined, db: ":memory:" });
    const nobody = await fetch(`${open.url}/v1/admin/backup`, { headers: { authorization: "Bearer " } });
    expect(await nobody.text()).toContain("no admin token");
  });

  it("refuses what is no backup, and serves on as it was", verifies("operate.restore-refuses"), async () => {
    await using catalog = await start();
    await using relay = await startFakeRelay();
    const id = await register(catalog.url, relay);
    await writeFile(file, "no database ".repeat(1_000));
    expect(await openmcp("restore", file, "--catalog", catalog.url, "--token", ADMIN)).toMatchObject({
      code: 2,
    });
    const response = await restoreOver(catalog.url, await readFile(file));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("no SQLite database");
    expect(await listed(catalog.url)).toEqual([id]);
    expect((await readdir(folder)).filter((name) => /restoring|bak|copying/.test(name))).toEqual([]);
  });

  it(
    "leaves the old backup in its place when the new one does not come whole",
    verifies("operate.backup"),
    async () => {
      await writeFile(file, "the backup of yesterday");
      const failed = await openmcp("backup", file, "--catalog", "http://127.0.0.1:1", "--token", ADMIN);
      expect(failed.code).toBe(3);
      expect(await readFile(file, "utf8")).toBe("the backup of yesterday");
      expect(await readdir(folder)).toEqual(["copy.db"]);
    },
  );

  it("clears up at its start what a crash in the middle of a restore or a backup left", async () => {
    for (const end of [".restoring", ".restoring-wal", ".copying"]) await writeFile(`${db}${end}`, "half");
    await writeFile(`${db}.bak`, "an earlier one");
    await using _catalog = await start();
    expect((await readdir(folder)).filter((name) => /restoring|copying/.test(name))).toEqual([]);
    expect(await readFile(`${db}.bak`, "utf8")).toBe("an earlier one");
  });

  it("is readable to nobody else while it is made, from a file or from memory", async () => {
    const made: number[] = [];
    for (const db of [join(folder, "catalog.db"), ":memory:"]) {
      const store = await openSqliteStore({ path: db });
      const backup = async (path: string) => {
        made.push((await stat(path)).mode & 0o777, (await stat(dirname(path))).mode & 0o077);
        return store.backup(path);
      };
      const nothing = () => {
        throw new Error("not asked for");
      };
      const vault = createVault({
        db,
        store: { ...store, backup },
        workers: nothing as never,
        listener: { withLongBodies: nothing },
        logger: silentLogger,
      });
      const { file, bytes } = await vault.backup();
      expect((await new Response(file).bytes()).length).toBe(bytes);
      await store.close();
    }
    // Both files are their owner's alone, and the second is in a folder that is.
    expect([made[0], made[2], made[3]]).toEqual([0o600, 0o600, 0]);
  });

  it("has no lasting file when nobody reads the backup to its end", async () => {
    await using catalog = await start();
    const response = await fetch(`${catalog.url}/v1/admin/backup`, {
      headers: { authorization: `Bearer ${ADMIN}` },
    });
    expect(response.headers.get("content-type")).toBe("application/vnd.sqlite3");
    await response.body?.cancel();
    expect((await readdir(folder)).filter((name) => name.includes("copying"))).toEqual([]);
  });
});

describe("openmcp backup and restore, with the database file alone", () => {
  it("copies the file of a catalog that runs, and refuses to replace it under its feet", async () => {
    await using catalog = await startCatalogProcess(["--db", db, "--refresh", "off", "--peer-sync", "off"]);
    await using relay = await startFakeRelay();
    const id = await register(catalog.url, relay);
    expect(await openmcp("backup", "--db", db, file)).toMatchObject({ code: 0 });
    expect(await checkDatabase(file)).toMatchObject({ relays: 1 });
    const refused = await openmcp("restore", "--db", db, file);
    expect(refused).toMatchObject({ code: 8 });
    expect(refused.stderr).toContain("is using");
    expect(await listed(catalog.url)).toEqual([id]);
    catalog.kill("SIGTERM");
    expect(await catalog.ended).toBe(0);
    expect(await openmcp("restore", "--db", db, file)).toMatchObject({ code: 0 });
  });

  it("puts no file in the place of a database that is open, and takes none that is open for a backup", async () => {
    await using catalog = await startCatalogProcess(["--db", db, "--refresh", "off", "--peer-sync", "off"]);
    await using relay = await startFakeRelay();
    const id = await register(catalog.url, relay);
    // The database itself, and another catalog's: parted from its log, it would be lost.
    expect(await openmcp("backup", "--db", db, file)).toMatchObject({ code: 0 });
    for (const from of [db, file]) {
      const refused = await openmcp("backup", "--db", from, db);
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.stderr).toContain("would ruin it");
    }
    const other = join(folder, "other.db");
    const half = await openmcp("restore", "--db", other, db);
    expect(half).toMatchObject({ code: 2 });
    expect(half.stderr).toContain("openmcp backup --db");
    expect(await listed(catalog.url)).toEqual([id]);
    expect((await readdir(folder)).sort()).toEqual([
      "catalog.db",
      "catalog.db-shm",
      "catalog.db-wal",
      "copy.db",
    ]);
    catalog.kill("SIGTERM");
    expect(await catalog.ended).toBe(0);
    expect(await checkDatabase(db)).toMatchObject({ relays: 1 });
    // Stopped, it is a file like others.
    expect(await openmcp("restore", "--db", other, db)).toMatchObject({ code: 0 });
  });

  it("says which database is not there, or is none", async () => {
    const missing = join(folder, "missing.db");
    await writeFile(db, "ruins ".repeat(2_000));
    for (const from of [missing, db]) {
      const ended = await openmcp("backup", "--db", from, file);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain(from);
    }
    expect(await readdir(folder)).toEqual(["catalog.db"]);
  });

  it("replaces a file that is damaged, and keeps it", async () => {
    {
      await using store = await openSqliteStore({ path: db });
      await store.backup(file);
    }
    await writeFile(db, "ruins ".repeat(2_000));
    const restored = await openmcp("restore", "--db", db, file, "--json");
    expect(JSON.parse(restored.stdout)).toMatchObject({ ok: true, kept: `${db}.bak` });
    await using store = await openSqliteStore({ path: db });
    await store.check();
    expect(await readFile(`${db}.bak`, "utf8")).toContain("ruins");
  });
});

function start(
  flags: { readonly adminToken?: string | undefined; readonly db?: string } = {},
): Promise<RunningCatalog> {
  return startCatalog(
    parseServeOptions({
      port: 0,
      db,
      adminToken: ADMIN,
      refresh: "off",
      peerSync: "off",
      logLevel: "silent",
      ...flags,
    }),
  );
}

async function openmcp(...words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [main, ...words], { env: { ...process.env, NO_COLOR: "1" } });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const [code] = await once(child, "close");
  return { code: code as number | null, stdout, stderr };
}

function restoreOver(catalog: string, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  return fetch(`${catalog}/v1/admin/restore`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN}`, "content-type": "application/vnd.sqlite3" },
    body,
  });
}

async function checkDatabaseOf(catalog: RunningCatalog) {
  await catalog.close();
  return checkDatabase(db);
}

async function register(catalog: string, relay: FakeRelay): Promise<string> {
  return registerUrl(catalog, relay.url);
}

async function registerUrl(catalog: string, url: string): Promise<string> {
  const response = await post(`${catalog}/v1/relays`, { url });
  return ((await response.json()) as { relay: { id: string } }).relay.id;
}

function registration(catalog: string, farm: FakeFarm, index: number): Promise<Response> {
  return post(`${catalog}/v1/relays`, { url: farm.urls[index] });
}

async function listed(catalog: string): Promise<readonly string[]> {
  const response = await fetch(`${catalog}/v1/relays`);
  return ((await response.json()) as { relays: { id: string }[] }).relays.map((relay) => relay.id);
}

async function pending(catalog: string): Promise<number> {
  const text = await (await fetch(`${catalog}/metrics`)).text();
  return Number(/openmcp_queue_depth\{queue="search-index"\} (\d+)/.exec(text)?.[1]);
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
