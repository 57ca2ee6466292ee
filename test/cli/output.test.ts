/**
 * What each command prints, as a person and a script see it, in a file of text each: a change of words, columns or colours shows
 * there. The catalog and the relays are real; the clock stands still, and what is random or differs by run has a name in its place.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { displayWidth } from "../../src/cli/terminal/text-width.ts";
import { CatalogClient } from "../../src/client/index.ts";
import { parseServeOptions, startCatalog } from "../../src/server/index.ts";
import { relayId } from "../../src/spec/index.ts";
import { startFakeRelay } from "../../src/testing/index.ts";
import { ADMIN, type Scene, startScene } from "../client/real-catalog.ts";
import { endOf, type RunOptions, runCli, startCli } from "./run-cli.ts";

const NOW = Date.parse("2026-09-12T12:00:00.000Z");
const WIDTHS = [60, 80, 120] as const;

let scene: Scene;
let other: Awaited<ReturnType<typeof startCatalog>>;
let folder: string;
/** Each with a name of the same length, so that columns stay where they are. */
const names = new Map<string, string>();
const port = (url: string) => new URL(url).port;

beforeAll(async () => {
  // The catalog is in this process, and lives by the same clock.
  vi.useFakeTimers({ toFake: ["Date"], now: NOW - 3 * 60 * 60 * 1_000 });
  folder = await mkdtemp(join(tmpdir(), "openmcp-output-"));
  await mkdir(join(folder, "home"));
  scene = await startScene();
  other = await startCatalog(
    parseServeOptions({ port: 0, db: ":memory:", refresh: "off", logLevel: "silent" }),
  );
  await using catalog = new CatalogClient(scene.url);
  const relays = [scene.weather, scene.sums, scene.gated];
  for (const [at, { url }] of relays.entries()) {
    await catalog.register(url);
    names.set(port(url), String(11_111 * (at + 1)));
  }
  names.set(port(scene.url), "88888");
  names.set(port(other.url), "99999");
  vi.setSystemTime(NOW);
});

afterAll(async () => {
  vi.useRealTimers();
  await scene?.[Symbol.asyncDispose]();
  await other?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Told the same at every run. */
function settled(text: string): string {
  const ids = new Map<string, string>();
  return (
    [...names]
      .reduce((told, [is, called]) => told.replaceAll(is, called), text)
      .replaceAll(relative(process.cwd(), folder), "../folder")
      .replaceAll(folder, "/tmp/folder")
      .replaceAll(process.execPath, "/usr/bin/node")
      .replaceAll(join(import.meta.dirname, "../.."), "/opt/openmcp")
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
        if (!ids.has(id)) ids.set(id, `00000000-0000-4000-8000-00000000000${ids.size + 1}`);
        return ids.get(id) as string;
      })
      .replace(/(?<=Secret {2}|explorer\/)\S{20,}|(?<=:\d+\/)[\w-]{20,}(?=\/explorer)/g, "…")
      .replace(/\b\d+ ms\b/g, "5 ms")
      .replace(/(?<=\bin )\d+(?:\.\d+)? m?s\b/g, "5 ms")
      .replace(/\b\d\.\d MiB/g, "0.3 MiB")
      // Whatever was free.
      .replace(/(?<=127\.0\.0\.1:)(?!(\d)\1{4})\d{5}\b/g, "66666")
  );
}

interface Case {
  readonly argv: readonly string[];
  readonly options?: RunOptions;
  /** On terminals of several widths too. */
  readonly wide?: true;
  /** The same for machines; not where asking twice is another thing. */
  readonly json?: true;
}

const cli = (argv: readonly string[], options: RunOptions = {}) =>
  runCli([...argv, "--catalog", scene.url], {
    ...options,
    env: { HOME: join(folder, "home"), PATH: process.env.PATH ?? "", ...options.env },
  });

const marked = (text: string) => text.replace(/^(?=.)/gm, "! ");

