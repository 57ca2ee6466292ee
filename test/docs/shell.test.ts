/**
 * What the pages tell people to type is typed, line for line, against a real catalog and real servers. What can't be typed here is
 * in one list with its reason, and is read by bash and by the commands themselves all the same.
 */
import { execFile, spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../../src/cli/commands.ts";
import { createProgram } from "../../src/cli/program.ts";
import { runCli } from "../cli/run-cli.ts";
import { blocksOf, docsPages, type ShellLine, shellLines } from "./shell-lines.ts";
import { type ShellWorld, startShellWorld } from "./shell-world.ts";

/** Lines that are not typed here, by how they begin or what is in them; each with the reason. */
const notTyped: readonly (readonly [RegExp, string])[] = [
  [
    /^npm (?:ci|test|run|install|start)\b/,
    "installs, builds or measures this checkout, for minutes and from the network",
  ],
  [/&& npm (?:install|start)\b/, "the same; test/package runs what openmcp new writes"],
  [/npm start$/, "is openmcp serve; test/server/npm-start.test.ts runs it"],
  [/npx mcp-server-everything/, "is the server that these lines are typed against"],
  [/node examples\//, "imports the built package; test/package runs the examples from it"],
  [/--host 0\.0\.0\.0/, "opens a port to every network"],
  [/^OTEL_/, "wants a collector; test/server/tracing.test.ts has one"],
  [
    /\/opt\/|~\/\.bashrc|fpath|~\/\.config\/fish/,
    "changes a shell of the reader's own; test/cli/completion.test.ts reads the scripts",
  ],
];

/** They run until Ctrl-C: what they print first is waited for, and they end in order. */
const untilInterrupted =
  /(?:^|\s)openmcp (?:serve|watch(?!.*--once)|webhook listen|inspect|logs.* -f)\b|^curl -N/;

/** Whose answer is no (exit code 1) for what stands behind the names here; everywhere else no is a failure. */
const answersNo: readonly RegExp[] = [
  /^openmcp find (?:list the open pull|send an invoice)/,
  /^openmcp probe http:\/\/10\./,
  /\bopenmcp diff /,
  /^openmcp discover /,
  // No address of this machine is taken from a list, so there is nothing to take.
  /\bopenmcp import (?:registry|ai-catalog)\b/,
  // Nor may a document that is for everybody name one.
  /\bopenmcp lint /,
];

const pages = ["README.md", ...(await docsPages())];
const lines = (await Promise.all(pages.map(blocksOf))).flatMap((blocks) =>
  shellLines(
    blocks
      .filter(({ language }) => language === "sh" || language === "cron")
      .map((block) => (block.language === "cron" ? { ...block, text: fromCron(block.text) } : block)),
  ),
);

/** A table's five fields of time, and then the line; `%` is a line break there unless a backslash is before it. */
function fromCron(text: string): string {
  return text.replace(/^(?:\S+ ){5}/gm, "").replaceAll("\\%", "%");
}

const reasonFor = (line: ShellLine) => notTyped.find(([form]) => form.test(line.text))?.[1];
/** The README's are typed by readme.test.ts; a machine without jq types none that ask it. */
const hasJq = spawnSync("jq", ["--version"]).error === undefined;
const typed = lines.filter(
  (line) =>
    line.page !== "README.md" && reasonFor(line) === undefined && (hasJq || !/\| jq\b/.test(line.text)),
);

describe("typed as it stands", () => {
  let world: ShellWorld;
  const { cwd, env } = { cwd: process.cwd(), env: { ...process.env } };
  beforeAll(async () => {
    world = await startShellWorld();
    process.chdir(world.folder);
    Object.assign(process.env, { OPENMCP_CATALOG: world.catalog });
  }, 60_000);
  afterAll(async () => {
    process.chdir(cwd);
    process.env = env;
    await world?.[Symbol.asyncDispose]();
  });
  /** Commands that were typed once: the package's own command, in a shell. Plain lines of theirs then run in this process. */
  const known = new Set<string>();

  it.each([...new Set(typed.map(({ page }) => page))])("%s", { timeout: 180_000 }, async (page) => {
    for (const line of typed.filter((one) => one.page === page)) {
      if (/\bopenmcp (?:uninstall|doctor|logs)\b/.test(line.text)) await ended(world.installed);
      const script = await world.here([...line.before, line.text].join("\n"));
      const [, command = ""] = /^openmcp ([a-z]+)/.exec(line.text) ?? [];
      const plain =
        command !== "" && known.has(command) && line.before.length === 0 && !/[|<>&;$`*~]/.test(script);
      const { code, output } = untilInterrupted.test(line.text)
        ? await interrupted(script)
        : await (plain ? here(script) : ended(script));
      known.add(command);
      const allowed = answersNo.some((form) => form.test(line.text)) ? [0, 1] : [0];
      if (!allowed.includes(code))
        throw new Error(`${page}:${line.line} ended with ${code}\n${script}\n${output}`);
      if (/\bopenmcp rm\b/.test(line.text)) await world.restock();
    }
  });

  /** A pipe fails with any of its commands, and an answer of 400 or more is a failure of curl's. */
  function shell(script: string) {
    const whole = `set -e -o pipefail\ncurl() { command curl -sS --fail-with-body "$@"; }\n${script}`;
    return { args: ["-c", whole], options: { cwd: world.folder, env: world.env } };
  }

  function ended(script: string): Promise<{ readonly code: number; readonly output: string }> {
    const { args, options } = shell(script);
    return new Promise((resolve) => {
      const child = execFile("bash", args, options, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
        resolve({ code, output: `${stdout}${stderr}` });
      });
      child.stdin?.end();
    });
  }

  async function here(script: string): Promise<{ readonly code: number; readonly output: string }> {
    const [words = []] = openmcpWords({ page: "", line: 0, text: script, before: [] }, world.folder);
    const { code, stdout, stderr } = await runCli(words, { env: world.env });
    return { code, output: `${stdout}${stderr}` };
  }

  async function interrupted(script: string): Promise<{ readonly code: number; readonly output: string }> {
    const { args, options } = shell(script);
    // Ctrl-C goes to all that a terminal runs.
    const child = spawn("bash", args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let told = false;
    const hear = (part: Buffer) => {
      output += part;
      if (told || !/\n/.test(output)) return;
      told = true;
      process.kill(-(child.pid as number), "SIGINT");
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once("close", (code, signal) => resolve([code, signal])),
    );
    return { code: told && (signal === "SIGINT" || code === 130) ? 0 : (code ?? -1), output };
  }
});

const idleProgram = createIdleProgram();

describe("read, whether it is typed here or not", () => {
  it("refuses what is no command, and what it does not take", async () => {
    for (const words of [["fnid", "x"], ["relays", "--onlin"], ["show"], ["webhook", "lisen"]]) {
      await expect(takes(words, "here")).rejects.toThrow("here: openmcp");
    }
  });

  it("every reason is of use", () => {
    for (const [form] of notTyped)
      expect(
        lines.some(({ text }) => form.test(text)),
        String(form),
      ).toBe(true);
  });

  it("every openmcp in the pages is a command that there is, with options and arguments that it takes", async () => {
    const folder = await wordsFolder();
    try {
      const found = lines.flatMap((line) => openmcpWords(line, folder).map((words) => ({ line, words })));
      expect(found.length).toBeGreaterThan(100);
      for (const { line, words } of found) await takes(words, `${line.page}:${line.line}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.each(commands.map(({ name }) => name))("the help of %s has examples that it takes", async (name) => {
    const { stdout } = await runCli([name, "--help"]);
    const [, examples = ""] = /\n(?:Examples|Set up):\n((?: {2}.*\n)+)/.exec(stdout) ?? [];
    const rows = examples.split("\n").filter((row) => row.includes("openmcp"));
    expect(rows.length).toBeGreaterThan(0);
    const folder = await wordsFolder();
    try {
      for (const row of rows) {
        const text = row.replace(/^ {2}(?:bash|zsh|fish) +/, "").trim();
        const found = openmcpWords({ page: name, line: 0, text, before: [] }, folder);
        expect(found.length, text).toBeGreaterThan(text.startsWith("echo 'source") ? -1 : 0);
        for (const words of found) await takes(words, text);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** With the folders that lines write into. */
async function wordsFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-words-"));
  for (const path of [".vscode", "public/.well-known", ".config/fish/completions"]) {
    await mkdir(join(folder, path), { recursive: true });
  }
  return folder;
}

/** The words of each `openmcp` in a line, as bash hands them over; nothing else is started. */
function openmcpWords({ text }: ShellLine, cwd: string): readonly (readonly string[])[] {
  const filled = text.replace(/<[a-z]+>/g, "it").replace(/\[[^\]\n]*\|[^\]\n]*\]/g, "x");
  const script = `
    openmcp() { printf '%s\\0' "$@" >&3; printf '\\n\\0' >&3; }
    command_not_found_handle() { :; }
    PATH= HOME=. fpath=(. .)
    shopt -s expand_aliases
    cd() { :; }; echo() { :; }; npx() { [ "$1" != openmcp ] || { shift; openmcp "$@"; }; }
    ${filled}`;
  const { output } = spawnSync("/usr/bin/env", ["bash", "-c", script], {
    cwd,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  const words = String(output[3] ?? "").split("\0");
  const found: string[][] = [];
  let one: string[] = [];
  for (const word of words.slice(0, -1)) {
    if (word === "\n") {
      found.push(one);
      one = [];
    } else one.push(word);
  }
  return found;
}

/** Parsed by the command's own table, and not run. */
async function takes(words: readonly string[], where: string): Promise<void> {
  const program = await idleProgram;
  await program.parseAsync([...words], { from: "user" }).catch((error) => {
    throw new Error(`${where}: openmcp ${words.join(" ")}: ${error.message}`);
  });
}

/** All commands, and none does a thing. */
async function createIdleProgram(): Promise<Command> {
  const silent = { write() {} };
  const program = await createProgram({
    runtime: { stdin: Readable.from([]), stdout: silent, stderr: silent, env: {} },
    signal: new AbortController().signal,
    colour: false,
    load: "all",
    onExitCode() {},
  });
  const idle = (command: Command): void => {
    if (command.commands.length === 0) command.action(() => {});
    for (const inner of command.commands) idle(inner);
  };
  idle(program);
  return program;
}
