/** `openmcp watch` and `openmcp history`: what people read, what scripts read, and how a following one ends. */
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changeLines, fieldWords } from "../../src/cli/format/change.ts";
import { historyText } from "../../src/cli/format/history.ts";
import { createStyle } from "../../src/cli/terminal/style.ts";
import { CatalogClient } from "../../src/client/index.ts";
import type { HistoryOutput, RelayChange } from "../../src/spec/index.ts";
import { type FakeRelay, startFakeRelay } from "../../src/testing/index.ts";
import { type CatalogProcess, startCatalogProcess } from "../server/catalog-process.ts";
import { endOf, runCli, startCli } from "./run-cli.ts";

let catalog: CatalogProcess;
let relay: FakeRelay;
let client: CatalogClient;
let id: string;
const style = createStyle(false);

const tools = (...names: string[]) =>
  names.map((name) => ({ name, description: `The ${name} of it.`, inputSchema: { type: "object" } }));

beforeAll(async () => {
  catalog = await startCatalogProcess(["--db", ":memory:", "--refresh", "off"]);
  relay = await startFakeRelay({ descriptor: { mcp: "/mcp", name: "Board" }, tools: tools("a", "b") });
  client = new CatalogClient(catalog.url);
  id = (await client.register(relay.url)).relay.id;
  relay.update({ descriptor: { mcp: "/mcp", name: "Boards" }, tools: tools("b", "c") });
  await client.refresh(id);
});
afterAll(async () => {
  await client.close();
  await relay.close();
  await catalog[Symbol.asyncDispose]();
});

const openmcp = (...argv: string[]) => runCli([...argv, "--catalog", catalog.url]);

describe("openmcp watch", () => {
  it("says in words what changed", async () => {
    const { code, stdout } = await openmcp("watch", "--since", "start", "--once");
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME")).toBe(
      [
        `TIME  + registered  ${id}`,
        `TIME  ~ updated     ${id}`,
        "    descriptor changed: name",
        "    + 1 tool added: c",
        "    - 1 tool removed: a",
        "",
      ].join("\n"),
    );
  });

  it("gives scripts one object a line, narrowed and from a place", async () => {
    const { stdout } = await openmcp("watch", "--since", "start", "--once", "--json", "--event", "updated");
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RelayChange);
    expect(lines.map(({ seq, event }) => [seq, event])).toEqual([[2, "relay.updated"]]);
    expect((await openmcp("watch", "--since", "2", "--once")).stdout).toBe("");
    expect((await openmcp("watch", "--since", "start", "--once", "--relay", "other.example")).stdout).toBe(
      "",
    );
  });

  it.each([
    [["watch", "--event", "exploded"], 2, "relay.registered"],
    [["watch", "--since", "yesterday"], 2, "start"],
    [["watch", "--since", "99"], 5, "--since start"],
    [["watch", "--transport", "mcp"], 2, "REST"],
  ])("refuses %s", async (argv, code, word) => {
    const ended = await openmcp(...argv);
    expect([ended.code, ended.stdout]).toEqual([code, ""]);
    expect(ended.stderr).toContain(word);
  });

  it("says of a relay that is not listed that it is not", async () => {
    for (const since of [[], ["--since", "start"]]) {
      const { code, stdout, stderr } = await openmcp("watch", "--relay", "unknown", "--once", ...since);
      expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
      expect(stderr).toContain("unknown");
    }
  });

  it("follows as a process, ends by Ctrl-C, and holds up no catalog that stops", async () => {
    const children = [0, 1].map(() => startCli(["watch", "--catalog", catalog.url, "--json"]));
    const ends = children.map(endOf);
    const watching = children.map(async (child) => {
      let said = "";
      while (!said.includes("\n")) {
        const [part] = (await once(child.stdout as NonNullable<typeof child.stdout>, "data")) as [Buffer];
        said += part;
      }
      return JSON.parse(said.slice(0, said.indexOf("\n"))) as RelayChange;
    });
    // They say nothing when they are connected: what changes until both have heard of it is told.
    const stop = new AbortController();
    const changing = (async () => {
      for (let round = 0; !stop.signal.aborted; round += 1) {
        relay.update({ descriptor: { mcp: "/mcp", name: `Boards ${round}` } });
        await client.refresh(id);
      }
    })();
    const heard = await Promise.all(watching);
    stop.abort();
    await changing;
    for (const change of heard) expect(change).toMatchObject({ event: "relay.updated", relay: { id } });
    children[0]?.kill("SIGINT");
    expect((await ends[0])?.code).toBe(130);
    catalog.kill("SIGTERM");
    expect(await catalog.ended).toBe(0);
    children[1]?.kill("SIGTERM");
    expect((await ends[1])?.code).toBe(143);
    catalog = await startCatalogProcess(["--db", ":memory:", "--refresh", "off"]);
    client = new CatalogClient(catalog.url);
    id = (await client.register(relay.url)).relay.id;
  });
});

