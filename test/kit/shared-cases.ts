/** What two instances of a relay do as one, whatever they share: run over memory here, and over databases in processes of their own. */
import assert from "node:assert/strict";
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Instance } from "./instances.ts";
import { askLegacy, type Headers, message, openSession } from "./kit-fixture.ts";
import { startRoundRobin } from "./round-robin.ts";

export interface SharedCase {
  readonly name: string;
  /** Gets the endpoints of two instances. */
  run(a: string, b: string): Promise<void>;
}

const CAPABILITIES = { elicitation: {}, sampling: {} };
const answered = { action: "accept" as const, content: { name: "Ada" } };
const said = { model: "m", role: "assistant" as const, content: { type: "text" as const, text: "word" } };

/** Clients of both lines that answer what they are asked, in a session. */
const clients = {
  async "1.x"(url: string) {
    const client = new LegacyClient({ name: "line 1", version: "1" }, { capabilities: CAPABILITIES });
    client.setRequestHandler(ElicitRequestSchema, () => answered);
    client.setRequestHandler(CreateMessageRequestSchema, () => said);
    const transport = new LegacyTransport(new URL(url));
    await client.connect(transport as never);
    return { client, transport };
  },
  async "2.x"(url: string) {
    const client = new ModernClient({ name: "line 2", version: "1" }, {
      capabilities: CAPABILITIES,
      versionNegotiation: { mode: "legacy" },
    } as never);
    client.setRequestHandler("elicitation/create", () => answered as never);
    client.setRequestHandler("sampling/createMessage", () => said as never);
    const transport = new ModernTransport(new URL(url));
    await client.connect(transport);
    return { client, transport };
  },
};

// biome-ignore lint/suspicious/noExplicitAny: a result of either line.
const textOf = (result: any): string => result.content[0].text;

export const call = (
  url: string,
  headers: Headers,
  name: string,
  args: Record<string, string> = {},
  id = 7,
) => askLegacy(url, { method: "tools/call", params: { name, arguments: args }, headers, id });

/** The messages of a stream, one after another. */
export function streamOf(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  return {
    /** The next event that says something: its id, and its message. */
    // biome-ignore lint/suspicious/noExplicitAny: messages of every shape.
    async next(): Promise<{ readonly id: string | undefined; readonly message: any }> {
      for (;;) {
        const end = buffer.indexOf("\n\n");
        if (end >= 0) {
          const event = buffer.slice(0, end);
          buffer = buffer.slice(end + 2);
          const data = /^data: (.+)$/m.exec(event)?.[1];
          const id = /^id: (.*)$/m.exec(event)?.[1];
          if (data !== undefined) return { id, message: JSON.parse(data) };
          continue;
        }
        const { done, value } = await reader.read();
        if (done) throw new Error("the stream has ended");
        buffer += decoder.decode(value, { stream: true });
      }
    },
    cancel: () => reader.cancel(),
  };
}

export const listen = async (url: string, headers: Headers) => {
  const response = await fetch(url, { headers: { ...headers, accept: "text/event-stream" } });
  assert.equal(response.status, 200);
  return streamOf(response);
};

