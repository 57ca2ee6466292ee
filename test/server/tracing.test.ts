/**
 * Traces from outside: a collector on loopback is sent the spans of a real process, the caller's trace goes through the
 * catalog to the relay in `_meta`, and no argument, token or question is in any of it.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { verifies } from "../requirements.ts";
import { startCatalogProcess } from "./catalog-process.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;
const FLAGS = ["--db", ":memory:", "--refresh", "off", "--peer-sync", "off"];

afterEach(() => vi.unstubAllEnvs());

describe("with traces on", () => {
  it(
    "a call belongs to the caller's trace, through every part of it, down to the relay",
    verifies("operate.trace-parent", "operate.trace-content", "operate.trace-passed-on"),
    async () => {
      await using collector = await startCollector();
      vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
      await using relay = await startFakeRelay();
      await using catalog = await startCatalogProcess(FLAGS);
      const id = await register(catalog.url, relay);
      const answer = await post(
        `${catalog.url}/v1/relays/${id}/call`,
        { tool: "echo", arguments: { text: "planted argument" }, token: "tok-5ecret-1" },
        { traceparent: TRACEPARENT, tracestate: "vendor=1" },
      );
      expect(answer.status).toBe(200);
      await get(`${catalog.url}/v1/tools?q=planted question`);
      await get(`${catalog.url}/planted/path`);
      catalog.kill("SIGTERM");
      expect(await catalog.ended).toBe(0);

      const spans = collector.spans().filter((span) => span.traceId === TRACE);
      const request = spans.find((span) => span.name === "POST /v1/relays/:id/call");
      const operation = spans.find((span) => span.name === "call");
      const call = spans.find((span) => span.name === "tools/call");
      expect(request).toMatchObject({
        parentSpanId: PARENT,
        attributes: { "http.response.status_code": 200 },
      });
      expect(operation).toMatchObject({ parentSpanId: request?.spanId, attributes: { "openmcp.relay": id } });
      expect(call).toMatchObject({
        parentSpanId: operation?.spanId,
        attributes: { "gen_ai.tool.name": "echo" },
      });
      expect(spans.find((span) => span.name === "store.relays")?.parentSpanId).toBe(operation?.spanId);
      // The relay's own spans belong under the forwarded call.
      expect(metaOfCalls(relay)).toEqual([
        { traceparent: `00-${TRACE}-${call?.spanId}-01`, tracestate: "vendor=1" },
      ]);
      const probe = collector.spans().find((span) => span.name === "probe");
      expect(probe).toMatchObject({ attributes: { "openmcp.state": "online", "openmcp.era": "modern" } });
      expect(collector.text()).not.toMatch(/planted|5ecret/);
    },
  );

  it("an agent's trace comes in its `_meta`, and is linked to the HTTP request", async () => {
    await using collector = await startCollector();
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
    await using relay = await startFakeRelay();
    await using catalog = await startCatalogProcess(FLAGS);
    const id = await register(catalog.url, relay);
    await callAsAgent(catalog.url, id, { traceparent: TRACEPARENT });
    catalog.kill("SIGTERM");
    await catalog.ended;
    const operation = collector.spans().find((span) => span.name === "call");
    expect(operation).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    const http = collector.spans().filter((span) => span.name === "POST /mcp");
    expect(http.map((span) => span.spanId)).toContain(operation?.links[0]);
    expect(metaOfCalls(relay)[0]?.traceparent).toMatch(new RegExp(`^00-${TRACE}-(?!${PARENT})`));
  });

  it("a collector that does not answer holds up neither work nor the stop", async () => {
    await using deaf = await startCollector(() => {});
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", deaf.url);
    await using relay = await startFakeRelay();
    await using catalog = await startCatalogProcess(FLAGS);
    await register(catalog.url, relay);
    catalog.kill("SIGTERM");
    expect(await catalog.ended).toBe(0);
    expect(catalog.output.stderr).toContain("the last traces could not be sent");
  });
});

describe("with traces off", () => {
  it("an agent's `traceparent` goes on as it came, its `baggage` does not, and what is no trace context is dropped", async () => {
    await using relay = await startFakeRelay();
    await using catalog = await startCatalogProcess(FLAGS);
    const id = await register(catalog.url, relay);
    await callAsAgent(catalog.url, id, { traceparent: TRACEPARENT, baggage: "user=planted" });
    await callAsAgent(catalog.url, id, { traceparent: "planted" });
    expect(metaOfCalls(relay)).toEqual([{ traceparent: TRACEPARENT }, {}]);
    expect(relay.requests.map((seen) => seen.body).join("")).not.toContain("planted");
  });
});

interface SeenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly string[];
}

interface OtlpSpan extends Omit<SeenSpan, "attributes" | "links"> {
  readonly attributes?: readonly {
    readonly key: string;
    readonly value: Readonly<Record<string, unknown>>;
  }[];
  readonly links?: readonly { readonly spanId: string }[];
}

/** An OTLP/HTTP collector that keeps what it is sent; `answer` in place of 200. */
async function startCollector(answer?: () => void) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    if (answer === undefined) response.writeHead(200, { "content-type": "application/json" }).end("{}");
    else answer();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    text: () => bodies.join("\n"),
    spans: (): readonly SeenSpan[] => bodies.flatMap(spansOf),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf(body: string): readonly SeenSpan[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
  };
  return resourceSpans
    .flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans))
    .map(({ attributes = [], links = [], ...span }) => ({
      ...span,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      links: links.map((link) => link.spanId),
    }));
}

/** The trace context of each forwarded call, as the relay was sent it. */
function metaOfCalls(relay: FakeRelay): readonly Record<string, string>[] {
  return relay.requests
    .filter((seen) => seen.body.includes('"tools/call"'))
    .map((seen) => {
      const { _meta } = (JSON.parse(seen.body) as { params: { _meta: Record<string, string> } }).params;
      return Object.fromEntries(
        Object.entries(_meta).filter(([key]) => ["traceparent", "tracestate", "baggage"].includes(key)),
      );
    });
}

async function callAsAgent(catalog: string, relay: string, meta: Record<string, string>): Promise<void> {
  const agent = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${catalog}/mcp`)));
  await agent.callTool({ name: "call_tool", arguments: { relay, tool: "echo", arguments: {} }, _meta: meta });
  await agent.close();
}

async function register(catalog: string, relay: FakeRelay): Promise<string> {
  const response = await post(`${catalog}/v1/relays`, { url: relay.url });
  return ((await response.json()) as { relay: { id: string } }).relay.id;
}

async function get(url: string): Promise<void> {
  await (await fetch(url)).arrayBuffer();
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}
