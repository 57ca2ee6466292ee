/** What people and agents read: lists, one record, the descriptor, search; each beside a constant of the same size. */
import { request } from "undici";
import { load, withCpu } from "../lib/load.ts";
import { figure } from "../lib/percentiles.ts";
import { ceilingText, type Row, timingFigures } from "../lib/rows.ts";
import { openToolSupply } from "../lib/tools.ts";
import type { Parts } from "./parts.ts";

interface Read {
  readonly work: string;
  readonly requests: number;
  readonly lanes: number;
  readonly path: (index: number) => string;
  readonly goal: string;
}

export async function measureReads({ catalog, relays, bare, size }: Parts): Promise<readonly Row[]> {
  const supply = openToolSupply();
  const ids = relays.urls.map((url) => `${new URL(url).hostname}-${new URL(url).port}`);
  const id = (index: number) => ids[(index * 7919) % size] as string;
  const question = (index: number) => encodeURIComponent(supply.question(index));
  const cursor = await middleCursor(catalog.ready.url, size);
  const reads: readonly Read[] = [
    {
      work: "GET /v1/relays?limit=100",
      requests: 500,
      lanes: 1,
      path: () => "/v1/relays?limit=100",
      goal: "p50 under 3 ms",
    },
    {
      work: "the same, a page in the middle",
      requests: 500,
      lanes: 1,
      path: () => `/v1/relays?limit=100&cursor=${encodeURIComponent(cursor)}`,
      goal: "flat in the number of relays",
    },
    {
      work: "GET /v1/tools?q=two words",
      requests: 1_000,
      lanes: 1,
      path: (index) => `/v1/tools?q=${question(index)}`,
      goal: "p50 under 10 ms, p99 under 50 ms",
    },
    {
      work: "the same, 8 at once",
      requests: 1_000,
      lanes: 8,
      path: (index) => `/v1/tools?q=${question(index + 1_000)}`,
      goal: "",
    },
    {
      work: "GET /v1/relays/:id, 32 at once",
      requests: 10_000,
      lanes: 32,
      path: (index) => `/v1/relays/${id(index)}`,
      goal: "half of the bare router",
    },
    {
      work: "GET /.well-known/openmcp.json, 32 at once",
      requests: 10_000,
      lanes: 32,
      path: () => "/.well-known/openmcp.json",
      goal: "half of the bare router",
    },
  ];
  const rows: Row[] = [];
  for (const read of reads) {
    const bytes = await sizeOf(catalog.ready.url + read.path(0));
    const options = { requests: read.requests, lanes: read.lanes };
    const warm = { requests: Math.ceil(read.requests / 5), lanes: read.lanes };
    const constant = () => ({ method: "GET", path: `/constant/${bytes}` }) as const;
    const real = (index: number) => ({ method: "GET", path: read.path(index) }) as const;
    const router = bare.ready.origin;
    await load(router, { ...warm, next: constant });
    const ceiling = await withCpu(bare, () => load(router, { ...options, next: constant }));
    await load(catalog.ready.url, { ...warm, next: (index) => real(index + read.requests) });
    const timing = await withCpu(catalog, () => load(catalog.ready.url, { ...options, next: real }));
    rows.push({
      work: `${read.work} (${Math.round(bytes / 1024)} KiB)`,
      figures: timingFigures(timing),
      ceiling: ceilingText(ceiling),
      ratio: figure(timing.rate / ceiling.rate),
      goal: read.goal,
    });
  }
  return rows;
}

async function middleCursor(url: string, size: number): Promise<string> {
  let cursor = "";
  for (let seen = 0; seen < size / 2; seen += 100) {
    const path = `/v1/relays?limit=100${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`;
    const page = (await (await request(url + path)).body.json()) as { nextCursor: string | null };
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return cursor;
}

async function sizeOf(url: string): Promise<number> {
  return (await (await request(url)).body.bytes()).length;
}
