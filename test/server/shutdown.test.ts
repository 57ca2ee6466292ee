/**
 * SIGTERM in the middle of everything: what callers wait for is answered, what workers were at is handed back, streams end,
 * and the process is gone with 0 in bounded time. Real processes; the relays decide when something is under way.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogProcess, startCatalogProcess } from "./catalog-process.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-shutdown-"));
});
afterEach(() => rm(folder, { recursive: true }));

const start = (...flags: string[]): Promise<CatalogProcess> =>
  startCatalogProcess(["--db", join(folder, "catalog.db"), "--peer-sync", "off", ...flags]);

const CALLS = 4;

describe("SIGTERM", () => {
  it(
    "in the middle of forwarded calls: they are answered, and nothing new is taken",
    verifies("operate.stop"),
    async () => {
      await using catalog = await start("--refresh", "off");
      // All of them: one that is still on its way in when the stop comes may find its connection closed.
      const called = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      let underWay = 0;
      await using relay = await startFakeRelay({
        async onCall() {
          underWay += 1;
          if (underWay === CALLS) called.resolve();
          await finish.promise;
          return { content: [{ type: "text", text: "late, but here" }] };
        },
      });
      const id = await register(catalog.url, relay);
      const calls = Array.from({ length: CALLS }, () =>
        post(`${catalog.url}/v1/relays/${id}/call`, { tool: "echo", arguments: {} }),
      );
      await called.promise;
      catalog.kill("SIGTERM");
      await expect
        .poll(() =>
          fetch(`${catalog.url}/healthz`).then(
            () => "taken",
            () => "refused",
          ),
        )
        .toBe("refused");
      finish.resolve();
      for (const answer of await Promise.all(calls)) {
        expect(answer.status).toBe(200);
        expect(await answer.text()).toContain("late, but here");
      }
      expect(await catalog.ended).toBe(0);
    },
  );

  it(
    "in the middle of probes: they are broken off and handed back, and a restart takes them up again",
    verifies("operate.stop"),
    async ({ signal }) => {
      const looked = Promise.withResolvers<void>();
      let hang = true;
      await using relay = await startFakeRelay({
        intercept(seen) {
          if (!hang || seen.method !== "POST") return false;
          looked.resolve();
          return new Promise<boolean>(() => {});
        },
      });
      let job = "";
      {
        await using catalog = await start("--refresh", "off");
        const taken = await post(`${catalog.url}/v1/relays/bulk`, { urls: [relay.url] });
        ({ job } = (await taken.json()) as { job: string });
        await looked.promise;
        catalog.kill("SIGTERM");
        expect(await catalog.ended).toBe(0);
      }
      hang = false;
      await using catalog = await start("--refresh", "off");
      await until(signal, async () => {
        const answer = await fetch(`${catalog.url}/v1/relays/bulk/${job}`);
        const { job: state } = (await answer.json()) as { job: { results: { outcome: string }[] } };
        return state.results[0]?.outcome === "listed";
      });
    },
  );

  it("in the middle of scheduled looks: no relay is called offline for it", async ({ signal }) => {
    const looked = Promise.withResolvers<void>();
    let hang = false;
    await using relay = await startFakeRelay({
      intercept(seen) {
        if (!hang || seen.method !== "POST") return false;
        looked.resolve();
        return new Promise<boolean>(() => {});
      },
    });
    let id = "";
    {
      await using catalog = await start("--refresh", "100ms");
      id = await register(catalog.url, relay);
      hang = true;
      await looked.promise;
      catalog.kill("SIGTERM");
      expect(await catalog.ended).toBe(0);
    }
    hang = false;
    const seen = relay.requests.length;
    await using catalog = await start("--refresh", "100ms");
    const record = (await (await fetch(`${catalog.url}/v1/relays/${id}`)).json()) as {
      relay: { online: boolean };
    };
    expect(record.relay.online).toBe(true);
    // Its lease was handed back: it is looked at again without waiting for one to run out.
    await until(signal, () => relay.requests.length > seen);
  });

  it("with readers on the event stream: their streams end, and they are no reason to wait", async () => {
    await using catalog = await start("--refresh", "off");
    const readers = await Promise.all(Array.from({ length: 3 }, () => fetch(`${catalog.url}/v1/events`)));
    await using relay = await startFakeRelay();
    await register(catalog.url, relay);
    const first = readers.map((reader) => reader.body?.getReader());
    for (const stream of first) expect((await stream?.read())?.done).toBe(false);
    catalog.kill("SIGTERM");
    for (const stream of first) {
      let ended = false;
      while (!ended) ended = (await stream?.read())?.done ?? true;
    }
    expect(await catalog.ended).toBe(0);
  });

  it("twice: the second one ends it at once", async () => {
    await using catalog = await start("--refresh", "off");
    const called = Promise.withResolvers<void>();
    await using relay = await startFakeRelay({
      onCall() {
        called.resolve();
        return new Promise(() => {});
      },
    });
    const id = await register(catalog.url, relay);
    const cut = expect(
      post(`${catalog.url}/v1/relays/${id}/call`, { tool: "echo", arguments: {} }),
    ).rejects.toThrow();
    await called.promise;
    catalog.kill("SIGTERM");
    await expect.poll(() => catalog.output.stderr).toContain("stopping");
    catalog.kill("SIGTERM");
    expect(await catalog.ended).toBe(143);
    await cut;
  });
});

async function register(catalog: string, relay: FakeRelay): Promise<string> {
  const response = await post(`${catalog}/v1/relays`, { url: relay.url });
  return ((await response.json()) as { relay: { id: string } }).relay.id;
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Asks until it is so, or the test's own time is up. */
async function until(signal: AbortSignal, ask: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await ask())) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