async function shown(cases: readonly Case[]): Promise<string> {
  const parts: string[] = [];
  for (const { argv, options, wide, json } of cases) {
    const line = `$ openmcp ${argv.map((word) => (/[\s"']/.test(word) ? `'${word}'` : word)).join(" ")}`;
    const { code, stdout, stderr } = await cli(argv, options);
    expect(stdout + stderr, "colour where there is no terminal").not.toContain("\u001b");
    parts.push(`${line}\n${stdout}${marked(stderr)}[${code}]\n`);
    const same: number[] = [];
    for (const columns of wide === true ? WIDTHS : []) {
      const drawn = await cli(argv, { ...options, columns });
      expect(drawn.stdout, "colour on a terminal").toContain("\u001b");
      const text = stripVTControlCharacters(drawn.stdout);
      expect((await cli([...argv, "--no-color"], { ...options, columns })).stdout).toBe(text);
      // A call to copy, an address, a path and an id are worth nothing when they are cut; a terminal goes on below.
      const prose = text
        .split("\n")
        .filter((row) => !/openmcp call|https?:\/\/|\w\/\w|[0-9a-f]{8}-/.test(row));
      if (columns >= 80) expect(prose.filter((row) => displayWidth(row) > columns)).toEqual([]);
      if (text === stdout) same.push(columns);
      else parts.push(`${line}   # ${columns} columns\n${text}`);
    }
    if (same.length > 0) parts.push(`# the same in ${same.join(", ")} columns\n`);
    if (json === true)
      await machineReadable([...argv, "--json"], { code, ...(options === undefined ? {} : { options }) });
  }
  return settled(parts.join("\n"));
}

/** One document or one a line on standard output, or an error on the other: never words, and the same exit code. */
async function machineReadable(
  argv: readonly string[],
  { code, options }: { readonly code: number; readonly options?: RunOptions },
): Promise<void> {
  const ended = await cli(argv, options);
  expect({ argv, code: ended.code }).toEqual({ argv, code });
  const documents = ended.stdout.startsWith("{\n")
    ? [ended.stdout]
    : ended.stdout.split("\n").filter(Boolean);
  for (const document of documents) expect(JSON.parse(document)).toBeTypeOf("object");
  if (ended.stderr !== "") {
    expect(documents).toEqual([]);
    expect(JSON.parse(ended.stderr)).toMatchObject({ ok: false, exitCode: code, error: expect.any(String) });
  }
}

const kept = (name: string) => join(import.meta.dirname, "__snapshots__", "output", `${name}.txt`);
const told = new Set<string>();
const prints = (name: string, cases: () => readonly Case[] | Promise<readonly Case[]>) => {
  told.add(name);
  it(name, async () => {
    await expect(await shown(await cases())).toMatchFileSnapshot(kept(name));
  });
};
const pure = (...argv: readonly string[]): Case => ({ argv, json: true });
const drawn = (...argv: readonly string[]): Case => ({ argv, json: true, wide: true });
const once = (...argv: readonly string[]): Case => ({ argv });
const admin = (...argv: readonly string[]): Case => ({ argv: [...argv, "--token", ADMIN] });

const weather = () => relayId(scene.weather.url);
const sums = () => relayId(scene.sums.url);
const gated = () => relayId(scene.gated.url);
const file = (name: string) => join(folder, name);