describe("a change in words", () => {
  const change = (more: Partial<RelayChange>): RelayChange =>
    ({
      seq: 1,
      id: "x",
      event: "relay.updated",
      at: "2026-11-01T00:00:00.000Z",
      relay: { id: "a.example" },
      ...more,
    }) as RelayChange;
  const lines = (more: Partial<RelayChange>) => changeLines(change(more), style).split("\n").slice(1);
  const hash = { from: "sha256:1", to: "sha256:2" };

  it("names renames, parameters and who describes the tools", () => {
    const detail = {
      verified: false,
      toolsFrom: "relay" as const,
      tools: {
        added: [],
        removed: [],
        renamed: [{ from: "x", to: "y", fields: ["/description"], hash }],
        changed: [
          { name: "z", fields: ["/inputSchema/properties/a~1b/type", "/annotations/readOnlyHint", ""], hash },
        ],
      },
    };
    expect(lines({ detail })).toEqual([
      "    is not verified any more",
      "    its tools are described by the relay itself now",
      "    → x is called y now, and changed: description",
      "    ~ z changed: parameter a/b.type, annotations.readOnlyHint, everything",
    ]);
  });

  it("stays short and printable whatever a relay calls its tools", () => {
    const names = Array.from({ length: 500 }, (_, at) => `\u001b[31mt${at}\u202e${"x".repeat(500)}`);
    const tools = { added: names, removed: [], renamed: [], changed: [] };
    const text = lines({ detail: { tools } }).join("\n");
    expect(text.length).toBeLessThan(1_000);
    expect(text).toContain("and 488 more");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that none is there is the point.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(fieldWords(`/${"k".repeat(500)}`).length).toBeLessThan(61);
  });

  it("says why a relay went offline", () => {
    const relay = { id: "a.example", lastError: "It did not\u001b[2J answer." } as never;
    expect(changeLines(change({ event: "relay.offline", relay }), style)).toMatch(
      /✗ offline {5}a\.example {2}It did not answer\.$/,
    );
  });
});

describe("openmcp history", () => {
  it("shows uptime, states and changes of the tools", async () => {
    relay.update({ tools: tools("b", "d") });
    await client.refresh(id);
    const { code, stdout } = await openmcp("history", id);
    expect(code).toBe(0);
    expect(stdout).toContain("24 hours  100 % online, watched for less than a minute");
    expect(stdout).toContain("✓ online");
    expect(stdout).toMatch(/\+ 1 tool added: d/);
    const json = JSON.parse((await openmcp("history", id, "--json")).stdout) as HistoryOutput;
    expect(json).toMatchObject({ relay: id, uptime: { day: 1, week: 1, month: 1 } });
    expect(await openmcp("history", "nobody.example")).toMatchObject({ code: 5 });
  });

  it("draws what is known and what is not, in as many columns as there are", () => {
    const now = Date.UTC(2026, 10, 1, 12);
    const at = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
    const history: HistoryOutput = {
      relay: "a.example",
      uptime: { day: 0.5, week: 0.99999, month: null },
      known: { day: 0.75, week: 1, month: 0 },
      spans: [
        { state: "online", from: at(18), to: at(12) },
        { state: "timeout", from: at(12), to: at(9.25) },
        { state: "online", from: at(9.25), to: at(6) },
        { state: "auth-required", from: at(3), to: null },
      ],
      latency: { hours: [], days: [] },
      toolChanges: [],
    };
    const text = historyText(history, { style, width: 80, now });
    expect(text).toContain("24 hours  50.0 % online, watched for 18 hours");
    expect(text).toContain("7 days    99.99 % online\n");
    expect(text).toContain("30 days   nothing is known");
    expect(text).toContain(
      `last day    ${"·".repeat(12)}${"█".repeat(12)}${"▁".repeat(5)}▄${"█".repeat(6)}${"·".repeat(6)}${"▁".repeat(6)}`,
    );
    expect(text).toContain("✗ auth-required  3 hours, until now");
    for (const line of historyText(history, { style, width: 40, now }).split("\n").slice(6, 8)) {
      expect(line.length).toBeLessThanOrEqual(40);
    }
  });
});
