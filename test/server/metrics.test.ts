/** What an operator sees in numbers: /metrics counts what was done, in labels that no caller and no relay can fill. */
import { describe, expect, it } from "vitest";
import { createLog, parseServeOptions, startCatalog } from "../../src/server/index.ts";
import { metrics } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";

const STRANGERS = ["tok-5ecret-1", "planted-tool", "planted question", "planted-path", "relay-that-is-not"];

describe("GET /metrics", () => {
  it("counts requests, probes, calls, searches and what is listed", verifies("rest.metrics"), async () => {
    await using catalog = await start();
    await using relay = await startFakeRelay();
    const id = await register(catalog.url, relay);
    await ask(`${catalog.url}/v1/relays/${id}`);
    await ask(`${catalog.url}/v1/relays/${id}`, { method: "HEAD" });
    await ask(`${catalog.url}/v1/tools?q=echo`);
    await post(`${catalog.url}/v1/relays/${id}/call`, { tool: "echo", arguments: { text: "hi" } });
    const read = await scrape(catalog.url);
    expect(read('http_requests_total{method="POST",route="/v1/relays",status="201"}')).toBe(1);
    expect(read('http_requests_total{method="GET",route="/v1/relays/:id",status="200"}')).toBe(1);
    expect(read('http_requests_total{method="HEAD",route="/v1/relays/:id",status="200"}')).toBe(1);
    expect(read('http_request_duration_seconds_count{route="/v1/relays/:id"}')).toBe(2);
    expect(read('operations_total{operation="register",outcome="ok"}')).toBe(1);
    expect(read('probes_total{state="online",era="modern"}')).toBe(1);
    expect(read('probe_duration_seconds_count{state="online"}')).toBe(1);
    expect(read('changes_total{event="relay.registered"}')).toBe(1);
    expect(read('relay_calls_total{outcome="result"}')).toBe(1);
    expect(read("relay_call_duration_seconds_count")).toBe(1);
    expect(read("search_duration_seconds_count")).toBe(1);
    expect(read("relays")).toBe(1);
    expect(read("relays_online")).toBe(1);
    expect(read('queue_depth{queue="bulk"}')).toBe(0);
    const text = await (await fetch(`${catalog.url}/metrics`)).text();
    expect(text).toContain("process_cpu_user_seconds_total");
  });

  it("tells the endings of calls apart", async () => {
    await using catalog = await start();
    await using relay = await startFakeRelay();
    const id = await register(catalog.url, relay);
    const call = () => post(`${catalog.url}/v1/relays/${id}/call`, { tool: "echo", arguments: {} });
    relay.update({ onCall: () => ({ isError: true, content: [] }) });
    await call();
    relay.update({ onCall: undefined, token: "wanted" });
    await call();
    await relay.close();
    await call();
    const read = await scrape(catalog.url);
    expect(read('relay_calls_total{outcome="tool-error"}')).toBe(1);
    expect(read('relay_calls_total{outcome="refused"}')).toBe(1);
    expect(read('relay_calls_total{outcome="unreachable"}')).toBe(1);
  });

  it(
    "has no label that a stranger filled, and no series for each thing that one asked for",
    verifies("operate.labels"),
    async () => {
      await using catalog = await start();
      await using relay = await startFakeRelay();
      const id = await register(catalog.url, relay);
      for (let round = 0; round < 20; round += 1) {
        await ask(`${catalog.url}/v1/relays/relay-that-is-not-${round}`);
        await ask(`${catalog.url}/planted-path/${round}?q=planted question`);
        await ask(`${catalog.url}/v1/tools?q=planted question ${round}`);
        await ask(`${catalog.url}/v1/relays`, { method: "PROPFIND" });
        await post(`${catalog.url}/v1/relays/${id}/call`, {
          tool: `planted-tool-${round}`,
          token: "tok-5ecret-1",
        });
      }
      const text = await (await fetch(`${catalog.url}/metrics`)).text();
      for (const planted of STRANGERS) expect(text).not.toContain(planted);
      expect(text).not.toContain(id);
      const series = text.split("\n").filter((line) => /^openmcp_http_requests_total\{/.test(line));
      expect(series.length).toBeLessThan(10);
      expect(text).toMatch(/http_requests_total\{method="other",route="unmatched",status="405"\} 20/);
    },
  );

  it("names every metric of the table, with its help", async () => {
    await using catalog = await start();
    const text = await (await fetch(`${catalog.url}/metrics`)).text();
    for (const [name, { kind, help }] of Object.entries(metrics)) {
      expect(text).toContain(`# HELP openmcp_${name} ${help}\n# TYPE openmcp_${name} ${kind}\n`);
    }
  });

  it("answers GET and HEAD, and nothing else", async () => {
    await using catalog = await start();
    const response = await ask(`${catalog.url}/metrics`, { method: "POST" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toContain("GET");
    expect((await ask(`${catalog.url}/metrics`)).headers.get("content-type")).toMatch(
      /^text\/plain; version=0\.0\.4/,
    );
  });
});

describe("the log of a request", () => {
  it(
    "has its id, its route's pattern, its relay, status and time, and no path",
    verifies("operate.log-line"),
    async () => {
      const lines: string[] = [];
      await using catalog = await start((line) => void lines.push(line));
      await using relay = await startFakeRelay();
      const id = await register(catalog.url, relay);
      const headers = { "x-request-id": "r-17" };
      await ask(`${catalog.url}/v1/relays/${id}/tools?note=planted`, { headers });
      await ask(`${catalog.url}/v1/relays/planted-id`, { headers: { "x-request-id": "r-18" } });
      await ask(`${catalog.url}/planted/path`, { headers: { "x-request-id": "r-19" } });
      const line = (requestId: string) =>
        lines
          .map((one) => JSON.parse(one))
          .find((one) => one.requestId === requestId && one.message === "request");
      await expect.poll(() => line("r-19")).toBeDefined();
      expect(line("r-17")).toMatchObject({
        level: "debug",
        method: "GET",
        route: "/v1/relays/:id/tools",
        relay: id,
        status: 200,
        ms: expect.any(Number),
      });
      expect(line("r-18")).toMatchObject({ level: "info", route: "/v1/relays/:id", status: 404 });
      expect(line("r-19")).toMatchObject({ level: "info", route: "unmatched", status: 404 });
      expect(lines.join("")).not.toContain("planted");
    },
  );
});

function start(write: (line: string) => void = () => {}) {
  const options = parseServeOptions({ port: 0, db: ":memory:", refresh: "off", peerSync: "off" });
  return startCatalog(options, { log: createLog({ level: "debug", human: false, write }) });
}

async function register(catalog: string, relay: FakeRelay): Promise<string> {
  const response = await post(`${catalog}/v1/relays`, { url: relay.url });
  return ((await response.json()) as { relay: { id: string } }).relay.id;
}

/** Reads a series by its name and labels, without the prefix; undefined when there is none. */
async function scrape(catalog: string): Promise<(series: string) => number | undefined> {
  const text = await (await fetch(`${catalog}/metrics`)).text();
  const lines = text.split("\n").map((line) => line.split(/ (?=[^ ]+$)/));
  return (series) => {
    const found = lines.find(([name]) => name === `openmcp_${series}`)?.[1];
    return found === undefined ? undefined : Number(found);
  };
}

async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, init);
  await response.clone().arrayBuffer();
  return response;
}

function post(url: string, body: unknown): Promise<Response> {
  return ask(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