describe("what each command prints", () => {
  prints("find", async () => {
    await using catalog = new CatalogClient(scene.url);
    await vi.waitFor(async () => expect((await catalog.find({ q: "weather" })).tools).toHaveLength(2), {
      timeout: 10_000,
    });
    return [drawn("find", "weather", "of", "a", "city"), pure("find", "xyzzyplugh")];
  });

  prints("call", () => [
    pure("call", weather(), "forecast", "city=Bern", "days=3"),
    pure("call", weather(), "history"),
    pure("call", weather(), "forecast", "days=x"),
    pure("call", weather(), "forecast", "{bad"),
    pure("call", weather(), "nothing"),
    pure("call", gated(), "open_vault"),
    pure("call", "nobody.example", "x"),
  ]);

  prints("relays", () => [
    drawn("relays"),
    pure("relays", "--limit", "1"),
    pure("relays", "no such words"),
    pure("relays", "--onlin"),
  ]);

  prints("show", () => [drawn("show", weather()), drawn("show", gated()), pure("show", "nobody.example")]);

  prints("tools", () => [
    drawn("tools", weather()),
    drawn("tools", weather(), "forecast"),
    pure("tools", weather(), "fore"),
  ]);

  prints("watch", () => [
    drawn("watch", "--since", "start", "--once"),
    pure("watch", "--since", "999", "--once"),
    pure("watch", "--relay", "nobody.example", "--once"),
    { argv: ["watch"], options: { interruptAt: /Ctrl-C ends it/ } },
  ]);

  prints("history", () => [drawn("history", weather()), pure("history", "nobody.example")]);

  prints("add", async () => {
    const fresh = await startFakeRelay({ tools: [{ name: "x", inputSchema: {} }] });
    names.set(port(fresh.url), "44444");
    const silent = await startFakeRelay();
    await silent.close();
    names.set(port(silent.url), "55555");
    return [
      once("add", fresh.url),
      once("add", fresh.url),
      pure("add", silent.url),
      once("add", scene.weather.url, silent.url),
      pure("add"),
      pure("add", "ftp://files.example"),
    ];
  });

  prints("refresh", () => [
    once("refresh", weather()),
    once("refresh", gated()),
    pure("refresh", "nobody.example"),
  ]);

  prints("rm", () => [
    pure("rm", weather()),
    { argv: ["rm", "nobody.example", "--token", ADMIN], json: true },
    admin("rm", weather()),
    once("add", scene.weather.url),
  ]);

  prints("peer", () => [
    pure("peer", "list"),
    pure("peer", "add", other.url),
    admin("peer", "add", other.url),
    admin("peer", "sync"),
    drawn("peer", "list"),
    admin("peer", "rm", other.url),
    admin("peer", "rm", other.url),
  ]);

  prints("import", async () => {
    await writeFile(file("list.txt"), `${scene.weather.url}\nhttp://127.0.0.1:1/\n`);
    await writeFile(file("mcp.json"), JSON.stringify({ mcpServers: { files: { command: "files" } } }));
    return [
      { argv: ["import", "list", "--token", ADMIN], json: true },
      admin("import", "file", file("list.txt")),
      { argv: ["import", "list", "--token", ADMIN], json: true, wide: true },
      { argv: ["import", "show", "nothing", "--token", ADMIN], json: true },
      { argv: ["import", "file", file("mcp.json"), "--token", ADMIN], json: true },
      pure("import", "file", file("list.txt")),
      pure("import", "regstry"),
    ];
  });

  prints("export", () => [
    pure("export", "--format", "vscode", weather()),
    once("export", "--format", "ai-catalog", "--out", file("catalog.json")),
    pure("export", "--format", "vscode", "--tag", "nothing"),
    pure("export"),
  ]);

  prints("webhook", async () => {
    await writeFile(file("body.json"), "{}");
    await using catalog = new CatalogClient(scene.url);
    const { webhook } = await catalog.subscribe({ url: "http://127.0.0.1:9999/hook" });
    return [
      once("webhook", "add", "http://127.0.0.1:9999/hook", "--event", "relay.offline"),
      drawn("webhook", "show", webhook.id),
      pure("webhook", "show", "nothing"),
      pure("webhook", "add", "nothing"),
      pure("webhook", "verify", file("body.json"), "--signature", "sha256=0", "--secret", "s"),
      once("webhook", "rm", webhook.id),
      { argv: ["webhook", "listen"], options: { interruptAt: /Subscribed as/ } },
      pure("webhook"),
    ];
  });

  prints("backup", () => [
    pure("backup", file("copy.db")),
    admin("backup", file("copy.db")),
    once("backup", "--db", file("copy.db"), file("second.db")),
    pure("backup", "--db", file("nothing.db"), file("second.db")),
  ]);

  prints("restore", async () => {
    await cli(["backup", file("kept.db"), "--token", ADMIN]);
    return [
      once("restore", "--db", file("live.db"), file("kept.db")),
      once("restore", "--db", file("live.db"), file("kept.db")),
      pure("restore", file("nothing.db")),
      { argv: ["restore", file("kept.db"), "--token", ADMIN], json: true },
    ];
  });

  prints("probe", () => [
    drawn("probe", scene.weather.url),
    drawn("probe", scene.gated.url),
    pure("probe", "http://127.0.0.1:1/mcp"),
  ]);

  prints("inspect", () => [
    { argv: ["inspect", weather()], options: { interruptAt: /Ctrl-C ends it/ } },
    pure("inspect", "nobody.example"),
  ]);

  prints("discover", () => [drawn("discover", scene.weather.url), pure("discover", "http://127.0.0.1:1/")]);

  prints("descriptor", () => [pure("descriptor", scene.weather.url), pure("descriptor", scene.sums.url)]);

  prints("openapi", () => [
    pure("openapi", "print", weather()),
    pure("openapi", "print", "nobody.example"),
    pure("openapi"),
  ]);

  prints("lint", async () => {
    await writeFile(file("openmcp.json"), '{ "openmcp": "0.1", "mcp": "/mcp" }');
    await writeFile(file("wrong.json"), '{ "openmcp": 1 }');
    return [
      drawn("lint", file("openmcp.json"), file("wrong.json")),
      pure("lint", file("nothing.json")),
      pure("lint"),
    ];
  });

  prints("install", () => [
    drawn("install", weather(), "--client", "cursor,claude-desktop", "--dry-run"),
    once("install", weather(), "--client", "cursor"),
    pure("install", weather(), "--client", "cursor"),
    pure("install", "nobody.example", "--client", "cursor"),
    pure("install", weather(), "--client", "notepad"),
    pure("install", weather()),
  ]);

  prints("doctor", async () => {
    await cli(["install", weather(), "--client", "cursor"]);
    return [drawn("doctor"), pure("doctor", "nothing", "--client", "cursor")];
  });

  prints("logs", async () => {
    const logs = join(folder, "home", ".config/Claude/logs");
    await mkdir(logs, { recursive: true });
    await writeFile(join(logs, "mcp-server-weather.log"), "one\ntwo\nthree\n");
    return [once("logs", "weather", "--lines", "2"), pure("logs", "nothing")];
  });

  prints("uninstall", () => [
    drawn("uninstall", weather(), "--client", "cursor", "--dry-run"),
    once("uninstall", weather(), "--client", "cursor"),
    pure("uninstall", weather(), "--client", "cursor"),
  ]);

  prints("connect", () => [once("connect", weather()), pure("connect", "nobody.example")]);

  // What it writes is packed and installed by test/package.
  prints("new", async () => {
    await mkdir(file("taken"));
    await writeFile(join(file("taken"), "mine.txt"), "mine");
    return [pure("new", file("taken")), pure("new", file("Not a name"))];
  });

  prints("diff", async () => {
    const tools = (required: string[]) =>
      JSON.stringify({ tools: [{ name: "a", inputSchema: { type: "object", required } }] });
    await writeFile(file("before.json"), tools([]));
    await writeFile(file("after.json"), tools(["city"]));
    return [
      drawn("diff", file("before.json"), file("after.json")),
      pure("diff", file("before.json"), file("before.json")),
      pure("diff", weather(), sums()),
      pure("diff", file("openmcp.json"), file("before.json")),
    ];
  });

  it("serve", async () => {
    const child = startCli(["serve"], {
      env: { OPENMCP_PORT: "0", OPENMCP_DB: ":memory:", OPENMCP_LOG_LEVEL: "silent" },
    });
    const ended = endOf(child);
    let text = "";
    child.stdout?.on("data", (part: Buffer) => {
      text += part;
      if (/Ctrl-C/.test(text)) child.kill("SIGINT");
    });
    const { code, stdout, stderr } = await ended;
    const of = /127\.0\.0\.1:(\d+)/.exec(stdout)?.[1] ?? "";
    names.set(of, "77777");
    const wrong = await cli(["serve", "--port", "abc"]);
    const whole = `$ openmcp serve\n${stdout}${marked(stderr)}[${code}]\n\n$ openmcp serve --port abc\n${marked(wrong.stderr)}[${wrong.code}]\n`;
    await expect(settled(whole)).toMatchFileSnapshot(kept("serve"));
  });
});

it("no command is left out; completion's scripts have snapshots of their own", () => {
  expect([...told, "serve", "completion"].sort()).toEqual(commands.map(({ name }) => name).sort());
});

it("no refusal is without a sentence, and none has the words of a machine", async () => {
  for (const name of told) {
    const text = await readFile(kept(name), "utf8");
    for (const line of text.split("\n").filter((row) => row.startsWith("! ✗ "))) {
      expect(line).toMatch(/^! ✗ (?:https?:|["'\p{Lu}\d/-]).*[.?:!…]$/u);
      expect(line).not.toMatch(/ENOENT|ECONN|undefined|\[object|Error:/);
    }
  }
});
