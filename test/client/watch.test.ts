/** Following a catalog: against streams that break at every byte, and against a real catalog that is killed and comes back. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CatalogClient, OpenMcpError } from "../../src/client/index.ts";
import type { RelayChange } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { startCatalogProcess } from "../server/catalog-process.ts";
import { type Asked, json, record, startFakeCatalog } from "./fake-catalog.ts";

function event(seq: number, name = "relay.updated"): string {
  const change = {
    seq,
    id: `id-${seq}`,
    event: name,
    at: "2026-11-01T00:00:00.000Z",
    relay: record("a.example"),
  };
  return `id: ${seq}\nevent: ${name}\ndata: ${JSON.stringify(change)}\n\n`;
}

const problem = (code: string, data: object = {}) => ({ ...data, code, ok: false, detail: `it is ${code}` });

/** A catalog that answers each stream with the next text and breaks it off there; the last one stays open. */
function streaming(texts: readonly string[]) {
  let opened = 0;
  return startFakeCatalog((_asked, response) => {
    const text = texts[Math.min(opened, texts.length - 1)] ?? "";
    opened += 1;
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    response.write(`retry: 1\n\n${text}`, () => {
      if (opened < texts.length) response.destroy();
    });
  });
}

async function take(changes: AsyncIterable<RelayChange>, count: number): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of changes) {
    seqs.push(seq);
    if (seqs.length === count) break;
  }
  return seqs;
}

const places = (asked: readonly Asked[]) => asked.map(({ headers }) => headers["last-event-id"] ?? null);

describe("watch", () => {
  it("comes back to where it was, and tells every change once", async () => {
    await using catalog = await streaming([
      `id: 4\n\n${event(5)}${event(6)}id: 7\nevent: relay.upd`,
      "",
      `${event(7)}: still here\nid: 9\n\n`,
      event(10),
    ]);
    await using client = new CatalogClient(catalog.base);
    const lost: [string, number][] = [];
    const opened: (number | null)[] = [];
    const changes = client.watch(
      { relays: ["a.example", "b.example"], events: ["relay.updated"] },
      { onLost: (why, ms) => lost.push([why.code, ms]), onOpen: (since) => opened.push(since) },
    );
    expect(await take(changes, 4)).toEqual([5, 6, 7, 10]);
    expect(places(catalog.asked)).toEqual([null, "6", "6", "9"]);
    expect(opened).toEqual([null, 6, 6, 9]);
    expect(catalog.asked[0]?.url).toBe("/v1/events?relays=a.example%2Cb.example&events=relay.updated");
    expect(lost.map(([code]) => code)).toEqual(Array(3).fill("catalog-unreachable"));
    expect(lost.every(([, ms]) => ms <= 5)).toBe(true);
  });

  it("asks from since, passes over events that it does not know, and reads streams cut anywhere", async () => {
    const whole = `${event(3)}${event(4, "relay.praised")}id: 5\r\nevent: relay.updated\r\ndata: ${JSON.stringify({ seq: 5, id: "5", event: "relay.updated", at: "", relay: { id: "ä🙂" } })}\r\n\r\n`;
    await using catalog = await startFakeCatalog(async (_asked, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const byte of Buffer.from(whole)) response.write(Buffer.of(byte));
    });
    await using client = new CatalogClient(catalog.base);
    const found: RelayChange[] = [];
    for await (const change of client.watch({ since: 2 })) {
      found.push(change);
      if (found.length === 2) break;
    }
    expect(found.map(({ seq, relay }) => [seq, relay.id])).toEqual([
      [3, "a.example"],
      [5, "ä🙂"],
    ]);
    expect(catalog.asked[0]?.url).toBe("/v1/events?since=2");
    expect(places(catalog.asked)).toEqual(["2"]);
  });

  it("waits out what passes, as long as the catalog asks", async () => {
    let opened = 0;
    await using catalog = await startFakeCatalog((asked, response) => {
      opened += 1;
      if (opened === 2)
        return json(problem("unavailable"), { status: 503, headers: { "retry-after": "0" } })(
          asked,
          response,
        );
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`retry: 1\n\n${event(opened)}`, () => (opened === 1 ? response.destroy() : undefined));
    });
    await using client = new CatalogClient(catalog.base);
    const lost: string[] = [];
    expect(await take(client.watch({}, { onLost: (why) => lost.push(why.code) }), 2)).toEqual([1, 3]);
    expect(lost).toEqual(["catalog-unreachable", "unavailable"]);
  });

  it.each([
    ["gone", 410, problem("gone", { oldest: 9, latest: 12 })],
    ["invalid-input", 400, problem("invalid-input")],
    ["not-found", 404, { ok: false, error: "no such route" }],
  ])("ends with %s: it does not pass", async (code, status, body) => {
    await using catalog = await startFakeCatalog(json(body, { status }));
    await using client = new CatalogClient(catalog.base);
    await expect(client.watch({ since: 1 }).next()).rejects.toMatchObject({ code });
    expect(catalog.asked.filter(({ url }) => url.startsWith("/v1/events"))).toHaveLength(1);
  });

  it("says at once when there is no catalog, and when what answers is none", async () => {
    const dead = await streaming([""]);
    await dead[Symbol.asyncDispose]();
    await expect(new CatalogClient(dead.base).watch().next()).rejects.toMatchObject({
      code: "catalog-unreachable",
    });
    await using page = await startFakeCatalog((_asked, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<p>Hello</p>");
    });
    await expect(new CatalogClient(page.base).watch().next()).rejects.toMatchObject({
      code: "catalog-answer",
    });
    await using odd = await streaming(["id: 1\ndata: not json\n\n"]);
    await expect(new CatalogClient(odd.base).watch().next()).rejects.toMatchObject({
      code: "catalog-answer",
    });
  });

  it("ends with its signal, with the client, and when nobody takes any more", async () => {
    await using catalog = await streaming([event(1)]);
    await using client = new CatalogClient(catalog.base);
    const stop = new AbortController();
    const one = client.watch({}, { signal: stop.signal });
    await one.next();
    const waiting = one.next();
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    const two = client.watch();
    await two.next();
    const other = two.next();
    await client.close();
    await expect(other).rejects.toThrow(OpenMcpError);
  });

  it("is REST's only", async () => {
    await using client = new CatalogClient("http://127.0.0.1:1", { transport: "mcp" });
    await expect(client.watch().next()).rejects.toMatchObject({ code: "unsupported-transport" });
    await expect(client.changes().next()).rejects.toMatchObject({ code: "unsupported-transport" });
    await expect(client.history("a")).rejects.toMatchObject({ code: "unsupported-transport" });
  });
});