export const sharedCases: readonly SharedCase[] = [
  ...(["1.x", "2.x"] as const).map((line) => ({
    name: `are one to the official client ${line} behind a round-robin: capabilities, state, and what it is asked`,
    async run(a: string, b: string) {
      await using proxy = await startRoundRobin([a, b]);
      const { client, transport } = await clients[line](proxy.url);
      const whos = [];
      for (let count = 1; count <= 4; count += 1) {
        whos.push(JSON.parse(textOf(await client.callTool({ name: "who", arguments: {} }))));
      }
      assert.deepEqual(new Set(whos.map(({ name }) => name)), new Set(["A", "B"]));
      assert.deepEqual(
        whos.map(({ count, client: own, elicits }) => [count, own, elicits]),
        [1, 2, 3, 4].map((count) => [count, `line ${line[0]}`, true]),
      );
      for (let times = 0; times < 4; times += 1) {
        assert.equal(JSON.parse(textOf(await client.callTool({ name: "ask", arguments: {} }))).answer, "Ada");
        assert.equal(
          JSON.parse(textOf(await client.callTool({ name: "sample", arguments: {} }))).said,
          "word",
        );
      }
      // Both at once: each instance counts its own requests from 0.
      const both = await Promise.all([0, 1, 2, 3].map(() => client.callTool({ name: "ask", arguments: {} })));
      assert.deepEqual(
        both.map((result) => JSON.parse(textOf(result)).answer),
        ["Ada", "Ada", "Ada", "Ada"],
      );
      const crossed = proxy.log.filter(
        (entry, index) => entry.startsWith("POST answer") && !proxy.log[index - 1]?.endsWith(entry.slice(-1)),
      );
      assert.ok(crossed.length > 0, proxy.log.join(", "));
      await transport.terminateSession();
      await client.close();
      await assert.rejects(
        message(call(a, { "mcp-session-id": transport.sessionId ?? "gone" }, "who")).then(({ error }) => {
          if (error !== undefined) throw new Error(error.message);
        }),
      );
    },
  })),
  {
    name: "bring what one raises to the stream at the other, once",
    async run(a, b) {
      const headers = await openSession(a);
      const stream = await listen(b, headers);
      const set = (url: string, method: string, params: Record<string, string>) =>
        message(askLegacy(url, { method, params, headers }));
      /** What is set at one holds at the other a moment later: until `how` is heard before the other, or no more. */
      async function settled(url: string, how: string, heard: boolean): Promise<void> {
        for (let attempt = 0; attempt < 200; attempt += 1) {
          await message(call(url, headers, "change", { how }));
          await message(call(url, headers, "change", { how: how === "log" ? "own" : "log" }));
          const { message: first } = await stream.next();
          const came =
            first.method === (how === "log" ? "notifications/message" : "notifications/resources/updated");
          if (came) await stream.next();
          if (came === heard) return;
        }
        assert.fail(`${how} is ${heard ? "never" : "still"} heard`);
      }
      await set(a, "resources/subscribe", { uri: "note://one" });
      await settled(a, "kit", true);
      for (const [url, how] of [
        [a, "kit"],
        [b, "kit"],
        [a, "own"],
        [b, "own"],
      ] as const) {
        await message(call(url, headers, "change", { how }));
        const { message: told } = await stream.next();
        assert.deepEqual([told.method, told.params.uri], ["notifications/resources/updated", "note://one"]);
      }
      await message(call(a, headers, "change", { how: "log" }));
      assert.equal((await stream.next()).message.params.data, "A");
      await set(b, "logging/setLevel", { level: "error" });
      await settled(a, "log", false);
      await set(a, "logging/setLevel", { level: "info" });
      await settled(b, "log", true);
      await set(a, "resources/unsubscribe", { uri: "note://one" });
      await settled(a, "kit", false);
      await stream.cancel();
    },
  },
  {
    name: "move the stream to where it was opened last",
    async run(a, b) {
      const headers = await openSession(a);
      await message(askLegacy(b, { method: "resources/subscribe", params: { uri: "note://one" }, headers }));
      const first = await listen(a, headers);
      const second = await listen(b, headers);
      await assert.rejects(first.next(), /ended/);
      await message(call(a, headers, "change", { how: "kit" }));
      assert.equal((await second.next()).message.method, "notifications/resources/updated");
      await second.cancel();
    },
  },
  {
    name: "cancel at one what runs at the other",
    async run(a, b) {
      const headers = await openSession(a);
      const running = streamOf(await call(b, headers, "wait", {}, 42));
      assert.equal((await running.next()).message.params.data, "it waits");
      const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 42 } };
      const told = await fetch(a, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify(cancel),
      });
      assert.equal(told.status, 202);
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const { count } = JSON.parse(textOf((await message(call(a, headers, "who"))).result));
        if (count > 1_000) return;
      }
      assert.fail("the call was not cancelled");
    },
  },
  {
    name: "end a session at both, and know whose it is",
    async run(a, b) {
      for (const [one, other] of [
        [a, b],
        [b, a],
      ] as const) {
        const headers = await openSession(one, { "x-user": "ann" });
        const stranger = { ...headers, "x-user": "bo" };
        assert.equal((await call(other, stranger, "who")).status, 403);
        assert.equal((await call(other, headers, "who")).status, 200);
        assert.equal((await fetch(other, { method: "DELETE", headers })).status, 200);
        assert.equal((await call(other, headers, "who")).status, 404);
        for (let attempt = 0; attempt < 200; attempt += 1) {
          if ((await call(one, headers, "who")).status === 404) break;
          assert.ok(attempt < 199, "the session goes on at the other");
        }
      }
    },
  },
];

