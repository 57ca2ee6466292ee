/** The stream of events: nothing lost and nothing told twice however a reader comes and goes, and no reader costs others. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type EventsDoor, type EventsDoorOptions, eventsDoor } from "../../src/doors/events/index.ts";
import {
  HEARTBEAT_MS,
  LAST_WORD_MS,
  MAX_STREAMS_OF_CLIENT,
  SLOW_READER_MS,
} from "../../src/doors/events/limits.ts";
import { createEventStreamParser } from "../../src/spec/index.ts";
import { createManualClock, type ManualClock } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogFixture, openCatalog, tool } from "./catalog-fixture.ts";
import { expectProblem } from "./rest-fixture.ts";

let catalog: CatalogFixture;
let clock: ManualClock;
let door: EventsDoor;
let count: number;

const URL_BASE = "http://127.0.0.1:8790/v1/events";

async function openDoor(options: Partial<EventsDoorOptions> = {}): Promise<EventsDoor> {
  return eventsDoor({ context: { ...catalog.context, clock }, ...options });
}

beforeEach(async () => {
  catalog = await openCatalog();
  clock = createManualClock();
  door = await openDoor();
  count = 0;
});
afterEach(async () => {
  await door.close();
  await catalog[Symbol.asyncDispose]();
});

/** Appends `relay.registered` of a new relay. */
async function append(given?: string, weight = 0): Promise<string> {
  count += given === undefined ? 1 : 0;
  const id = given ?? `r${count}.example`;
  const tools = weight === 0 ? [tool("echo")] : [tool("echo", "x".repeat(weight))];
  await catalog.list(`https://${id}/mcp`, { tools });
  return id;
}

interface Reader {
  readonly status: number;
  readonly headers: Headers;
  /** Takes pieces until `more` is met. */
  until(met: () => boolean): Promise<void>;
  /** `seq relay` of each event so far. */
  readonly told: string[];
  readonly ids: string[];
  readonly text: string;
  leave(): Promise<void>;
}

async function open(query = "", headers: Record<string, string> = {}, at = door): Promise<Reader> {
  const response = await at.fetch(new Request(`${URL_BASE}${query}`, { headers }));
  const told: string[] = [];
  const ids: string[] = [];
  let text = "";
  const parser = createEventStreamParser(
    ({ data, type }) => {
      const change = JSON.parse(data);
      expect(type).toBe(change.event);
      told.push(`${change.seq} ${change.relay.id}`);
    },
    { onId: (id) => ids.push(id) },
  );
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return {
    status: response.status,
    headers: response.headers,
    told,
    ids,
    get text() {
      return text;
    },
    async until(met) {
      while (!met()) {
        const piece = await reader?.read();
        if (piece === undefined || piece.done) throw new Error(`the stream ended: ${text.slice(-200)}`);
        text += piece.value;
        parser.push(piece.value);
      }
    },
    async leave() {
      await reader?.cancel();
    },
  };
}

/** Some turns of the event loop: what was started has come to its pause. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Moves the clock on, a second at a time, until `waited` is done; `most` seconds at most. */
async function secondsUntil(waited: Promise<unknown>, most = 120): Promise<number> {
  let done = false;
  const end = waited.finally(() => {
    done = true;
  });
  for (let second = 0; second < most; second += 1) {
    await settle();
    if (done) {
      await end;
      return second;
    }
    await clock.advance(1_000);
  }
  throw new Error("it never came");
}

