/** Every command against a real catalog with real (fake) relays, over both transports, for people and for machines. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { displayWidth } from "../../src/cli/terminal/text-width.ts";
import { CatalogClient } from "../../src/client/index.ts";
import { type JsonObject, relayId } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { json, startFakeCatalog } from "../client/fake-catalog.ts";
import { ADMIN, type Scene, startScene } from "../client/real-catalog.ts";
import { verifies } from "../requirements.ts";
import { type RunOptions, runCli } from "./run-cli.ts";

let scene: Scene;
let weather: string;
let sums: string;
let gated: string;

beforeAll(async () => {
  scene = await startScene();
  [weather, sums, gated] = [scene.weather, scene.sums, scene.gated].map((relay) => relayId(relay.url)) as [
    string,
    string,
    string,
  ];
  await using catalog = new CatalogClient(scene.url);
  for (const relay of [scene.weather, scene.sums, scene.gated]) await catalog.register(relay.url);
  await vi.waitFor(async () => expect((await catalog.find({ q: "weather" })).tools).not.toEqual([]), {
    timeout: 10_000,
  });
});

afterAll(() => scene?.[Symbol.asyncDispose]());

const cli = (argv: readonly string[], options?: RunOptions) =>
  runCli([...argv, "--catalog", scene.url], options);

async function answer(argv: readonly string[], options?: RunOptions) {
  const ended = await cli([...argv, "--json"], options);
  expect(ended.stderr).toBe("");
  return JSON.parse(ended.stdout);
}

async function refusal(argv: readonly string[], options?: RunOptions) {
  const ended = await cli([...argv, "--json"], options);
  expect(ended.stdout).toBe("");
  const error = JSON.parse(ended.stderr);
  expect(error.exitCode).toBe(ended.code);
  return error;
}

describe("relays", () => {
  it(
    "shows online and verified as two facts, with words, and what nobody stated",
    verifies("client.two-facts", "client.absence"),
    async () => {
      const { code, stdout, stderr } = await cli(["relays"]);
      expect(code).toBe(0);
      const [heading, ...lines] = stdout.trimEnd().split("\n");
      expect(heading).toMatch(/^RELAY +ONLINE +VERIFIED +AUTH +TOOLS +NAME$/);
      expect(lines).toHaveLength(3);
      expect(lines[0]).toMatch(/✓ online +✓ verified +none +2 +Weather station$/);
      expect(lines[1]).toMatch(/✓ online +✗ unverified +not stated +1 +fake-relay$/);
      expect(lines[2]).toMatch(/✗ offline +✓ verified +not stated +1 +Gated$/);
      expect(stderr).toContain("3 relays.");
    },
  );

  it("has the same words with and without colour, in wide and narrow terminals", async () => {
    const plain = (await cli(["relays"])).stdout;
    const wide = (await cli(["relays"], { columns: 200 })).stdout;
    expect(wide).not.toBe(plain);
    expect(stripVTControlCharacters(wide)).toBe(plain);
    const narrow = stripVTControlCharacters((await cli(["relays"], { columns: 40 })).stdout);
    expect(narrow).toContain(
      `${weather}\n  Weather station\n  ✓ online · ✓ verified · auth: none\n  2 tools`,
    );
    for (const columns of [40, 72, 100]) {
      const { stdout } = await cli(["relays"], { columns });
      const widest = Math.max(...stripVTControlCharacters(stdout).split("\n").map(displayWidth));
      expect(widest).toBeLessThanOrEqual(columns);
    }
  });

  it("narrows, pages, and exits with 1 when a filter matches nothing", async () => {
    const ids = async (...argv: string[]) =>
      (await answer(["relays", ...argv])).relays.map((relay: { id: string }) => relay.id);
    expect(await ids("weather", "station")).toEqual([weather]);
    expect(await ids("--offline")).toEqual([gated]);
    expect(await ids("--online", "--verified")).toEqual([weather]);
    expect(await ids("--tag", "weather")).toEqual([weather]);
    expect(await ids("--auth", "unknown")).toEqual([sums, gated]);
    expect(await ids("--all", "--limit", "1")).toEqual([weather, sums, gated]);
    const page = await answer(["relays", "--limit", "1"]);
    expect(page).toMatchObject({ total: 3, nextCursor: expect.any(String) });
    expect((await cli(["relays", "--limit", "1"])).stderr).toContain("1 of 3 relays. --all shows the rest.");
    const none = await cli(["relays", "no such words"]);
    expect(none).toMatchObject({ code: 1, stdout: "" });
    expect(none.stderr).toContain("No relay matches.");
    expect(await cli(["relays", "no such words", "--json"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"relays": []'),
    });
  });
});

describe("show and tools", () => {
  it("show a whole record, absence said as absence", verifies("client.absence"), async () => {
    const { code, stdout } = await cli(["show", weather]);
    expect(code).toBe(0);
    for (const words of [
      /Online +✓ online, answered/,
      /Verified +✓ verified by http/,
      /Auth +none/,
      /Operator +https:\/\/people\.example/,
      /Site +not stated/,
      "2 tools, as the relay reports them",
      "forecast(city, days?, detail?)",
    ]) {
      expect(stdout).toMatch(words);
    }
    const other = (await cli(["show", gated])).stdout;
    expect(other).toMatch(/Online +✗ offline, never seen answering/);
    expect(other).toMatch(/Auth +not stated/);
    expect(other).toMatch(/Operator +not stated/);
    expect(other).toMatch(/Why +\S/);
    expect(other).toContain("1 tool, as its descriptor names them");
    expect((await answer(["show", gated])).id).toBe(gated);
  });

  it("explain one tool, with a call to copy", async () => {
    const { stdout } = await cli(["tools", weather, "forecast"]);
    expect(stdout).toMatch(/city +string +required +Its name/);
    expect(stdout).toMatch(/days +integer +optional/);
    expect(stdout).toContain(`openmcp call ${weather} forecast city=…`);
    expect((await answer(["tools", weather, "forecast"])).inputSchema.required).toEqual(["city"]);
    expect((await answer(["tools", weather])).tools).toHaveLength(2);
  });

  it("name what comes near", async () => {
    expect(await refusal(["show", "nobody"])).toMatchObject({ code: "not-found", exitCode: 5 });
    const error = await refusal(["tools", weather, "Fore_cast"]);
    expect(error).toMatchObject({ code: "not-found", data: { near: ["forecast"] } });
    expect(error.error).toContain("Did you mean forecast?");
  });
});

describe("find", () => {
  it("shows where a tool lives, both facts, and how to call it", verifies("client.two-facts"), async () => {
    const { code, stdout } = await cli(["find", "weather", "of", "a", "city"]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `1  forecast  Weather forecast\n   ${weather}  ✓ online · ✓ verified · auth: none\n`,
    );
    expect(stdout).toContain(`openmcp call ${weather} forecast city=…`);
    expect(await cli(["find", "xyzzyplugh"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("No tool fits"),
    });
    expect((await cli(["find", "xyzzyplugh", "--json"])).stdout).toContain('"tools": []');
  });
});

describe("find, right after a relay came", () => {
  it.each([
    [[], "No tool fits so far. 2 relays just listed can't be searched yet: try again in a moment.\n", 1],
    [
      [{ relay: "a.example", name: "forecast", matched: ["weather"], score: 1 }],
      "2 relays just listed can't be searched yet: try again in a moment.\n",
      0,
    ],
  ])("says how many are still to come (%#)", async (tools, note, code) => {
    await using fake = await startFakeCatalog(json({ ok: true, tools, indexing: 2 }));
    const ended = await runCli(["find", "weather", "--catalog", fake.base]);
    expect(ended).toMatchObject({ code, stderr: note });
    const told = await runCli(["find", "weather", "--catalog", fake.base, "--json"]);
    expect(JSON.parse(told.stdout)).toMatchObject({ indexing: 2 });
  });
});

describe("call", () => {
  it.each(["rest", "mcp"])("types words by the schema, over %s", async (transport) => {
    const over = ["--transport", transport];
    const { result } = await answer([
      "call",
      weather,
      "forecast",
      "city=12",
      "days=3",
      "detail.wind=true",
      ...over,
    ]);
    expect(JSON.parse(result.content[0].text)).toEqual({ city: "12", days: 3, detail: { wind: true } });
    expect(result["x-unknown"]).toEqual({ kept: true });
    expect(await cli(["call", weather, "forecast", '{"city":"Bern"}', ...over])).toMatchObject({
      code: 0,
      stdout: '{"city":"Bern"}\n',
    });
    const piped = await cli(["call", weather, "forecast", "-", ...over], { stdin: '{"city":"Biel"}' });
    expect(piped).toMatchObject({ code: 0, stdout: '{"city":"Biel"}\n' });
    expect(await refusal(["call", weather, "forecast", "days=x", ...over])).toMatchObject({
      code: "invalid-input",
      data: { field: "days" },
    });
    expect(await refusal(["call", weather, "forecast", "{bad", ...over])).toMatchObject({
      code: "invalid-input",
      exitCode: 2,
    });
    expect(await refusal(["call", weather, "nothing", ...over])).toMatchObject({
      code: "not-found",
      exitCode: 5,
    });
  });

  it("exits with 1 when the tool says that it failed, and still prints what it said", async () => {
    const { code, stdout, stderr } = await cli(["call", weather, "history"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "no records\n" });
    expect(stderr).toContain("✗ The tool says that it failed");
    expect(stderr).toContain(`\`openmcp tools ${weather} history\` explains its arguments.`);
    expect((await cli(["call", weather, "history", "--json"])).code).toBe(1);
  });

  it(
    "passes the caller's credential on, and says how when it is missing",
    verifies("client.direct"),
    async () => {
      const error = await refusal(["call", gated, "open_vault"]);
      expect(error).toMatchObject({ code: "relay-refused", exitCode: 4 });
      expect(error.cure).toContain("--relay-token");
      const wrong = await refusal(["call", gated, "open_vault", "--relay-token", "not-mine-0815"]);
      expect(wrong.code).toBe("relay-refused");
      expect(JSON.stringify(wrong)).not.toContain("not-mine-0815");
      expect((await cli(["call", gated, "open_vault", "--relay-token", "mine"])).code).toBe(0);
    },
  );
});

describe("add, refresh, rm", () => {
  it("says what became of one URL", async () => {
    const again = await cli(["add", scene.weather.url]);
    expect(again).toMatchObject({
      code: 0,
      stdout: `✓ listed already: ${weather}  ✓ online · ✓ verified · auth: none · 2 tools\n`,
    });
    const silent = await startFakeRelay();
    await silent.close();
    const gone = await cli(["add", silent.url]);
    expect(gone.code).toBe(1);
    expect(gone.stdout).toBe("");
    expect(gone.stderr).toContain("State: unreachable");
    expect(await refusal(["add", silent.url])).toMatchObject({
      code: "not-listed",
      exitCode: 1,
      data: { probe: { state: "unreachable" } },
    });
  });

  it.each(["rest", "mcp"])(
    "works through several and a list, telling each once, over %s",
    async (transport) => {
      await using fresh = await startFakeRelay({ tools: [{ name: "x", inputSchema: {} }] });
      const list = `# mine\n\n${scene.sums.url}\n${scene.weather.url}\nnot a url at all\n`;
      const { code, stdout, stderr } = await cli(
        ["add", fresh.url, "--file", "-", "--transport", transport],
        { stdin: list },
      );
      expect(code).toBe(1);
      expect(stdout).toBe("4 URLs: 1 listed, 2 known already, 1 failed.\n");
      const lines = stderr.trimEnd().split("\n");
      expect(lines).toHaveLength(4);
      const want = transport === "mcp" ? /✓ .* listed( already)? as/ : /✓ .* listed( already)? as/;
      expect(lines.filter((line) => want.test(line))).toHaveLength(3);
      expect(lines.some((line) => line.startsWith("✗ not a url at all  failed: "))).toBe(true);
      const machine = await cli(["add", fresh.url, scene.sums.url, "--json", "--transport", transport]);
      expect(machine.stderr).toBe("");
      expect(JSON.parse(machine.stdout)).toMatchObject({
        total: 2,
        refused: 0,
        failed: 0,
        results: [expect.anything(), expect.anything()],
      });
    },
  );

  it("names a URL of a list once, also when the catalog begins its reason with it", async () => {
    const { stderr } = await cli(["add", "http://127.0.0.1:1/mcp", scene.weather.url]);
    const line = stderr.split("\n").find((line) => line.startsWith("✗"));
    expect(line).toMatch(/^✗ http:\/\/127\.0\.0\.1:1\/mcp {2}not listed: (?!.*:1\/mcp)/);
  });

  it("reads a list from a file", async () => {
    const folder = await mkdtemp(join(tmpdir(), "openmcp-cli-"));
    try {
      await writeFile(join(folder, "list.txt"), `${scene.weather.url}\r\n`);
      expect((await cli(["add", "--file", join(folder, "list.txt")])).stdout).toBe(
        "1 URL: 0 listed, 1 known already.\n",
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("looks again, and says what changed", async () => {
    expect((await cli(["refresh", weather])).stdout).toBe(
      `${weather}  ✓ online · ✓ verified · auth: none · 2 tools\n  no change\n`,
    );
    expect(await cli(["refresh", gated])).toMatchObject({ code: 1 });
  });

  it("removes only with the admin's token, and only over REST", async () => {
    await using short = await startFakeRelay({ tools: [] });
    const id = relayId(short.url);
    await cli(["add", short.url]);
    expect(await refusal(["rm", id])).toMatchObject({
      code: "unauthorized",
      exitCode: 4,
      cure: expect.stringContaining("OPENMCP_TOKEN"),
    });
    expect(await refusal(["rm", id, "--token", "wrong"])).toMatchObject({ code: "unauthorized" });
    expect(await refusal(["rm", id, "--token", ADMIN, "--transport", "mcp"])).toMatchObject({
      code: "unsupported-transport",
      exitCode: 2,
      cure: expect.stringContaining("REST"),
    });
    expect(await cli(["rm", id, "--token", ADMIN])).toMatchObject({ code: 0, stdout: `✓ removed ${id}\n` });
    expect(await refusal(["show", id])).toMatchObject({ code: "not-found" });
  });
});

describe("probe and descriptor need no catalog", () => {
  it("say what a catalog would list, step by step", async () => {
    const listed = await runCli(["probe", scene.weather.url]);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain("✓ A catalog would list it.");
    expect(listed.stdout).toMatch(/Online +✓ online\n +Verified +✓ verified by/);
    expect(listed.stderr).toMatch(/✓ GET http.*openmcp\.json {2}200, \d+ ms/);
    const refused = await startFakeRelay();
    await refused.close();
    const gone = await runCli(["probe", refused.url, "--json"]);
    expect(gone.code).toBe(1);
    expect(JSON.parse(gone.stdout)).toMatchObject({
      listed: false,
      state: "unreachable",
      online: false,
      verified: false,
    });
    const gatedOne = await runCli(["probe", scene.gated.url, "--json"]);
    expect(gatedOne.code).toBe(0);
    expect(JSON.parse(gatedOne.stdout)).toMatchObject({
      listed: true,
      state: "auth-required",
      verified: true,
    });
  });

  it("say to a relay who asks", async () => {
    await using relay = await startFakeRelay();
    expect((await runCli(["probe", relay.url])).code).toBe(0);
    const names = new Set(relay.requests.map(({ headers }) => headers["user-agent"]));
    expect([...names]).toEqual([`openmcp/${packageJson.version} (probe)`]);
  });

  it("refuse a private network that was not named", async () => {
    const ended = await runCli(["probe", "http://10.255.255.1/mcp", "--json"]);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toMatchObject({ listed: false, state: "blocked" });
  });

  it("write a descriptor that a catalog reads, and remark on what is missing", async () => {
    const bare = await runCli(["descriptor", scene.sums.url]);
    expect(bare.code).toBe(0);
    expect(JSON.parse(bare.stdout)).toEqual({
      openmcp: "0.1",
      mcp: scene.sums.url,
      name: "fake-relay",
      url: new URL(scene.sums.url).origin,
      auth: { kind: "none" },
      tools: ["add"],
    });
    expect(bare.stderr).toContain('"operator" is not stated');
    expect(bare.stderr).toContain('"auth" says none because');
    await using relay = await startFakeRelay({
      descriptor: bare.stdout.replaceAll(scene.sums.origin, "http://127.0.0.1:1"),
    });
    relay.update({ descriptor: { ...JSON.parse(bare.stdout), mcp: "/mcp" } });
    expect(JSON.parse((await runCli(["probe", relay.url, "--json"])).stdout)).toMatchObject({
      verified: true,
    });
  });

  it("keep what the relay serves already, unknown keys too", async () => {
    await using relay = await startFakeRelay({
      descriptor: { mcp: "/mcp", name: "Mine", "x-own": [1], tags: ["a"] },
    });
    const { stdout, stderr } = await runCli(["descriptor", relay.url]);
    expect(JSON.parse(stdout)).toMatchObject({
      mcp: "/mcp",
      name: "Mine",
      "x-own": [1],
      tags: ["a"],
      openmcp: "0.1",
    });
    expect(stderr).toContain("is served already");
    expect(stderr).not.toContain('"tags" are missing');
  });

  it("claim no kind of access from silence, and no server where none answers", async () => {
    await using walled = await startFakeRelay({ token: "t" });
    const gatedOne = await runCli(["descriptor", walled.url]);
    expect(gatedOne.code).toBe(0);
    expect(JSON.parse(gatedOne.stdout).auth).toEqual({ kind: expect.stringMatching(/^(bearer|oauth)$/) });
    await walled.close();
    const gone = await runCli(["descriptor", walled.url]);
    expect(gone.code).toBe(1);
    expect(JSON.parse(gone.stdout)).not.toHaveProperty("auth");
    expect(gone.stderr).toContain("not online (unreachable)");
  });
});

describe("text from hostile relays", () => {
  const ESC = "\u001b";
  const evil = `${ESC}[2J${ESC}]0;owned\u0007Evil\u202e\r\nlive\u009b31m`;

  it("never reaches the terminal as it is, in any command, and stays whole in JSON", async () => {
    await using relay = await startFakeRelay({
      descriptor: {
        mcp: "/mcp",
        name: evil,
        description: evil,
        tags: [evil],
        auth: { kind: "bearer", open: [evil] },
      },
      serverInfo: { name: evil, version: evil },
      tools: [
        {
          name: `peek${ESC}[31m`,
          title: evil,
          description: `${evil} spelunking`,
          inputSchema: {
            type: "object",
            properties: { [`k${ESC}[1m`]: { type: evil, description: evil } },
            required: [`k${ESC}[1m`],
          },
        },
      ],
      onCall: (): JsonObject => ({
        content: [
          { type: "text", text: evil },
          { type: evil },
          { type: "image", mimeType: evil, data: "AAAA" },
        ],
        structuredContent: { a: evil },
      }),
    });
    const id = relayId(relay.url);
    await cli(["add", relay.url]);
    await expect
      .poll(async () => (await answer(["find", "spelunking"]).catch(() => ({ tools: [] }))).tools.length)
      .toBe(1);
    const runs = [
      ["add", relay.url],
      ["relays"],
      ["show", id],
      ["tools", id],
      ["tools", id, `peek${ESC}[31m`],
      ["find", "spelunking"],
      ["call", id, `peek${ESC}[31m`, "{}"],
      ["refresh", id],
      ["probe", relay.url],
      ["descriptor", relay.url],
    ];
    for (const argv of runs) {
      for (const columns of [40, 100]) {
        const { stdout, stderr } = await cli(argv, { columns, env: { NO_COLOR: "1" } });
        const text = stdout + stderr.replaceAll(`\r${ESC}[2K`, "");
        expect(
          [...text].filter((char) => /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(char) && char !== "\n"),
          argv.join(" "),
        ).toEqual([]);
      }
      const { stdout } = await cli([...argv, "--json"]);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what must not be there.
      expect(stdout, argv.join(" ")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(() => JSON.parse(stdout)).not.toThrow();
    }
    expect((await answer(["show", id])).descriptor.name).toBe(evil);
    await cli(["rm", id, "--token", ADMIN]);
  });
});
