/** Layers round tool calls: their order, what they see, spans on OpenTelemetry's own SDK, and logs that tell names only. */
import * as api from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type FluentServer,
  logCalls,
  type Middleware,
  server,
  type ToolCall,
  traceCalls,
} from "../../src/kit/index.ts";
import { verifies } from "../requirements.ts";
import { askLegacy, askModern, message, openSession } from "./kit-fixture.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const authenticate = (request: Request) => ({ id: request.headers.get("x-user") ?? "nobody" });

const echo = () =>
  server("echo", "1.0.0", { authenticate })
    .tool("echo", { title: "Echo", input: z.object({ secret: z.string() }) }, ({ secret }) => secret)
    .tool("fails", {}, () => {
      throw new Error("hunter2");
    });

async function start(relay: FluentServer<{ id: string }, null>): Promise<string> {
  const on = await relay.listen();
  closing.push(() => on.close());
  return on.url;
}

const call = (name: string, _meta?: object) => ({
  method: "tools/call",
  params: { name, arguments: { secret: "hunter2" }, ...(_meta === undefined ? {} : { _meta }) } as never,
});

describe("a layer", () => {
  it("stands round the call, the first outermost, and sees all of it", verifies("kit.onion"), async () => {
    const steps: string[] = [];
    let seen: ToolCall<{ id: string }> | null = null;
    const named =
      (name: string): Middleware<{ id: string }> =>
      async (given, next) => {
        steps.push(`${name} in`);
        seen = given as never;
        const result = await next();
        steps.push(`${name} out`);
        return result;
      };
    const url = await start(echo().use(named("one")).use(named("two")));
    const session = await openSession(url, { "x-user": "bo" });
    const answer = await message(askLegacy(url, { ...call("echo", { hint: 1 }), headers: session }));
    expect(answer.result.content[0].text).toBe("hunter2");
    expect(steps).toEqual(["one in", "two in", "two out", "one out"]);
    expect(seen).toMatchObject({
      name: "echo",
      tool: { title: "Echo" },
      arguments: { secret: "hunter2" },
      meta: { hint: 1 },
      user: { id: "bo" },
      session: { id: session["mcp-session-id"] },
      era: "legacy",
    });
    expect((seen as ToolCall | null)?.request?.headers.get("x-user")).toBe("bo");
  });

  it(
    "answers in place of the tool, changes a result, sees refusals, and goes on once",
    verifies("kit.onion"),
    async () => {
      const refused: unknown[] = [];
      const layer: Middleware<{ id: string }> = async (given, next) => {
        if (given.meta.stop === true) return { content: [{ type: "text", text: "stopped" }] };
        if (given.meta.twice === true) {
          await next();
          await next();
        }
        const result = await next().catch((error: Error) => {
          refused.push([given.tool, error.message]);
          throw error;
        });
        return { ...result, _meta: { seen: true } } as never;
      };
      const url = await start(echo().use(layer));
      expect((await message(askModern(url, call("echo", { stop: true })))).result.content[0].text).toBe(
        "stopped",
      );
      expect((await message(askModern(url, call("echo")))).result._meta.seen).toBe(true);
      expect((await message(askModern(url, call("nope")))).error.message).toBe("Tool nope not found");
      expect(refused).toEqual([[null, "Tool nope not found"]]);
      expect((await message(askModern(url, call("echo", { twice: true })))).error).toEqual({
        code: -32603,
        message: "Internal server error",
      });
    },
  );
});

describe("traceCalls", () => {
  it(
    "continues the caller's trace, of _meta before the header, and records names only",
    verifies("kit.traces"),
    async () => {
      const exporter = new InMemorySpanExporter();
      const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
      const url = await start(echo().use(traceCalls({ api, tracer: provider.getTracer("test") })));
      const trace = (digit: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-01`;
      const headers = { traceparent: trace("a") };
      await (await askModern(url, { ...call("echo", { traceparent: trace("b") }), headers })).text();
      await (await askModern(url, { ...call("fails"), headers })).text();
      await (await askModern(url, call("hunter2-is-no-tool"))).text();
      const spans = exporter.getFinishedSpans();
      expect(
        spans.map((span) => [span.name, span.parentSpanContext?.traceId?.[0], span.attributes["error.type"]]),
      ).toEqual([
        ["tools/call echo", "b", undefined],
        ["tools/call fails", "a", "tool_error"],
        ["tools/call", undefined, "-32602"],
      ]);
      expect(
        spans.map((span) => JSON.stringify([span.attributes, span.events, span.status])).join(),
      ).not.toContain("hunter2");
      await provider.shutdown();
    },
  );
});

describe("logCalls", () => {
  it(
    "tells the tool, the end and the time, and nothing that a caller sent",
    verifies("kit.log-names"),
    async () => {
      const lines: object[] = [];
      const take = (fields: object, text: string): void => void lines.push({ ...fields, text });
      const url = await start(echo().use(logCalls({ info: take, warn: take })));
      for (const name of ["echo", "fails", "hunter2"]) await (await askModern(url, call(name))).text();
      const ms = expect.any(Number);
      expect(lines).toEqual([
        { tool: "echo", era: "modern", outcome: "ok", ms, text: "tool call" },
        { tool: "fails", era: "modern", outcome: "tool-error", ms, text: "tool call" },
        { tool: null, era: "modern", outcome: "unknown-tool", ms, text: "tool call" },
      ]);
      expect(JSON.stringify(lines)).not.toContain("hunter2");
    },
  );
});
