/** Who is limited at a running catalog: by its sockets, its proxies and where it is bound; and that two of them count together. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  createLog,
  describeCatalog,
  parseServeOptions,
  type RunningCatalog,
  type ServeFlags,
  startCatalog,
} from "../../src/server/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { startCatalogProcess } from "./catalog-process.ts";

/** Two, and no more come back while a test runs. */
const TWO = '{"refresh": {"perMinute": 0.001, "burst": 2}, "call": {"perMinute": 0.001, "burst": 2}}';

async function start(flags: ServeFlags, write: (line: string) => void = () => {}): Promise<RunningCatalog> {
  const options = parseServeOptions({ port: 0, db: ":memory:", refresh: "off", limits: TWO, ...flags });
  return startCatalog(options, { log: createLog({ level: "warn", human: false, write }) });
}

/** Asks as often as there are senders; gives the statuses. 404: it was let through. */
async function refresh(url: string, senders: readonly Record<string, string>[]): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const headers of senders) {
    const response = await fetch(`${url}/v1/relays/none/refresh`, { method: "POST", headers });
    statuses.push(response.status);
    await response.body?.cancel();
  }
  return statuses;
}

const via = (address: string) => ({ "x-forwarded-for": address });

it(
  "nobody of this machine is limited at a catalog that only it can reach",
  verifies("fair.free"),
  async () => {
    await using catalog = await start({});
    expect(await refresh(catalog.url, [{}, {}, {}, {}])).toEqual([404, 404, 404, 404]);
    expect(describeCatalog(catalog)).toMatch(/Limits +budgets for other machines, none for this one/);
  },
);

it("who comes through a proxy that the catalog was not told of is limited, with all others, and the log says so", async () => {
  const lines: string[] = [];
  await using catalog = await start({}, (line) => void lines.push(line));
  const statuses = await refresh(catalog.url, [via("192.0.2.1"), via("192.0.2.2"), via("192.0.2.3"), {}]);
  expect(statuses).toEqual([404, 404, 429, 404]);
  expect(lines.filter((line) => line.includes("--trust-proxy"))).toHaveLength(1);
});

it(
  "--trust-proxy tells clients apart, at both doors, and believes nothing that a sender added",
  verifies("fair.proxies"),
  async () => {
    await using catalog = await start({ trustProxy: "1", adminToken: "s3cret" });
    expect(await refresh(catalog.url, [via("192.0.2.1"), via("192.0.2.1"), via("192.0.2.1")])).toEqual([
      404, 404, 429,
    ]);
    const made = ["9.9.9.9, 192.0.2.1", "192.0.2.77,192.0.2.1", "x, 192.0.2.1:80"].map(via);
    expect(await refresh(catalog.url, made)).toEqual([429, 429, 429]);
    expect(await refresh(catalog.url, [{ ...via("192.0.2.1"), forwarded: "for=192.0.2.5" }])).toEqual([429]);
    expect(await refresh(catalog.url, [via("192.0.2.2")])).toEqual([404]);
    // One subscriber's addresses in IPv6 are one client.
    const network = ["2001:db8::1", "2001:db8::2", "2001:db8:0:0:ffff::3", "2001:db8:0:1::1"].map(via);
    expect(await refresh(catalog.url, network)).toEqual([404, 404, 429, 404]);
    expect(await refresh(catalog.url, [{ ...via("192.0.2.1"), authorization: "Bearer s3cret" }])).toEqual([
      404,
    ]);
    expect(await refreshByMcp(catalog.url, via("192.0.2.1"))).toContain("rate-limited");
    expect(await refreshByMcp(catalog.url, via("192.0.2.3"))).toContain("not-found");
    const asAdmin = { ...via("192.0.2.1"), authorization: "Bearer s3cret" };
    expect(await refreshByMcp(catalog.url, asAdmin)).toContain("not-found");
  },
);

it("a catalog that was told --trust-proxy calls no loopback", verifies("network.trust-proxy"), async () => {
  await using relay = await startFakeRelay();
  const register = async (flags: ServeFlags) => {
    await using catalog = await start(flags);
    const response = await fetch(`${catalog.url}/v1/relays`, {
      method: "POST",
      headers: { "content-type": "application/json", ...via("192.0.2.1") },
      body: JSON.stringify({ url: relay.url }),
    });
    await response.body?.cancel();
    return [response.status, catalog.loopbackAllowed];
  };
  expect(await register({})).toEqual([201, true]);
  const asked = relay.requests.length;
  expect(await register({ trustProxy: "1" })).toEqual([422, false]);
  expect(relay.requests.length).toBe(asked);
});

it("--limits off limits nobody, whoever they are", verifies("fair.limits"), async () => {
  await using catalog = await start({ limits: "off", trustProxy: "1" });
  const senders = Array.from({ length: 5 }, () => via("192.0.2.1"));
  expect(await refresh(catalog.url, senders)).toEqual([404, 404, 404, 404, 404]);
  expect(describeCatalog(catalog)).toMatch(/Limits +off/);
});

it("counts refusals for the operator", async () => {
  await using catalog = await start({ trustProxy: "1" });
  await refresh(catalog.url, [via("192.0.2.1"), via("192.0.2.1"), via("192.0.2.1")]);
  const text = await (await fetch(`${catalog.url}/metrics`)).text();
  expect(text).toContain('openmcp_rate_limited_total{budget="refresh"} 1');
  expect(text).not.toContain("192.0.2.1");
});

it("two processes on one database give a client one budget, and a third that starts later knows it", {
  ...verifies("fair.shared"),
  timeout: 60_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-fair-"));
  const flags = [
    "--db",
    join(folder, "catalog.db"),
    "--refresh",
    "off",
    "--trust-proxy",
    "1",
    "--limits",
    TWO,
  ];
  try {
    {
      await using one = await startCatalogProcess(flags);
      await using two = await startCatalogProcess(flags);
      expect(await refresh(one.url, [via("192.0.2.1")])).toEqual([404]);
      expect(await refresh(two.url, [via("192.0.2.1")])).toEqual([404]);
      expect(await refresh(one.url, [via("192.0.2.1")])).toEqual([429]);
      expect(await refresh(two.url, [via("192.0.2.1"), via("192.0.2.2")])).toEqual([429, 404]);
    }
    await using third = await startCatalogProcess(flags);
    expect(await refresh(third.url, [via("192.0.2.1"), via("192.0.2.2")])).toEqual([429, 404]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function refreshByMcp(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "refresh_relay", arguments: { id: "none" } },
    }),
  });
  return response.text();
}
