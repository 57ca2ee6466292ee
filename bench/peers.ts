/**
 * What reading a peer costs when it and this catalog are busy (issue 3, "Peers"): two catalogs, each with relays of its own and all
 * of the other's, and every relay looked at between two syncs. Requests, bytes and milliseconds of one sync, beside the same sync
 * with a catalog that knows no views of a list. `npm run bench -- peers [relays of each]`, 2,000 unless told.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "../src/catalog/index.ts";
import { createExchange } from "../src/net/index.ts";
import type { Exchange, RelayRecord } from "../src/spec/index.ts";
import type { Store } from "../src/store/index.ts";
import { openSqliteStore } from "../src/store/sqlite/index.ts";
import { startChild } from "./lib/child.ts";
import { benchContext } from "./lib/context.ts";
import { figure } from "./lib/percentiles.ts";
import { recordOf, saveRecord } from "./lib/records.ts";
import { printRows, type Row } from "./lib/rows.ts";
import { openToolSupply, type ToolSupply } from "./lib/tools.ts";

interface Traffic {
  requests: number;
  unchanged: number;
  bytes: number;
}

export async function run([given]: readonly string[]): Promise<void> {
  const size = Number(given ?? 2_000);
  const folder = await mkdtemp(join(tmpdir(), "openmcp-bench-"));
  try {
    const supply = openToolSupply();
    const db = join(folder, "peer.db");
    await using peer = await openSqliteStore({ path: db });
    await using own = await openSqliteStore({ path: join(folder, "own.db") });
    // The first half of all relays is the peer's own, the second this catalog's.
    for (let index = 0; index < size * 2; index += 1) {
      const record = recordOf(index, supply);
      await saveRecord(peer, { ...record, via: index < size ? null : "https://other.example" });
      await saveRecord(own, { ...record, via: index < size ? "https://peer.example" : null });
    }
    await using catalog = await startChild<{ readonly url: string }>("catalog.ts", [db, "src"]);
    const rows: Row[] = [];
    for (const views of [false, true]) {
      const measured = await measure(own, { url: catalog.ready.url, peer, views, supply, size });
      rows.push(...measured);
    }
    printRows(`two catalogs of ${size} relays each, both with all ${size * 2}`, rows);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly url: string;
  readonly peer: Store;
  /** False: the peer is asked without a view, as one is that knows none. */
  readonly views: boolean;
  readonly supply: ToolSupply;
  readonly size: number;
}

async function measure(own: Store, { url, peer, views, supply, size }: Measured): Promise<readonly Row[]> {
  const network = createExchange({ allowLoopback: true, allowNetworks: [] });
  let traffic: Traffic = { requests: 0, unchanged: 0, bytes: 0 };
  const counted: Exchange = async (request, limits) => {
    const asked = views ? request.url : request.url.replace("&view=endpoints", "");
    const response = await network.exchange({ ...request, url: asked }, limits);
    traffic.requests += 1;
    if (response.status === 304) traffic.unchanged += 1;
    return { ...response, body: passing(response.body), cancel: () => response.cancel() };
  };
  async function* passing(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of body) {
      traffic.bytes += piece.length;
      yield piece;
    }
  }
  const context = benchContext({ store: own, exchange: counted });
  const admin = { signal: new AbortController().signal, admin: true };
  await operations.addPeer.run(context, { url }, admin);

  async function sync(work: string): Promise<Row> {
    traffic = { requests: 0, unchanged: 0, bytes: 0 };
    const begun = performance.now();
    const { learned } = await operations.syncPeers.run(context, {}, admin);
    const took = performance.now() - begun;
    const [{ lastError = null } = {}] = await own.peers.list();
    if (learned > 0 || lastError !== null) throw new Error(`${learned} learned, ${lastError}`);
    return {
      work: `${work}, ${views ? "endpoints" : "records"}`,
      figures: {
        requests: String(traffic.requests),
        unchanged: String(traffic.unchanged),
        bytes: `${figure(traffic.bytes / 1_000)} kB`,
        took: `${figure(took)} ms`,
      },
    };
  }

  const rows = [await sync("the first sync"), await sync("nothing happened since")];
  await eachRelay(peer, { supply, size }, ({ probe, ...record }) => ({
    ...record,
    probe: { ...probe, at: new Date().toISOString(), latencyMs: (probe.latencyMs ?? 0) + 1 },
  }));
  rows.push(await sync("every relay looked at"));
  await eachRelay(peer, { supply, size }, (record) => ({ ...record, online: !record.online }));
  rows.push(await sync("every relay gone or back"));
  // Another one each time: who is registered again comes last.
  const removed = recordOf((size >> 1) + Number(views), supply);
  await peer.relays.remove(removed.id, { id: crypto.randomUUID() }, Date.now());
  rows.push(await sync("one relay removed in the middle"));
  await saveRecord(peer, removed);
  rows.push(await sync("one relay registered"));
  await operations.removePeer.run(context, { url }, admin);
  await network.close();
  return rows;
}

async function eachRelay(
  peer: Store,
  { supply, size }: { readonly supply: ToolSupply; readonly size: number },
  change: (record: RelayRecord) => RelayRecord,
): Promise<void> {
  for (let index = 0; index < size * 2; index += 1) {
    const stored = await peer.relays.get(recordOf(index, supply).id);
    if (stored !== null) await saveRecord(peer, change(stored.record), stored.revision);
  }
}
