/** A file of the first release is brought to this one's schema with all that is in it. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { migrations } from "../../src/store/sqlite/migrate.ts";
import { sampleRecord, sampleTool, sampleWrite } from "../../src/store/suite/samples.ts";

/** Schema of the first release: relays and search. */
const FIRST = 2;

it("keeps relays and changes of a first file, and goes on with them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-migrate-"));
  const path = join(folder, "catalog.db");
  try {
    const plain = sampleRecord("a.example", { tools: [sampleTool("one"), sampleTool("two")] });
    const identifier = "urn:air:a.example:mcp:a";
    const record = {
      ...plain,
      descriptor: { ...plain.descriptor, serverCard: { name: "example.a/a", version: "1", identifier } },
      probe: { ...plain.probe, verifiedBy: "server-card" as const },
    };
    const { id, source, descriptor, tools, ...rest } = record;
    const old = new DatabaseSync(path);
    for (const sql of migrations.slice(0, FIRST)) old.exec(sql);
    old.exec(
      `pragma application_id = ${0x4f4d4350}; pragma user_version = ${FIRST}; update revision set last = 7`,
    );
    old
      .prepare(
        "insert into relay (seq, id, revision, online, verified, auth, endpoint, hints, tail) values (1, ?, 7, 1, 0, 'unknown', ?, null, ?)",
      )
      .run(id, source, `],${JSON.stringify(rest).slice(1)}`);
    old.prepare("insert into relay_endpoint values (?, 1)").run(source);
    old.exec("insert into relay_tag values ('kept', 1)");
    old
      .prepare("insert into relay_text values (1, ?, '{}')")
      .run(`${JSON.stringify({ id, source, descriptor }).slice(0, -1)},"tools":[`);
    const insert = old.prepare("insert into tool (relay, position, name, json) values (1, ?, ?, ?)");
    for (const [position, tool] of tools.entries()) insert.run(position, tool.name, JSON.stringify(tool));
    old
      .prepare("insert into snapshot values (1, ?), (2, ?)")
      .run(JSON.stringify(record), '{"id":"gone.example"}');
    old.exec(`insert into change (id, event, at, snapshot) values
      ('a', 'relay.registered', '2026-06-01T10:00:00.000Z', 1),
      ('b', 'relay.removed', '2026-06-01T10:00:01.000Z', 2)`);
    old.close();

    await using store = await openSqliteStore({ path });
    // What its publisher calls it is the record's own since.
    expect((await store.relays.get(id))?.record).toEqual({ ...record, identifier });
    const kept = await store.changes.list(0, 9);
    expect(kept.map(({ seq, event, relayId, detail }) => [seq, event, relayId, detail])).toEqual([
      [1, "relay.registered", "a.example", null],
      [2, "relay.removed", "gone.example", null],
    ]);
    expect((await store.changes.list(0, 9, { relays: ["gone.example"] })).map(({ seq }) => seq)).toEqual([2]);
    expect(await store.history.of(id, { toolChanges: 9 })).toMatchObject({ pulse: null, spans: [] });
    // The era that answered is read from the record as it was kept.
    expect(await store.relays.facets()).toEqual([
      { online: true, verified: false, auth: "unknown", era: "legacy", relays: 1 },
    ]);
    expect(await store.relays.tags(9)).toEqual([{ tag: "kept", relays: 1 }]);
    expect(await store.history.standing(id)).toEqual({ online: true, verified: false, state: "online" });
    expect((await store.tools.ofRelay(id))?.tools.text).toBe(JSON.stringify(tools));
    const outcome = await store.relays.save(
      sampleWrite(record, { revision: 7, events: [{ id: "c", event: "relay.updated" }] }),
    );
    expect(outcome.ok).toBe(true);
    expect((await store.changes.list(2, 9)).map(({ seq }) => seq)).toEqual([3]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
