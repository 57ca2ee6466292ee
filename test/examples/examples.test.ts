/** The examples as strangers run them: a process each, spoken to by official clients of both lines, by hand, and listed by a catalog. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernStdio } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CatalogClient } from "../../src/client/index.ts";
import { openApiToTools } from "../../src/openapi/index.ts";
import { type JsonObject, relayId } from "../../src/spec/index.ts";
import { askLegacy, askModern, clientNames, message, officialClients } from "../kit/kit-fixture.ts";
import { verifies } from "../requirements.ts";
import { type CatalogProcess, startCatalogProcess } from "../server/catalog-process.ts";
import { type ExampleProcess, exampleFile, fromSource, startExample } from "./example-process.ts";
import { KEY, startUpstream, type Upstream } from "./upstream.ts";

const ADA = { authorization: "Bearer t0ken-ada" };
const BOB = { authorization: "Bearer t0ken-bob" };

let upstream: Upstream;
let folder: string;
let catalog: CatalogProcess;
const running = new Map<string, ExampleProcess>();
const urlOf = (name: string) => (running.get(name) as ExampleProcess).url;

beforeAll(async () => {
  upstream = await startUpstream();
  folder = await mkdtemp(join(tmpdir(), "openmcp-examples-"));
  const environments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "greet.ts": {},
    "dice.ts": {},
    "notebook.ts": { NOTEBOOK_USERS: "t0ken-ada:ada:admin, t0ken-bob:bob" },
    "pomodoro.ts": {},
    "weather/index.ts": { WEATHER_KEY: KEY, WEATHER_URL: upstream.url },
  };
  const [started] = await Promise.all([
    startCatalogProcess(["--db", join(folder, "catalog.db")]),
    ...Object.entries(environments).map(async ([file, env]) => {
      running.set(file.replace(/\.ts$|\/index\.ts$/, ""), await startExample(file, env));
    }),
  ]);
  catalog = started;
}, 60_000);
afterAll(async () => {
  for (const example of running.values()) await example[Symbol.asyncDispose]();
  await catalog?.[Symbol.asyncDispose]();
  await upstream?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** What each offers to whoever has no credential, and one call of it. */
const offers = [
  ["greet", ["greet"], "greet", { name: "Ada" }, "Hello, Ada!"],
  ["dice", ["roll"], "roll", { count: 3, sides: 6 }, "total"],
  ["notebook", ["read_notes"], "read_notes", {}, '{"notes":[]}'],
  ["pomodoro", ["start", "stop"], "stop", {}, '"running":false'],
  ["weather", ["current_weather"], "current_weather", { latitude: 52.5, longitude: 13.4 }, '"celsius":21.5'],
] as const;

it("every example is tried here", verifies("example.runs"), async () => {
  const there = (await readdir(join(import.meta.dirname, "../../examples"))).map((name) =>
    name.replace(/\.ts$/, ""),
  );
  expect(there.sort()).toEqual(offers.map(([name]) => name as string).sort());
});

