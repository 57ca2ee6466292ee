/**
 * `openmcp/client/stdio`: servers that are commands, on Node. The same client, errors and two steps as `openmcp/client`; apart from it
 * because a browser has no processes.
 */
import { Readable, Writable } from "node:stream";
import { type ConnectOptions, infoOf } from "../connect.ts";
import { COMMAND_TIMEOUT_MS } from "../limits.ts";
import { assertContract } from "../session/answering.ts";
import { type UninitializedClient, uninitialized } from "../session/open.ts";
import type { McpClient } from "../session/ready-client.ts";
import { type Streams, streamLink } from "../session/stream-link.ts";
import { commandLink, type StderrChoice } from "./command-link.ts";
import { assertCommand, type CommandTarget } from "./command-target.ts";

export type { StderrChoice } from "./command-link.ts";
export type { CommandTarget } from "./command-target.ts";

/** Streams of Node's to a server that somebody else started: its output, and its input. */
export interface NodeStreams {
  readonly output: Readable;
  readonly input: Writable;
}

export interface CommandOpenOptions {
  /** What becomes of the server's standard error; default `pipe`: kept for errors, its end only. */
  readonly stderr?: StderrChoice | undefined;
}

export type CommandConnectOptions = CommandOpenOptions &
  Omit<ConnectOptions, "token" | "headers" | "fetch" | "degraded">;

/**
 * Starts the command and shakes hands, in the era that it speaks; one that ends at the newer era's first request is started again.
 * Rejects with `ConnectError` (exit code and last words in it), with TypeError when there is no command.
 *
 * @example
 * ```ts
 * import { connect } from "openmcp/client/stdio";
 *
 * await using server = await connect({ command: process.execPath, args: ["/srv/server.js"] });
 * const { tools } = await server.listTools();
 * ```
 */
export async function connect(
  target: CommandTarget | NodeStreams,
  options: CommandConnectOptions = {},
): Promise<McpClient> {
  assertContract(options);
  const opened = await open(target, options);
  return opened.initialize(infoOf(options), { timeoutMs: COMMAND_TIMEOUT_MS, ...options });
}

/** Starts the command, and says nothing to it yet. */
export async function open(
  target: CommandTarget | NodeStreams,
  options: CommandOpenOptions = {},
): Promise<UninitializedClient> {
  if (isNodeStreams(target)) {
    const link = streamLink({
      readable: Readable.toWeb(target.output) as Streams["readable"],
      writable: Writable.toWeb(target.input) as Streams["writable"],
    });
    return uninitialized(link, { again: null, defaultMs: COMMAND_TIMEOUT_MS });
  }
  assertCommand(target);
  const make = () => commandLink(target, options);
  return uninitialized(await make(), { again: make, defaultMs: COMMAND_TIMEOUT_MS });
}

function isNodeStreams(target: CommandTarget | NodeStreams): target is NodeStreams {
  return typeof target === "object" && target !== null && "output" in target && "input" in target;
}
