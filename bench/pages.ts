/**
 * The directory's pages beside the store's read of the same relays, in one process and in turns, so that a noisy machine is noisy for
 * both. What is compared is processor time: the ratio holds where the times do not. `npm run bench -- pages [relays…]`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { pagesDoor } from "../src/doors/pages/index.ts";
import type { Store } from "../src/store/index.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import { benchContext } from "./lib/context.ts";
import { figure, median } from "./lib/percentiles.ts";
import { recordOf, saveRecord } from "./lib/records.ts";
import { printRows, type Row } from "./lib/rows.ts";
import { openToolSupply, type ToolSupply } from "./lib/tools.ts";

const ROUNDS = 40;
/** A round is some 20 ms, which the processor's clock can tell. */
const PAGES_A_ROUND = 20;
/** Rounds before the ones that count. */
const WARMING = 40;
const PAGE = { limit: 100, maxBytes: 8 * 1024 * 1024 };

/** As whoever serves has it: a `Response` that holds a body and copies it nowhere. */
getRequestListener(() => new Response());

export async function run(args: readonly string[]): Promise<void> {
  for (const size of args.length > 0 ? args.map(Number) : [20_000]) await measure(size);
}

async function measure(size: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-bench-"));
  try {
    await using store = await openSqliteStore({ path: join(folder, "catalog.db") });
    const supply = openToolSupply();
    for (let index = 0; index < size; index += 1) await saveRecord(store, recordOf(index, supply));
    const rows: Row[] = [];
    for (const kind of kindsOf(store, supply)) rows.push(await rowOf(kind));
    printRows(`A page of ${PAGE.limit} relays out of ${size}, ${supply.source}`, rows);
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Kind {
  readonly work: string;
  readonly page: () => Promise<unknown>;
  readonly read: () => Promise<unknown>;
  /** Before each page and each read, not counted. */
  readonly before: () => unknown;
  readonly goal?: string;
}

function kindsOf(store: Store, supply: ToolSupply): readonly Kind[] {
  const context = benchContext({ store });
  let door = pagesDoor({ context });
  // The answer is whole when it comes: its bytes go to a socket as they are.
  const browse = (query: string) => async () =>
    door.fetch(
      new Request(`${context.identity.url}/?limit=${PAGE.limit}${query}`, {
        headers: { accept: "text/html" },
      }),
    );
  const page = browse("");
  const read = () => store.relays.listSummaries({}, PAGE);
  const nothing = () => {};
  let looks = 0;
  const look = async () => {
    looks += 1;
    const record = recordOf(looks % PAGE.limit, supply);
    const { revision } = (await store.relays.get(record.id)) ?? { revision: null };
    await saveRecord(store, { ...record, failures: looks }, revision);
  };
  const afresh = () => {
    door = pagesDoor({ context });
  };
  return [
    { work: "as it was asked for before", page, read, before: nothing, goal: "2" },
    {
      work: "the same, narrowed to what is online",
      page: browse("&online=1"),
      read: () => store.relays.listSummaries({ online: true }, PAGE),
      before: nothing,
      goal: "2",
    },
    { work: "one of its relays looked at since", page, read, before: look, goal: "2" },
    { work: "with no row of it kept", page, read, before: afresh },
  ];
}

async function rowOf({ work, page, read, before, goal }: Kind): Promise<Row> {
  // A catalog runs for weeks: what its first pages cost is the start's business.
  for (let round = 0; round < WARMING; round += 1)
    for (const warm of [page, read]) await costOf(warm, before);
  const costs = { page: [] as number[], read: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    costs.page.push(await costOf(page, before));
    costs.read.push(await costOf(read, before));
  }
  const [pageMs, readMs] = [median(costs.page), median(costs.read)];
  return {
    work,
    figures: { cpu: `${figure(pageMs)} ms` },
    ceiling: `the read: cpu ${figure(readMs)} ms`,
    ratio: figure(pageMs / readMs),
    ...(goal === undefined ? {} : { goal }),
  };
}

/** Milliseconds of processor time for one, over a round. */
async function costOf(work: () => Promise<unknown>, before: () => unknown): Promise<number> {
  let spent = 0;
  for (let at = 0; at < PAGES_A_ROUND; at += 1) {
    await before();
    const begun = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begun);
    spent += user + system;
  }
  return spent / 1_000 / PAGES_A_ROUND;
}
