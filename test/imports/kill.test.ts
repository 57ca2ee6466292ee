/** A catalog that is killed while it imports, once while it reads and once while it looks, goes on where it was. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { operations } from "../../src/catalog/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { admin } from "../catalog/fixture.ts";
import { relaysOfTests } from "../catalog/relays.ts";
import { verifies } from "../requirements.ts";
import { entryAt, startFakeRegistry } from "./fake-registry.ts";
import { startImportCatalog } from "./fixture.ts";

const relay = relaysOfTests();
const PAGES = 8;
const SERVERS = 60;

it("is killed in the middle and goes on, losing nothing and doubling nothing", {
  ...verifies("import.resumed"),
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-import-"));
  const path = join(folder, "catalog.db");
  const server = await relay({
    async intercept(seen) {
      const host = seen.headers.host ?? "";
      if (seen.method !== "POST" || !holdLooks || !host.startsWith("s7.")) return false;
      heldLook.resolve();
      await never;
      return true;
    },
  });
  const { port } = new URL(server.url);
  // Each server is named by several entries, far apart.
  const entry = (index: number) =>
    entryAt(`x/${index}`, [`http://s${index % SERVERS}.fleet.dev:${port}/mcp`]);
  const never = new Promise<void>(() => {});
  const heldPage = Promise.withResolvers<void>();
  const heldLook = Promise.withResolvers<void>();
  let holdPage = true;
  let holdLooks = true;
  await using registry = await startFakeRegistry({
    count: PAGES * 100 - 1,
    entry,
    async answer({ offset }) {
      if (offset !== 400 || !holdPage) return false;
      heldPage.resolve();
      await never;
      return true;
    },
  });
  const children: ChildProcess[] = [];
  const start = (): ChildProcess => {
    const child = fork(new URL("./import-process.ts", import.meta.url), [path]);
    children.push(child);
    return child;
  };
  const kill = async (child: ChildProcess): Promise<void> => {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  try {
    await using store = await openSqliteStore({ path });
    await using imports = await startImportCatalog({ store, start: false });
    const id = await imports.start({ from: "registry", url: registry.url });

    const first = start();
    await heldPage.promise;
    await kill(first);
    expect(await imports.job(id)).toMatchObject({ state: "reading", report: { documents: 4, seen: 400 } });
    holdPage = false;

    const second = start();
    await heldLook.promise;
    await expect
      .poll(async () => (await imports.job(id)).state, { interval: 20, timeout: 20_000 })
      .toBe("probing");
    await kill(second);
    holdLooks = false;

    start();
    const job = await imports.ended(id);
    const { report } = job;
    expect(job).toMatchObject({ state: "done", complete: true, problems: [] });
    expect(report).toMatchObject({
      documents: PAGES,
      seen: PAGES * 100 - 1,
      taken: SERVERS,
      skipped: {},
      failed: {},
    });
    expect(report.shared).toBe(PAGES * 100 - 1 - SERVERS);
    // Who was listed in the moment of the kill is known the second time.
    expect(report.listed + report.known).toBe(SERVERS);
    expect(await store.relays.ids("", 1_000)).toHaveLength(SERVERS);
    // Only the page that was under way was asked for twice.
    expect(registry.asked).toHaveLength(PAGES + 1);
    const { claims } = await operations.claims.run(
      imports.catalog.context,
      { id: (await store.relays.ids("", 1))[0] as string },
      admin,
    );
    expect(claims.length).toBeGreaterThan(10);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await rm(folder, { recursive: true });
  }
});