export interface ProcessCase {
  readonly name: string;
  /** Gets two instances that keep what they streamed; the first one may be killed. */
  run(a: Instance, b: Instance): Promise<void>;
}

export const processCases: readonly ProcessCase[] = [
  {
    name: "lose nothing but the calls of the one that is killed",
    async run(a, b) {
      await using proxy = await startRoundRobin([a.url, b.url]);
      const { client } = await clients["2.x"](proxy.url);
      const session = { "mcp-session-id": (client.transport as ModernTransport).sessionId as string };
      const running = streamOf(await call(a.url, session, "wait", {}, 99));
      await running.next();
      await client.callTool({ name: "who", arguments: {} });
      await a.kill();
      proxy.use([b.url]);
      await assert.rejects(running.next());
      const who = JSON.parse(textOf(await client.callTool({ name: "who", arguments: {} })));
      assert.deepEqual([who.name, who.count, who.elicits], ["B", 2, true]);
      assert.equal(JSON.parse(textOf(await client.callTool({ name: "ask", arguments: {} }))).answer, "Ada");
      await client.close();
    },
  },
  {
    name: "give what a broken stream did not bring to who takes it up at the other",
    async run(a, b) {
      const headers = { ...(await openSession(a.url)), "mcp-protocol-version": "2025-11-25" };
      // A call's stream.
      const steps = streamOf(await call(a.url, headers, "steps"));
      const first = await steps.next();
      assert.equal(first.message.params.data, "one");
      await steps.cancel();
      const rest: string[] = [];
      let last = first.id as string;
      // The other closes when it has told what there is: a client asks again until it has its answer.
      for (let attempt = 0; attempt < 100 && !rest.includes("done"); attempt += 1) {
        const again = await listen(b.url, { ...headers, "last-event-id": last });
        for (;;) {
          const event = await again.next().catch(() => null);
          if (event === null) break;
          last = event.id as string;
          rest.push(event.message.params?.data ?? textOf(event.message.result));
        }
      }
      assert.deepEqual(rest, ["two", "three", "done"]);
      // The stream of the session.
      await message(
        askLegacy(a.url, { method: "resources/subscribe", params: { uri: "note://one" }, headers }),
      );
      const own = await listen(a.url, headers);
      await message(call(b.url, headers, "change", { how: "kit" }));
      const heard = await own.next();
      await own.cancel();
      await message(call(a.url, headers, "change", { how: "own" }));
      const moved = await listen(b.url, { ...headers, "last-event-id": heard.id as string });
      assert.equal((await moved.next()).message.params.uri, "note://one");
      await moved.cancel();
      // Another session's events are not told.
      const stranger = { ...(await openSession(b.url)), "mcp-protocol-version": "2025-11-25" };
      const refused = await fetch(b.url, {
        headers: { ...stranger, accept: "text/event-stream", "last-event-id": first.id as string },
      });
      assert.equal(refused.status, 400);
    },
  },
];