describe.each(offers)("%s", (name, tools, tool, args, answer) => {
  it.each(clientNames)("is called by the official client %s", verifies("example.runs"), async (line) => {
    await using connection = await officialClients[line](urlOf(name));
    const listed = (await connection.client.listTools()).tools as { name: string }[];
    expect(listed.map((one) => one.name)).toEqual(tools);
    const result = await connection.client.callTool({ name: tool, arguments: args });
    expect(result.isError).not.toBe(true);
    expect(result.content[0].text).toContain(answer);
  });

  it("answers who asks by hand, and publishes itself", verifies("example.runs"), async () => {
    const url = urlOf(name);
    const called = await message(
      askModern(url, { method: "tools/call", params: { name: tool, arguments: args } }),
    );
    expect(called.result.content[0].text).toContain(answer);
    expect((await message(askLegacy(url, { method: "tools/list" }))).error).toBeDefined();
    expect((await fetch(url, { method: "POST" })).headers.get("content-type")).toContain("json");
    const { origin } = new URL(url);
    for (const path of [
      "/health",
      "/.well-known/openmcp.json",
      "/mcp/server-card",
      "/.well-known/ai-catalog.json",
    ]) {
      expect((await fetch(`${origin}${path}`)).status, path).toBe(200);
    }
    const document = await (await fetch(`${origin}/mcp/openapi.json`)).json();
    expect(openApiToTools(document as never).map((one) => one.name)).toEqual(tools);
  });

  it(
    "is listed as verified with every tool, and called through the catalog",
    verifies("example.listed"),
    async () => {
      await using client = new CatalogClient(catalog.url);
      await client.register(urlOf(name));
      const relay = await client.get(relayId(urlOf(name)));
      expect(relay).toMatchObject({ online: true, verified: true, toolsFrom: "relay" });
      expect(relay.tools.map((one) => one.name)).toEqual(tools);
      const result = await client.call({
        relay: relayId(urlOf(name)),
        tool,
        arguments: args as JsonObject,
      });
      expect(JSON.stringify(result)).toContain(JSON.stringify(answer).slice(1, -1));
    },
  );
});

describe("dice over stdio", () => {
  const command = { command: process.execPath, args: ["--import", fromSource, exampleFile("dice.ts")] };

  it("asks people of the older protocol", verifies("example.runs"), async () => {
    const client = new LegacyClient({ name: "test", version: "1" }, { capabilities: { elicitation: {} } });
    let action: "accept" | "decline" = "accept";
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      expect(params.message).toBe("How many sides?");
      return action === "accept" ? { action, content: { sides: 2 } } : { action };
    });
    await client.connect(new LegacyStdio(command));
    const rolled = await client.callTool({ name: "roll", arguments: { count: 5 } });
    const { rolls } = rolled.structuredContent as { rolls: number[] };
    expect([rolls.length, rolls.every((roll) => roll === 1 || roll === 2)]).toEqual([5, true]);
    action = "decline";
    expect(await client.callTool({ name: "roll", arguments: {} })).toMatchObject({ isError: true });
    await client.close();
  });

  it("asks people of the newer", verifies("example.runs"), async () => {
    const client = new ModernClient(
      { name: "test", version: "1" },
      { capabilities: { elicitation: {} }, versionNegotiation: { mode: "auto" } },
    );
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { sides: 2 } }));
    await client.connect(new ModernStdio(command));
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    const rolled = (await client.callTool({ name: "roll", arguments: { count: 2 } })) as {
      structuredContent: { total: number };
    };
    expect(rolled.structuredContent.total).toBeLessThan(5);
    await client.close();
  });
});

describe("notebook", () => {
  it("shows each user the own tools and notes", verifies("example.runs"), async () => {
    const url = urlOf("notebook");
    const names = async (headers: Record<string, string>) =>
      (await message(askModern(url, { method: "tools/list", headers }))).result.tools.map(
        (one: { name: string }) => one.name,
      );
    expect(await names(BOB)).toEqual(["read_notes", "add_note"]);
    expect(await names(ADA)).toEqual(["read_notes", "add_note", "clear_notebook"]);
    const call = async (name: string, args: JsonObject, headers = {}) =>
      message(askModern(url, { method: "tools/call", params: { name, arguments: args }, headers }));
    await call("add_note", { text: "of bob" }, BOB);
    await call("add_note", { text: "for all", isPublic: true }, BOB);
    const read = async (headers = {}) =>
      (await call("read_notes", {}, headers)).result.structuredContent.notes.map(
        (one: { text: string }) => one.text,
      );
    expect([await read(BOB), await read(ADA), await read()]).toEqual([
      ["of bob", "for all"],
      ["for all"],
      ["for all"],
    ]);
    // For a guest it is no tool at all.
    const hidden = await call("clear_notebook", {});
    const unknown = await call("clear_nonsense", {});
    expect(JSON.stringify(hidden).replaceAll("clear_notebook", "")).toBe(
      JSON.stringify(unknown).replaceAll("clear_nonsense", ""),
    );
    expect((await call("clear_notebook", {}, ADA)).result.structuredContent).toEqual({ deleted: 2 });
    const wrong = await askModern(url, { method: "tools/list", headers: { authorization: "Bearer wrong" } });
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });
});

