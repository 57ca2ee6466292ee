/** A relay over stdio, as real processes: what is on standard output byte by byte, and how the process ends. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client as ModernClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as ModernTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { build } from "rolldown";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { verifies } from "../requirements.ts";

let folder = "";
let script = "";

// As a relay is shipped, which also starts in a tenth of the time.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "openmcp-stdio-"));
  script = join(folder, "stdio-process.js");
  await build({
    input: fileURLToPath(new URL("./stdio-process.ts", import.meta.url)),
    platform: "node",
    output: { dir: folder, format: "esm" },
    logLevel: "silent",
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Spoken {
  readonly child: ChildProcessWithoutNullStreams;
  readonly out: () => string;
  readonly err: () => string;
  readonly ended: Promise<number | null>;
  /** Writes bytes as they are. */
  write(bytes: string | Uint8Array): void;
  /** The message with this id, when it comes. */
  // biome-ignore lint/suspicious/noExplicitAny: messages of every shape.
  answer(id: number): Promise<any>;
}

function speak(does = ""): Spoken {
  const child = spawn(process.execPath, [script, does], { stdio: "pipe" });
  let out = "";
  let err = "";
  let look = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  child.stdin.on("error", () => {});
  const ended = once(child, "close").then(([code]) => code as number | null);
  closing.push(() => void child.kill("SIGKILL"));
  return {
    child,
    out: () => out,
    err: () => err,
    ended,
    write: (bytes) => void child.stdin.write(bytes),
    answer: (id) =>
      new Promise((resolve, reject) => {
        look = () => {
          const lines = out.split("\n").slice(0, -1);
          const found = lines
            .map((line) => JSON.parse(line))
            .find((one) => one.id === id && !("method" in one));
          if (found !== undefined) resolve(found);
        };
        void ended.then(() => reject(new Error(`ended before ${id}: ${err}`)));
        look();
      }),
  };
}

const HELLO = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "hand", version: "1" } } })}\n`;
const call = (id: number, name: string, args: object = {}): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } })}\n`;

