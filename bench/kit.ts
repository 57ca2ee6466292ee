/**
 * What the kit costs: `tools/call` of the modern era through it, beside the bare SDK's handler, in turns in one run, so that a noisy
 * machine is noisy for both; and the start of a bundled stdio server, to its answer to `initialize` and in processor time to its end,
 * beside the same server by the SDK alone.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "rolldown";
import { type Child, startChild } from "./lib/child.ts";
import { load, withCpu } from "./lib/load.ts";
import { figure, median } from "./lib/percentiles.ts";
import { printRows } from "./lib/rows.ts";

const ROUNDS = 10;
const REQUESTS = 2_000;
const LANES = 16;
const STARTS = 30;

export async function run(args: readonly string[]): Promise<void> {
  const rounds = Number(args.find((arg) => /^\d+$/.test(arg)) ?? ROUNDS);
  await calls(rounds);
  await starts();
}

interface Costed {
  readonly rate: number;
  readonly cpu: number;
}

async function calls(rounds: number): Promise<void> {
  const names = ["kit", "bare", "sdk"] as const;
  await using kit = await startChild<{ origin: string }>("greet-http.ts", ["kit"]);
  await using bare = await startChild<{ origin: string }>("greet-http.ts", ["bare"]);
  await using sdk = await startChild<{ origin: string }>("greet-http.ts", ["sdk"]);
  const children = { kit, bare, sdk };
  for (const name of names) await call(children[name]);
  const figures: Record<(typeof names)[number], Costed[]> = { kit: [], bare: [], sdk: [] };
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first changes: the second finds the processor warm.
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length] as (typeof names)[number];
      figures[name].push(await call(children[name]));
    }
  }
  const middle = (name: (typeof names)[number], key: keyof Costed) =>
    median(figures[name].map((one) => one[key]));
  const ceiling = (name: "bare" | "sdk", what: string) => ({
    work: `tools/call, ${LANES} at once, beside ${what}`,
    figures: { rate: `${figure(middle("kit", "rate"))}/s`, cpu: `${figure(middle("kit", "cpu"))} ms` },
    ceiling: `${figure(middle(name, "rate"))}/s, cpu ${figure(middle(name, "cpu"))} ms`,
    ratio: `rate ${figure(middle("kit", "rate") / middle(name, "rate"))}, cpu ${figure(middle("kit", "cpu") / middle(name, "cpu"))}`,
    goal: "rate at least 0.95",
  });
  printRows(`A call through the kit (medians of ${rounds} rounds)`, [
    ceiling("sdk", "the SDK's handler on its own adapter"),
    ceiling("bare", "the SDK's handler on the kit's adapter"),
  ]);
}

const version = "2026-07-28";
const prefix = "io.modelcontextprotocol/";
const body = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: {
    name: "greet",
    arguments: { name: "Bo" },
    _meta: { [`${prefix}protocolVersion`]: version, [`${prefix}clientCapabilities`]: {} },
  },
});
const headers = {
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": version,
  "mcp-method": "tools/call",
  "mcp-name": "greet",
};

function call(child: Child<{ origin: string }>): Promise<Costed> {
  return withCpu(child, () =>
    load(child.ready.origin, {
      requests: REQUESTS,
      lanes: LANES,
      next: () => ({ method: "POST", path: "/mcp", body, headers }),
      check(status, answer) {
        if (status !== 200 || !answer.includes("Hello, Bo!")) throw new Error(`${status} ${answer}`);
      },
    }),
  );
}

async function starts(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "openmcp-bench-"));
  try {
    // As an author's project says it; without, Node reads every file twice to find out what it is.
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    const scripts = { kit: "greet-stdio-kit", bare: "greet-stdio-bare" };
    for (const name of Object.values(scripts)) {
      await build({
        input: join(import.meta.dirname, "processes", `${name}.ts`),
        platform: "node",
        output: { dir: join(folder, name), format: "esm" },
        logLevel: "silent",
      });
    }
    const script = (name: keyof typeof scripts) => join(folder, scripts[name], `${scripts[name]}.js`);
    const times: Record<keyof typeof scripts, Started[]> = { kit: [], bare: [] };
    for (let round = 0; round <= STARTS; round += 1) {
      for (const name of round % 2 === 0 ? (["kit", "bare"] as const) : (["bare", "kit"] as const)) {
        const time = await start(script(name));
        // The first finds no file in the system's cache.
        if (round > 0) times[name].push(time);
      }
    }
    const row = (work: string, key: keyof Started) => {
      const [kit, bare] = [times.kit.map((one) => one[key]), times.bare.map((one) => one[key])];
      return {
        work,
        figures: { p50: `${figure(median(kit))} ms`, best: `${figure(Math.min(...kit))} ms` },
        ceiling: `the SDK alone: ${figure(median(bare))} ms, best ${figure(Math.min(...bare))} ms`,
        ratio: figure(median(kit) / median(bare)),
        goal: "at most 1.1",
      };
    };
    printRows(`A bundled server over stdio (medians of ${STARTS} starts)`, [
      row("to its first answer", "answered"),
      row("processor time, to its end", "cpu"),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const HELLO = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
})}\n`;

interface Started {
  /** Milliseconds to the first answer. */
  readonly answered: number;
  /** Milliseconds of processor time, of the whole process. */
  readonly cpu: number;
}

/** Tells at the end of a process what it cost, on descriptor 3. */
const TELL_CPU = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => { const { user, system } = process.cpuUsage(); writeSync(3, String(user + system)); });',
)}`;

function start(script: string): Promise<Started> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const child = spawn(process.execPath, ["--import", TELL_CPU, script], {
      stdio: ["pipe", "pipe", "inherit", "pipe"],
    });
    let answered = 0;
    let told = "";
    child.once("error", reject);
    child.stdio[3]?.on("data", (text: Buffer) => {
      told += String(text);
    });
    child.once("close", () => {
      if (answered === 0) reject(new Error(`${script} gave no answer`));
      resolve({ answered, cpu: Number(told) / 1_000 });
    });
    child.stdin?.write(HELLO);
    child.stdout?.once("data", () => {
      answered = performance.now() - begun;
      child.stdin?.end();
    });
  });
}
