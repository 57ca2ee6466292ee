/** Starts a server as a process of its own and waits until its port accepts; ends it and what it started. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const STARTUP_MS = 25_000;
const preload = join(import.meta.dirname, "servers", "loopback-only.mjs");

export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
}

export interface StartOptions {
  readonly args: (port: number) => readonly string[];
  readonly env?: ((port: number) => Readonly<Record<string, string>>) | undefined;
  readonly path?: string;
}

export async function startProcess(options: StartOptions): Promise<ServerProcess> {
  const port = await freePort();
  // Its own process group: a gateway's children end with it.
  const child = spawn(process.execPath, ["--import", preload, ...options.args(port)], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_NO_WARNINGS: "1", ...options.env?.(port) },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-4_000);
    });
  }
  try {
    await accepting(child, port);
  } catch (error) {
    await end(child);
    throw new Error(`${options.args(port).join(" ")}: ${String(error)}\n${output}`);
  }
  return {
    url: `http://127.0.0.1:${port}${options.path ?? "/mcp"}`,
    port,
    pid: child.pid as number,
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function accepting(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + STARTUP_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode} before it listened`);
    const socket = connect(port, "127.0.0.1");
    const open = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (open) return;
    await sleep(50);
  }
  throw new Error(`did not listen within ${STARTUP_MS} ms`);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  try {
    process.kill(-(child.pid as number), "SIGKILL");
  } catch {
    child.kill("SIGKILL");
  }
  await ended;
}
