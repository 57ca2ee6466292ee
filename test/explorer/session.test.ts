/** What a tab keeps of a server that sends more than anybody asked for, and of secrets that were replaced. Real sockets, no browser. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { boundedFetch } from "../../web/explorer/connection/bounded-fetch.ts";
import { changingLists, keepListening } from "../../web/explorer/connection/listening.ts";
import { MASK, maskText } from "../../web/explorer/connection/mask.ts";
import { pretty } from "../../web/explorer/json/exact.ts";
import { MAX_HISTORY_CHARS, MAX_WAITING } from "../../web/explorer/limits.ts";
import { createSession } from "../../web/explorer/session.ts";
import { level } from "../../web/explorer/ui/level.ts";
import { verifies } from "../requirements.ts";
import { strangeKit } from "./strange-server.ts";

const settings = {
  endpoint: null,
  shown: null,
  command: null,
  title: null,
  openapi: null,
  catalog: null,
};
const sessionAt = () => createSession(settings, new URL("http://127.0.0.1/explorer/"));
const call = { what: "tool", name: "t", args: {} } as const;

/** A server of the older era whose one call asks so many questions, and ends when all are answered. */
async function askingServer(questions: number) {
  const answers: string[] = [];
  let finish = (): void => {};
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.method !== "POST") return response.writeHead(405).end();
    const { id, method, result, error } = JSON.parse(text) as Record<string, unknown>;
    const json = (body: object) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
    if (method === undefined) {
      answers.push(error === undefined ? JSON.stringify(result) : "refused");
      response.writeHead(202).end();
      return answers.length === questions ? finish() : undefined;
    }
    if (id === undefined) return response.writeHead(202).end();
    if (method === "initialize") {
      const serverInfo = { name: "asker", version: "1" };
      return json({ result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo } });
    }
    if (method === "tools/list") return json({ result: { tools: [] } });
    if (method !== "tools/call") return json({ error: { code: -32601, message: "no" } });
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (message: object) =>
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
    finish = () => {
      send({ id, result: { content: [] } });
      response.end();
    };
    const requestedSchema = { type: "object", properties: { a: { type: "string" } } };
    for (let at = 0; at < questions; at += 1)
      send({ id: `q${at}`, method: "elicitation/create", params: { message: "?", requestedSchema } });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

const toolOf = (name: string) => ({
  name,
  title: null,
  description: null,
  inputSchema: {},
  outputSchema: null,
  annotations: {},
  whole: {},
});

describe("an answer", () => {
  const chunk = new TextEncoder().encode("x".repeat(99));
  const endless = (last: string): Response => {
    const bytes = new TextEncoder().encode(last);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(chunk);
        controller.enqueue(bytes);
      },
    });
    return new Response(body, {
      headers: { "content-type": last === "\n" ? "text/event-stream" : "application/json" },
    });
  };

  it("without an end is given up; a stream without an end is none of those", async () => {
    const whole = boundedFetch(async () => endless("x"), 10_000);
    await expect((await whole("http://here.example/")).text()).rejects.toThrow("more than 0.01 MB");
    const stream = await boundedFetch(async () => endless("\n"), 10_000)("http://here.example/");
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    for (let at = 0; at < 1_000; at += 1) expect((await reader.read()).done).toBe(false);
    await reader.cancel();
    const passed = await boundedFetch(fetch, 10)("data:text/plain,short");
    expect([await passed.text(), passed.url]).toEqual(["short", "data:text/plain,short"]);
  });
});

describe("a tab", () => {
  it("lets no more than some questions wait for a person, and leaving refuses them", async () => {
    await using server = await askingServer(MAX_WAITING + 15);
    const session = sessionAt();
    await session.connect({ kind: "direct", endpoint: server.url });
    expect(session.connection.get().state).toBe("open");
    const refused = Promise.withResolvers<void>();
    const most: number[] = [];
    session.waiting.follow(() => {
      most.push(session.waiting.get().length);
      if (session.waiting.get().length === MAX_WAITING) refused.resolve();
    });
    const made = session.call(call, (link, signal) => link.callTool(toolOf("t"), {}, { signal }));
    await refused.promise;
    for (let turn = 0; turn < 50_000 && server.answers.length < 15; turn += 1)
      await new Promise((next) => setImmediate(next));
    expect(server.answers).toEqual(Array.from({ length: 15 }, () => "refused"));
    for (const { answer } of session.waiting.get()) answer({ action: "decline" });
    expect((await made).reason).toBeNull();
    expect(Math.max(...most)).toBe(MAX_WAITING);
    await session.disconnect();
  });

  it("keeps results for as much as it has room, the newest always", async () => {
    await using on = await strangeKit().listen();
    const session = sessionAt();
    await session.connect({ kind: "direct", endpoint: on.url });
    const text = "x".repeat(MAX_HISTORY_CHARS / 3);
    for (let at = 0; at < 4; at += 1) await session.call(call, async () => ({ result: { text } }));
    expect(session.history.get()).toHaveLength(2);
    await session.call(call, async () => ({ result: { text: text + text + text } }));
    expect(session.history.get()).toHaveLength(1);
    await session.disconnect();
  });

  it("masks a secret that was sent after another took its place", verifies("explorer.masked"), async () => {
    await using on = await strangeKit().listen();
    const session = sessionAt();
    session.credential.set({ token: "first-secret", headers: "X-Own: second-secret" });
    await session.connect({ kind: "direct", endpoint: on.url });
    session.credential.set({ token: 'third"secret', headers: "" });
    expect(session.secrets()).toEqual(
      expect.arrayContaining(["first-secret", "second-secret", 'third"secret']),
    );
    expect(maskText('{"echo":"third\\"secret","token": "short"}', session.secrets())).toBe(
      `{"echo":"${MASK}","token": "${MASK}"}`,
    );
    await session.disconnect();
  });
});

describe("a stream of changes", () => {
  it("that breaks off is opened again, until nobody wants it", async () => {
    await using on = await strangeKit().listen();
    const breaks: (() => void)[] = [];
    const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const breaking: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      if (!String(init?.body).includes('"subscriptions/listen"') || answer.body === null) return answer;
      const reader = answer.body.getReader();
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void breaks.push(() => controller.error(new Error("cut"))),
        async pull(controller) {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: () => reader.cancel(),
      });
      asked[breaks.length - 1]?.resolve();
      return new Response(body, answer);
    };
    const client = new Client({ name: "t", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new StreamableHTTPClientTransport(new URL(on.url), { fetch: breaking }));
    const filter = changingLists(client.getServerCapabilities() as never);
    expect(filter).toEqual({
      toolsListChanged: true,
      resourcesListChanged: true,
      promptsListChanged: true,
    });
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    const stop = await keepListening(client, filter ?? {}, { pause });
    breaks[0]?.();
    await asked[1]?.promise;
    expect([breaks.length, pauses]).toEqual([2, 1]);
    await stop();
    await client.close();
    expect([breaks.length, pauses]).toEqual([2, 1]);
  });

  it("is not asked for where a server tells of none", () => {
    expect(changingLists({ tools: {}, prompts: { listChanged: false } })).toBeNull();
  });
});

it("a mark of direction turns neither a title nor JSON", verifies("explorer.inert"), () => {
  expect(level("safe\u202egnp.exe\u2066")).toBe("safegnp.exe");
  expect(pretty({ a: "\u202e" })).toBe('{\n  "a": "\\u202e"\n}');
});
