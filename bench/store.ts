/**
 * The store alone: saving, following with the search index, listing, getting and finding at 500, 5,000 and 20,000 relays,
 * in a file, beside ceilings in the same run: SQLite inserting the same bytes in one table and reading them back by key.
 * `npm run bench -- store [relays…]`.
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../src/store/index.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import { figure, type Timing, timingOf } from "./lib/percentiles.ts";
import { recordOf, saveRecord } from "./lib/records.ts";
import { ceilingText, printRows, type Row, timingFigures } from "./lib/rows.ts";
import { openToolSupply, type ToolSupply } from "./lib/tools.ts";

export async function run(args: readonly string[]): Promise<void> {
  const sizes = args.length > 0 ? args.map(Number) : [500, 5_000, 20_000];
  const supply = openToolSupply();
  for (const size of sizes) await measure(size, supply);
}

async function measure(size: number, supply: ToolSupply): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-bench-"));
  try {
    const path = join(folder, "catalog.db");
    const store = await openSqliteStore({ path });
    const rows = [...(await saving(store, size, supply)), ...(await reading(store, size, supply))];
    await store.close();
    rows.push(await opening(path));
    rows.push(...ceilings(join(folder, "ceiling.db"), size, supply));
    printRows(`${size} relays, ${supply.source}`, rows);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function saving(store: Store, size: number, supply: ToolSupply): Promise<Row[]> {
  const saves: number[] = [];
  const steps: number[] = [];
  const started = performance.now();
  for (let index = 0; index < size; index += 1) {
    const record = recordOf(index, supply);
    saves.push(await timed(() => saveRecord(store, record)));
    if (index % 16 === 15) steps.push(await timed(() => store.searchIndex.step()));
  }
  for (let left = 1; left > 0; ) {
    steps.push(
      await timed(async () => {
        left = (await store.searchIndex.step()).pending;
      }),
    );
  }
  const wall = performance.now() - started;
  const record = recordOf(size >> 1, supply);
  const again: number[] = [];
  for (let round = 0; round < 300; round += 1) {
    const { revision } = (await store.relays.get(record.id)) ?? { revision: null };
    const probed = { ...record, failures: round };
    again.push(await timed(() => saveRecord(store, probed, revision)));
  }
  const total = sum(saves) + sum(steps);
  return [
    { work: "save a new relay", figures: timingFigures(timingOf(saves, sum(saves))) },
    {
      work: "a step of the search index",
      figures: { ...timingFigures(timingOf(steps, sum(steps))), max: `${figure(Math.max(...steps))} ms` },
    },
    {
      work: "save and index, all",
      figures: {
        relays: `${figure((size / total) * 1000)}/s`,
        wall: `${figure(wall / 1000)} s`,
        "in steps": `${figure((sum(steps) / total) * 100)} %`,
      },
      goal: "well over 300/s",
    },
    { work: "save after a probe that found the same", figures: timingFigures(timingOf(again, sum(again))) },
  ];
}

async function reading(store: Store, size: number, supply: ToolSupply): Promise<Row[]> {
  const page = { limit: 100, maxBytes: 8 * 1024 * 1024 };
  const works: Record<string, { goal?: string; work: (round: number) => Promise<unknown> }> = {
    "list 100 records": { goal: "p50 3 ms with HTTP", work: () => store.relays.list({}, page) },
    "list 100 online and verified": {
      work: () => store.relays.list({ online: true, verified: true }, page),
    },
    "list 100 of a tag": { work: (round) => store.relays.list({ tag: `tag-${round % 50}` }, page) },
    "list with q, one word": { work: (round) => store.relays.list({ q: `relay ${round}` }, page) },
    "list with q, nothing found": { work: (round) => store.relays.list({ q: `zzz${round}zzz` }, page) },
    "list 100 summaries": { work: () => store.relays.listSummaries({}, page) },
    "get a record": { work: (round) => store.relays.getJson(`relay-${(round * 7919) % size}.example`) },
    "find, two words": {
      goal: "p50 10 ms, p99 50 ms",
      work: (round) => store.tools.find({ q: supply.question(round), limit: 8, online: true }),
    },
    "find, a long question": {
      work: (round) =>
        store.tools.find({
          q: Array.from({ length: 12 }, (_, word) => supply.question(round * 12 + word)).join(" "),
          limit: 8,
          online: true,
        }),
    },
    "find, in a tag": {
      work: (round) =>
        store.tools.find({ q: supply.question(round), limit: 8, online: true, tag: `tag-${round % 50}` }),
    },
    "find, misspelt": {
      work: (round) => store.tools.find({ q: `${supply.question(round)}x`, limit: 8, online: true }),
    },
  };
  const rows: Row[] = [];
  for (const [work, { goal, work: act }] of Object.entries(works)) {
    const times: number[] = [];
    for (let round = 0; round < 300; round += 1) times.push(await timed(() => act(round)));
    rows.push({
      work,
      figures: timingFigures(timingOf(times, sum(times))),
      ...(goal === undefined ? {} : { goal }),
    });
  }
  rows.push({
    work: "memory of the process",
    figures: { rss: `${figure(process.memoryUsage().rss / 2 ** 20)} MB` },
    goal: "300 MB for all",
  });
  return rows;
}

async function opening(path: string): Promise<Row> {
  const bytes = (await stat(path)).size;
  const ms = await timed(async () => {
    const store = await openSqliteStore({ path });
    await store.relays.list({}, { limit: 100, maxBytes: 8 * 1024 * 1024 });
    await store.close();
  });
  return {
    work: "open the file and list once",
    figures: { ms: figure(ms), file: `${figure(bytes / 2 ** 20)} MB` },
    goal: "300 ms",
  };
}

function ceilings(path: string, size: number, supply: ToolSupply): Row[] {
  const database = new DatabaseSync(path);
  database.exec(
    "pragma journal_mode = wal; pragma synchronous = normal; create table t (id integer primary key, json text)",
  );
  const insert = database.prepare("insert into t (json) values (?)");
  const list = database.prepare("select json from t order by id limit 100");
  const inserting: number[] = [];
  for (let index = 0; index < Math.min(size, 5_000); index += 1) {
    const json = JSON.stringify(recordOf(index, supply));
    const start = performance.now();
    insert.run(json);
    inserting.push(performance.now() - start);
  }
  const listing: number[] = [];
  for (let round = 0; round < 300; round += 1) {
    const start = performance.now();
    list
      .all()
      .map((row) => row.json)
      .join(",");
    listing.push(performance.now() - start);
  }
  database.close();
  const row = (work: string, timing: Timing): Row => ({ work, figures: {}, ceiling: ceilingText(timing) });
  return [
    row("the same bytes into one table, a transaction each", timingOf(inserting, sum(inserting))),
    row("100 of them read and joined", timingOf(listing, sum(listing))),
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function sum(times: readonly number[]): number {
  return times.reduce((total, time) => total + time, 0);
}
