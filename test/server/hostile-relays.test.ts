/**
 * Hostile relays against a whole catalog process: each gets its state and its sentence within its time limit, memory stays
 * bounded, others are answered meanwhile. Limits are the real ones; only those who waste time meet a catalog whose
 * exchanges end after three seconds (`impatient-catalog.ts`).
 */
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProbeEvidence, type RelayRecord, relayId } from "../../src/spec/index.ts";
import { type FakeRelay, type FakeRelayOptions, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { type CatalogProcess, startCatalogProcess } from "./catalog-process.ts";
import { certificate, key } from "./fixtures/self-signed.ts";
import { type HostileRelay, hostileRelays, timeWasters } from "./hostile-relays.ts";

const MIB = 1024 * 1024;

interface Answer {
  readonly status: number;
  readonly relay?: RelayRecord;
  readonly probe?: ProbeEvidence;
  readonly detail?: string;
}

let catalog: CatalogProcess;
let impatient: CatalogProcess;
const relays = new Map<HostileRelay, FakeRelay>();
const answers = new Map<HostileRelay, Answer>();

async function register(url: string, { at = catalog } = {}): Promise<Answer> {
  const response = await fetch(`${at.url}/v1/relays`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  return { ...((await response.json()) as object), status: response.status };
}

/** So many at a time: the relays of this file share one process, and each is to be judged, not its neighbours. */
async function each(
  names: Iterable<HostileRelay>,
  lanes: number,
  work: (name: HostileRelay) => Promise<void>,
) {
  const queue = [...names];
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let name = queue.shift(); name !== undefined; name = queue.shift()) await work(name);
    }),
  );
}

function relayOf(name: HostileRelay): FakeRelay {
  return relays.get(name) as FakeRelay;
}

const quick = (Object.keys(hostileRelays) as HostileRelay[]).filter((name) => !timeWasters.includes(name));

beforeAll(async () => {
  for (const [name, script] of Object.entries(hostileRelays)) {
    relays.set(name as HostileRelay, await startFakeRelay(script as FakeRelayOptions));
  }
  catalog = await startCatalogProcess(["--db", ":memory:", "--refresh", "off"]);
  await each(quick, 3, async (name) => {
    answers.set(name, await register(relayOf(name).url));
  });
  impatient = await startCatalogProcess([], [join(import.meta.dirname, "impatient-catalog.ts")]);
  await each(timeWasters, timeWasters.length, async (name) => {
    answers.set(name, await register(relayOf(name).url, { at: impatient }));
  });
}, 120_000);

afterAll(async () => {
  for (const relay of relays.values()) await relay.close();
  await catalog?.[Symbol.asyncDispose]();
  await impatient?.[Symbol.asyncDispose]();
});

function answerOf(name: HostileRelay): Answer {
  return answers.get(name) as Answer;
}

describe("a relay whose descriptor is a trap but whose endpoint answers is listed, unverified", () => {
  it.each<HostileRelay>([
    "a descriptor of 10 MB",
    "a descriptor without end",
    "a descriptor at one byte a second",
    "a descriptor that is a gzip bomb",
    "a descriptor nested 100,000 deep",
  ])("%s", (name) => {
    expect(answerOf(name)).toMatchObject({
      status: 201,
      relay: { verified: false, online: true, tools: [{ name: "fine" }] },
    });
  });
});

describe(
  "a relay that gives no MCP answer is not listed, and its registrant is told why",
  verifies("rest.register-refused", "network.redirects", "network.limits"),
  () => {
    it.each<[HostileRelay, string, RegExp]>([
      ["answers without end", "protocol-error", /larger than is read/],
      ["an event stream without end", "protocol-error", /larger than is read/],
      ["answers at one byte a second", "timeout", /did not answer \w+ in time/],
      ["silence", "timeout", /did not answer \w+ in time/],
      ["answers that are gzip bombs", "protocol-error", /larger than is read/],
      ["a cut connection", "unreachable", /broke the connection off/],
      ["a flood of headers", "protocol-error", /larger than is read/],
      ["tools nested 100,000 deep", "protocol-error", /nested too deep/],
      ["ids that don't match", "protocol-error", /id of the request/],
      ["a redirect to a private address", "blocked", /redirects to http:..10\.0\.0\.1.*private/],
      ["a redirect to the metadata address", "blocked", /redirects to http:..169\.254.*metadata/],
      ["a redirect in circles", "not-mcp", /redirects again and again/],
    ])("%s: %s", (name, state, sentence) => {
      const answer = answerOf(name);
      expect({ status: answer.status, state: answer.probe?.state }).toEqual({ status: 422, state });
      expect(answer.probe?.error).toMatch(sentence);
      expect(answer.probe?.steps.length).toBeGreaterThan(0);
    });
  },
);