describe("changes", () => {
  it("walks all pages and ends", async () => {
    const pages: Record<string, object> = {
      "/v1/changes": { changes: [JSON.parse(event(3).split("data: ")[1] as string)], next: 3 },
      "/v1/changes?since=3": { changes: [JSON.parse(event(7).split("data: ")[1] as string)], next: 7 },
      "/v1/changes?since=7": { changes: [], next: 9 },
    };
    await using catalog = await startFakeCatalog((asked, response) =>
      json({ ok: true, ...pages[asked.url] })(asked, response),
    );
    await using client = new CatalogClient(catalog.base);
    const seqs: number[] = [];
    for await (const { seq } of client.changes()) seqs.push(seq);
    expect(seqs).toEqual([3, 7]);
  });
});

describe("a catalog that is killed and comes back", () => {
  it("loses no change for who follows it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "openmcp-watch-"));
    await using relay = await startFakeRelay({ descriptor: { mcp: "/mcp", name: "n0" } });
    const flags = ["--db", join(folder, "catalog.db"), "--refresh", "off"];
    try {
      const first = await startCatalogProcess(flags);
      const port = new URL(first.url).port;
      await using client = new CatalogClient(first.url);
      const { relay: listed } = await client.register(relay.url);
      const rename = async (name: string): Promise<void> => {
        relay.update({ descriptor: { mcp: "/mcp", name } });
        await client.refresh(listed.id);
      };
      const told: [number, string][] = [];
      let lost = 0;
      const following = (async () => {
        for await (const change of client.watch({ since: 0 }, { onLost: () => (lost += 1) })) {
          told.push([change.seq, change.event]);
          if (told.length === 4) return;
        }
      })();
      await rename("n1");
      first.kill("SIGKILL");
      await first.ended;
      await using second = await startCatalogProcess([...flags, "--port", port]);
      expect(second.url).toBe(first.url);
      await rename("n2");
      await rename("n3");
      await following;
      expect(told).toEqual([
        [1, "relay.registered"],
        [2, "relay.updated"],
        [3, "relay.updated"],
        [4, "relay.updated"],
      ]);
      expect(lost).toBeGreaterThan(0);
      const history = await client.history(listed.id);
      expect(history.spans.at(-1)).toMatchObject({ state: "online", to: null });
      second.kill("SIGTERM");
      expect(await second.ended).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