describe("the official clients over stdio", () => {
  const command = () => ({ command: process.execPath, args: [script] });

  it("call it in the legacy era, with a session", verifies("kit.both-eras"), async () => {
    const client = new LegacyClient({ name: "test", version: "1" });
    await client.connect(new LegacyTransport(command()));
    closing.push(() => client.close());
    expect((await client.listTools()).tools).toHaveLength(6);
    for (const expected of ["1", "2"]) {
      expect((await client.callTool({ name: "count", arguments: {} })).content).toEqual([
        { type: "text", text: expected },
      ]);
    }
    expect((await client.readResource({ uri: "note://one" })).contents[0]).toMatchObject({ text: "someone" });
  });

  it("call it in the modern era, a large answer too", verifies("kit.both-eras"), async () => {
    const client = new ModernClient({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
    await client.connect(new ModernTransport(command()));
    closing.push(() => client.close());
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    const big = (await client.callTool({ name: "big", arguments: {} })) as { content: { text: string }[] };
    expect(big.content[0]?.text).toHaveLength(3_000_000);
    const echoed = (await client.callTool({ name: "echo", arguments: { text: "hi" } })) as {
      content: object[];
    };
    expect(echoed.content).toEqual([{ type: "text", text: "hi someone" }]);
  });
});

describe("standard output", () => {
  it(
    "has frames only, whatever is written to it, and one warning says who wrote",
    verifies("stdio.guard"),
    async () => {
      const relay = speak("noisy");
      relay.write(HELLO + call(2, "echo", { text: "hi" }));
      expect((await relay.answer(2)).result.content[0].text).toBe("hi someone");
      relay.child.stdin.end();
      expect(await relay.ended).toBe(0);
      for (const line of relay.out().trim().split("\n")) expect(JSON.parse(line).jsonrpc).toBe("2.0");
      const err = relay.err();
      for (const text of [
        "a banner of a library",
        "a table",
        "and one by hand",
        "and one to the descriptor",
        "and one by a name",
        "in a call",
      ]) {
        expect(err).toContain(text);
      }
      const warnings = err.split("\n").filter((line) => line.includes("which is the protocol's"));
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toMatch(/stdio-process\.js:\d+:\d+ wrote to standard output/);
    },
  );

  it("in strict mode is not written to twice", verifies("stdio.strict"), async () => {
    const child = spawn(process.execPath, [script, "noisy"], {
      stdio: "pipe",
      env: { ...process.env, OPENMCP_STDIO_STRICT: "1" },
    });
    closing.push(() => void child.kill("SIGKILL"));
    let [out, err] = ["", ""];
    child.stdout.on("data", (chunk) => {
      out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    const [code] = await once(child, "close");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/stdio-process\.js:\d+:\d+ wrote to standard output.*strict/);
  });
});

describe("frames", () => {
  it("are split by line, whatever the chunks", verifies("stdio.frames"), async () => {
    const relay = speak();
    const bytes = Buffer.from(
      HELLO + call(2, "echo", { text: "grüße \u{1F600}" }) + call(3, "echo", { text: "x" }),
    );
    for (let at = 0; at < bytes.length; at += 1) {
      relay.write(bytes.subarray(at, at + 1));
      // Every so often it is a read of its own.
      if (at % 40 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await relay.answer(2)).result.content[0].text).toBe("grüße \u{1F600} someone");
    expect((await relay.answer(3)).result.content[0].text).toBe("x someone");
    relay.write(`\n\r\nnot json\n${call(4, "echo", { text: "after" }).replace("\n", "\r\n")}`);
    expect((await relay.answer(4)).result.content[0].text).toBe("after someone");
  });

  it("that are too long are told and passed over", verifies("stdio.long-frame"), async () => {
    const relay = speak();
    relay.write(
      HELLO + call(2, "echo", { text: "x".repeat(20_000_000) }) + call(3, "echo", { text: "after" }),
    );
    expect((await relay.answer(3)).result.content[0].text).toBe("after someone");
    const told = relay
      .out()
      .split("\n")
      .filter((line) => line.includes("at most"));
    expect(told.map((line) => JSON.parse(line))).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(relay.err()).toContain("passed over");
  });

  it("need no end before the end of the input", verifies("stdio.frames"), async () => {
    const relay = speak();
    relay.child.stdin.end((HELLO + call(2, "echo", { text: "last" })).trimEnd());
    expect(await relay.ended).toBe(0);
    expect(relay.out()).toContain("last someone");
  });
});

describe("the end", () => {
  it("of the input ends the process, and calls before it are answered", verifies("stdio.eof"), async () => {
    const relay = speak();
    relay.child.stdin.end(HELLO + call(2, "slow"));
    expect(await relay.ended).toBe(0);
    expect(relay.out()).toContain("slow and done");
  });

  it("of a client that says nothing is an end too", verifies("stdio.eof"), async () => {
    const relay = speak();
    relay.child.stdin.end();
    expect([await relay.ended, relay.out()]).toEqual([0, ""]);
  });

  it("by a signal is orderly", verifies("stdio.eof"), async () => {
    const relay = speak();
    relay.write(HELLO);
    await relay.answer(1);
    relay.child.kill("SIGTERM");
    expect(await relay.ended).toBe(0);
  });

  it("by an error that nobody caught is told, or is none", verifies("stdio.crash"), async () => {
    const relay = speak();
    relay.write(HELLO + call(2, "crash"));
    expect(await relay.ended).toBe(1);
    expect(relay.err()).toMatch(/nobody caught: Error: nobody caught this\n\s+at /);
    const patient = speak("log");
    patient.write(HELLO + call(2, "crash") + call(3, "slow"));
    expect((await patient.answer(3)).result.content[0].text).toBe("slow and done");
    expect(patient.err()).toContain("nobody caught this");
  });
});