describe(
  "a relay that overdoes it is listed within bounds",
  verifies("probe.tools-truncated", "probe.tools-deduplicated", "network.limits"),
  () => {
    it.each<[HostileRelay, number, boolean]>([
      ["cursors that loop", 1, false],
      ["cursors without end", 500, true],
      ["100,000 tools", 5_000, true],
      ["a name of 5,000 characters", 2, false],
      ["the same tool 1,000 times", 2, false],
      ["requests of its own before the answer", 1, false],
    ])("%s: %i tools, cut: %s", (name, count, cut) => {
      const { status, relay } = answerOf(name);
      expect(status).toBe(201);
      expect(relay).toMatchObject({ online: true, probe: { state: "online", toolsTruncated: cut } });
      expect(relay?.tools).toHaveLength(count);
    });

    it(
      "names that are HTML come back as they are in JSON, and as text on the page",
      verifies("descriptor.untrusted"),
      async () => {
        const { relay } = answerOf("names that are HTML");
        expect(relay?.tools[0]?.name).toBe('<script>alert("x")</script>');
        const page = await fetch(`${catalog.url}/?q=script`, { headers: { accept: "text/html" } });
        const html = await page.text();
        expect(html).toContain("&lt;script&gt;");
        expect(html).not.toMatch(/<script>alert|<img src=x|<b>bold/);
      },
    );
  },
);

it(
  "a descriptor that claims another's endpoint does not touch the other's record",
  verifies("id.never-overwritten", "descriptor.other-origin"),
  async () => {
    await using victim = await startFakeRelay({ host: "127.0.0.2", tools: [{ name: "mine" }] });
    const before = (await register(victim.url)).relay as RelayRecord;
    await using thief = await startFakeRelay({
      host: "127.0.0.3",
      descriptor: { mcp: victim.url, name: "Stolen", description: "All yours are ours." },
      tools: [{ name: "theirs" }],
    });
    await register(thief.origin);
    const response = await fetch(`${catalog.url}/v1/relays/${before.id}`);
    const { relay } = (await response.json()) as { relay: RelayRecord };
    expect(relay).toMatchObject({ descriptor: before.descriptor, source: before.source, verified: false });
    expect(relay.tools).toEqual(before.tools);
  },
);

it("a certificate that does not verify is named as the reason", async () => {
  const server = createServer({ cert: certificate, key }, (_, response) => response.end("{}"));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  try {
    const { port } = server.address() as AddressInfo;
    const answer = await register(`https://127.0.0.1:${port}/mcp`);
    expect(answer).toMatchObject({ status: 422, probe: { state: "unreachable" } });
    expect(answer.probe?.error).toMatch(/certificate/i);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it("others are answered while a hostile relay holds its own registration", async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using slow = await startFakeRelay({
    async intercept() {
      asked.resolve();
      await held.promise;
      return false;
    },
  });
  await using other = await startFakeRelay({ host: "127.0.0.4" });
  let ended = false;
  const pending = register(slow.url).finally(() => {
    ended = true;
  });
  await asked.promise;
  expect((await register(other.url)).status).toBe(201);
  const called = await fetch(`${catalog.url}/v1/relays/${relayId(other.url)}/call`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tool: "echo", arguments: {} }),
  });
  expect(called.status).toBe(200);
  expect(ended).toBe(false);
  held.resolve();
  await pending;
});

it("all of them at once leave memory bounded and the process whole", async () => {
  const statuses: number[] = [];
  await each(quick, quick.length, async (name) => {
    statuses.push((await register(relayOf(name).url)).status);
  });
  expect(statuses.filter((status) => ![200, 201, 422].includes(status))).toEqual([]);
  expect((await fetch(`${catalog.url}/readyz`)).status).toBe(200);
  // Gigabytes are on offer; unbounded reading would be past one at once.
  expect(catalog.peakMemory()).toBeLessThan(400 * MIB);
}, 120_000);