describe("GET /v1/events", () => {
  it("tells what is new from now on, as the same changes", verifies("events.stream"), async () => {
    await append("before.example");
    const reader = await open();
    expect(reader.status).toBe(200);
    expect(Object.fromEntries(reader.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "access-control-allow-origin": "*",
    });
    const waiting = reader.until(() => reader.told.length === 2);
    await append("a.example");
    await append("b.example");
    await waiting;
    expect(reader.told).toEqual(["2 a.example", "3 b.example"]);
    expect(reader.ids).toEqual(["1", "2", "3"]);
    const { data } = /^event: relay\.registered\ndata: (?<data>.*)$/m.exec(reader.text)?.groups ?? {};
    const [, change] = await catalog.context.store.changes.list(0, 9);
    expect(JSON.parse(data ?? "")).toEqual({
      seq: 2,
      id: change?.id,
      event: "relay.registered",
      at: change?.at,
      relay: JSON.parse(change?.relay.text ?? ""),
    });
  });

  it(
    "resumes from Last-Event-ID before since, and from since without it",
    verifies("events.resume"),
    async () => {
      for (let at = 0; at < 5; at += 1) await append();
      const first = await open("?since=2");
      await first.until(() => first.told.length === 3);
      expect(first.told).toEqual(["3 r3.example", "4 r4.example", "5 r5.example"]);
      const second = await open("?since=2", { "last-event-id": "4" });
      await second.until(() => second.told.length === 1);
      expect(second.told).toEqual(["5 r5.example"]);
      const all = await open("?since=0");
      await all.until(() => all.told.length === 5);
    },
  );

  it("loses nothing and tells nothing twice over many broken connections", async () => {
    let place = "0";
    const told: string[] = [];
    for (let round = 0; round < 30; round += 1) {
      const reader = await open("", { "last-event-id": place });
      for (let at = 0; at < round % 4; at += 1) await append();
      const want = Math.min(round % 3, round % 4);
      await reader.until(() => reader.told.length >= want && reader.ids.length > 0);
      told.push(...reader.told);
      place = reader.ids.at(-1) ?? place;
      await reader.leave();
    }
    const last = await open("", { "last-event-id": place });
    await last.until(() => told.length + last.told.length === count);
    expect([...told, ...last.told]).toEqual(
      Array.from({ length: count }, (_, at) => `${at + 1} r${at + 1}.example`),
    );
  });

  it("narrows, and moves the place on past what it leaves out", async () => {
    const reader = await open("?relays=b.example,c.example&events=relay.registered,relay.removed");
    await reader.until(() => reader.ids.length === 1);
    const waiting = reader.until(() => reader.told.length === 2);
    for (const id of ["a.example", "b.example", "d.example"]) await append(id);
    await catalog.context.store.relays.remove("b.example", { id: "x" }, 0);
    await waiting;
    expect(reader.told).toEqual(["2 b.example", "4 b.example"]);
    await append("e.example");
    await secondsUntil(reader.until(() => reader.ids.at(-1) === "5"));
    expect(reader.told).toHaveLength(2);
  });

  it("says that it is there when there is nothing to tell", async () => {
    const reader = await open();
    await reader.until(() => reader.ids.length === 1);
    expect(await secondsUntil(reader.until(() => reader.text.includes(": still here")))).toBe(
      HEARTBEAT_MS / 1_000,
    );
    expect(reader.told).toEqual([]);
    expect(reader.ids).toEqual(["0", "0"]);
  });

  it("finds what another process appended", async () => {
    const { store } = catalog.context;
    // As if it were another's: nothing rings.
    const quiet = { ...store.changes, onAppend: () => () => undefined };
    await using deaf = eventsDoor({
      context: { ...catalog.context, clock, store: { ...store, changes: quiet } },
    });
    const reader = await open("", {}, deaf);
    await reader.until(() => reader.ids.length === 1);
    const found = reader.until(() => reader.told.length === 1);
    await settle();
    await append();
    await settle();
    expect(reader.told).toEqual([]);
    expect(await secondsUntil(found)).toBe(2);
  });

  it("answers 410 for a place that is gone, and 400 for what is none", async () => {
    for (let at = 0; at < 3; at += 1) await append();
    await catalog.context.store.changes.prune(Date.UTC(2099, 0), 2);
    const fetch = (query: string, headers: Record<string, string> = {}) =>
      door.fetch(new Request(`${URL_BASE}${query}`, { headers }));
    await expectProblem(await fetch("?since=1"), "gone", 410);
    await expectProblem(await fetch("", { "last-event-id": "99" }), "gone", 410);
    await expectProblem(await fetch("", { "last-event-id": "abc" }), "invalid-input", 400);
    await expectProblem(await fetch("?events=all"), "invalid-input", 400);
    await expectProblem(await fetch("", { host: "evil.example" }), "forbidden", 403);
    expect((await open("?since=2")).status).toBe(200);
  });

  it("knows its methods", async () => {
    const ask = (method: string) => door.fetch(new Request(URL_BASE, { method }));
    const head = await ask("HEAD");
    expect([head.status, head.body]).toEqual([200, null]);
    expect(door.streams).toBe(0);
    expect((await ask("OPTIONS")).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    await expectProblem(await ask("POST"), "method-not-allowed", 405);
  });

  it("serves so many and no more, and ends them all at a stop", async () => {
    await door.close();
    door = await openDoor({ maxStreams: 2 });
    const readers = [await open(), await open()];
    const full = await door.fetch(new Request(URL_BASE));
    await expectProblem(full, "unavailable", 503);
    expect(full.headers.get("retry-after")).toBe("30");
    await readers[0]?.leave();
    const third = await open();
    await third.until(() => third.ids.length === 1);
    const ended = third.until(() => false);
    await door.close();
    await expect(ended).rejects.toThrow("the stream ended");
    expect(door.streams).toBe(0);
    await expectProblem(await door.fetch(new Request(URL_BASE)), "unavailable", 503);
    expect(clock.sleepers).toBe(0);
  });

  it("leaves no client all the places", async () => {
    await door.close();
    door = await openDoor({ clientOf: (request) => request.headers.get("x-client") });
    const readers = await Promise.all(
      Array.from({ length: MAX_STREAMS_OF_CLIENT }, () => open("", { "x-client": "192.0.2.1" })),
    );
    expect(readers.map((reader) => reader.status)).not.toContain(429);
    const full = await door.fetch(new Request(URL_BASE, { headers: { "x-client": "192.0.2.1" } }));
    await expectProblem(full, "rate-limited", 429);
    expect(full.headers.get("retry-after")).toBe("30");
    const others = [await open("", { "x-client": "192.0.2.2" }), await open()];
    await readers[0]?.leave();
    const again = await open("", { "x-client": "192.0.2.1" });
    expect([...others, again].map((reader) => reader.status)).toEqual([200, 200, 200]);
  });

  it("wakes hundreds of readers by one reading of the log", async () => {
    let reads = 0;
    const { store } = catalog.context;
    const counted: typeof store.changes = {
      ...store.changes,
      list: (...asked) => {
        reads += 1;
        return store.changes.list(...asked);
      },
    };
    await using busy = eventsDoor({
      context: { ...catalog.context, clock, store: { ...store, changes: counted } },
    });
    const readers = await Promise.all(Array.from({ length: 300 }, () => open("", {}, busy)));
    await Promise.all(readers.map((reader) => reader.until(() => reader.ids.length === 1)));
    const waiting = readers.map((reader) => reader.until(() => reader.told.length === 3));
    await settle();
    reads = 0;
    for (let at = 0; at < 3; at += 1) await append();
    await Promise.all(waiting);
    expect(reads).toBeLessThan(20);
    for (const reader of readers) expect(reader.told).toHaveLength(3);
  });
});

describe("a reader that takes nothing", () => {
  it("costs one piece, is told where to resume, and is cut", async () => {
    const server = createAdaptorServer({ fetch: (request, env) => door.fetch(request, env) });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const socket: Socket = connect({ port, host: "127.0.0.1" });
    try {
      socket.pause();
      socket.write("GET /v1/events?since=0 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n");
      while (door.streams === 0) await settle();
      // More than the sockets' own buffers take.
      for (let at = 0; at < 20; at += 1) await append(undefined, 1_000_000);
      // Everybody else is served meanwhile.
      const quick = await open("?since=0");
      await quick.until(() => quick.told.length === 20);
      await quick.leave();
      expect(door.streams).toBe(1);
      const cut = (async () => {
        while (door.streams > 0) await settle();
      })();
      expect(await secondsUntil(cut)).toBeGreaterThanOrEqual(SLOW_READER_MS / 1_000);
      await clock.advance(LAST_WORD_MS);
      let text = "";
      socket.on("data", (part) => {
        text += part.toString("latin1");
      });
      socket.on("error", () => undefined);
      socket.resume();
      await once(socket, "close");
      const told = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
      expect(told.length).toBeLessThan(21);
      expect(told).toEqual(told.map((_, at) => at));
    } finally {
      socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it("gets its last word when it wakes up in time", async () => {
    for (let at = 0; at < 3; at += 1) await append(undefined, 40_000);
    const response = await door.fetch(new Request(`${URL_BASE}?since=0`));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const take = async () => new TextDecoder().decode((await reader.read()).value);
    expect(await take()).toContain("retry: 1000");
    expect(await take()).toContain("id: 1\n");
    await settle();
    await clock.advance(SLOW_READER_MS);
    expect(await take()).toBe(": too slow; come back with Last-Event-ID: 1\nretry: 1000\n\n");
    expect((await reader.read()).done).toBe(true);
    expect(door.streams).toBe(0);
  });
});