describe("pomodoro", () => {
  it(
    "goes on between calls, and tells who subscribed in the older protocol",
    verifies("example.runs"),
    async () => {
      await using connection = await officialClients["1.x"](urlOf("pomodoro"));
      const { client } = connection;
      const told = Promise.withResolvers<string>();
      client.setNotificationHandler(
        ResourceUpdatedNotificationSchema,
        ({ params }: { params: { uri: string } }) => told.resolve(params.uri),
      );
      await client.subscribeResource({ uri: "pomodoro://timer" });
      const started = await client.callTool({ name: "start", arguments: {} });
      expect(started.structuredContent).toMatchObject({ running: true });
      expect(await told.promise).toBe("pomodoro://timer");
      await using other = await officialClients["2.x modern"](urlOf("pomodoro"));
      const read = await other.client.readResource({ uri: "pomodoro://timer" });
      const { running: isRunning, secondsLeft } = JSON.parse(read.contents[0].text);
      expect([isRunning, secondsLeft > 1_000]).toEqual([true, true]);
      expect(
        (await other.client.getPrompt({ name: "plan", arguments: { task: "a letter" } })).messages[0].content
          .text,
      ).toContain("a letter");
    },
  );

  it("ends by itself, and tells who listens in the newer", verifies("example.runs"), async () => {
    await using connection = await officialClients["2.x modern"](urlOf("pomodoro"));
    const { client } = connection;
    const finished = Promise.withResolvers<void>();
    client.setNotificationHandler("notifications/resources/updated", async () => {
      const { contents } = await client.readResource({ uri: "pomodoro://timer" });
      if (JSON.parse(contents[0].text).finished === 1) finished.resolve();
    });
    const subscription = await client.listen({ resourceSubscriptions: ["pomodoro://timer"] });
    await client.callTool({ name: "start", arguments: { minutes: 0.001 } });
    await finished.promise;
    await subscription.close();
  });
});

describe("weather", () => {
  it("keeps its key to itself", verifies("example.key"), async () => {
    const url = urlOf("weather");
    const call = async () =>
      message(
        askModern(url, {
          method: "tools/call",
          params: { name: "current_weather", arguments: { latitude: 1, longitude: 2 } },
        }),
      );
    const texts: string[] = [];
    const answers = [
      null,
      { status: 500, body: KEY },
      { status: 403, body: KEY },
      { status: 302, body: "", location: `http://localhost:1/?key=${KEY}` },
      { status: 200, body: "<html>" },
    ];
    for (const answer of answers) {
      upstream.answer = answer;
      texts.push(JSON.stringify(await call()));
    }
    upstream.answer = null;
    expect(texts.map((text) => text.includes('"isError":true'))).toEqual([false, true, true, true, true]);
    expect(texts[2]).toContain("refuses this server's key");
    for (const path of ["/mcp/openapi.json", "/.well-known/openmcp.json", "/mcp/server-card"]) {
      texts.push(await (await fetch(new URL(path, url))).text());
    }
    texts.push((running.get("weather") as ExampleProcess).output(), ...upstream.asked);
    expect(texts.filter((text) => text.includes(KEY))).toEqual([]);
  });

  it("does not start without one, and says so", verifies("example.key"), async () => {
    const child = spawn(process.execPath, ["--import", fromSource, exampleFile("weather/index.ts")], {
      env: { PATH: process.env.PATH ?? "", PORT: "0" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (part: Buffer) => {
      said += part;
    });
    const [code] = await once(child, "close");
    expect([code, said]).toEqual([1, expect.stringContaining("WEATHER_KEY is not set")]);
  });
});
