/**
 * A relay over standard input and output (MCP "stdio"): frames, eras and versions are the SDK's; here is what a process needs round
 * them. The guard keeps the output clean, the end of the input ends the process when calls under way had their time, and a crash is
 * told on standard error before it ends it.
 */
import type { Writable } from "node:stream";
import { ProtocolErrorCode, type Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio as serveSdk } from "@modelcontextprotocol/server/stdio";
import type { Clock, JsonValue, Logger } from "../../spec/index.ts";
import type { Builder } from "../build-server.ts";
import { type Scope, setSignalScope } from "../call-scope.ts";
import { EOF_DRAIN_MS, MAX_FRAME_BYTES } from "../limits.ts";
import type { OwnedNotify } from "../notify.ts";
import { type BuiltServer, handlerOf, protocolOf } from "../sdk-internals.ts";
import { createMemorySessionStore } from "../sessions/memory-session-store.ts";
import { type Pending, watchPending } from "../sessions/pending.ts";
import { createSession } from "../sessions/session.ts";
import type { StdioOptions, StdioServer } from "../stdio-options.ts";
import { builtin } from "./builtin.ts";
import { createFrames } from "./frames.ts";
import { guardStdout } from "./stdout-guard.ts";

export interface StdioParts {
  readonly build: Builder;
  readonly notify: OwnedNotify;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly initialState: () => JsonValue;
}

/** The methods whose handlers ask who calls. */
const ASKING = [
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
];

export async function serveStdio(parts: StdioParts, options: StdioOptions): Promise<StdioServer> {
  const { build, notify, logger, clock } = parts;
  const own = options.input === undefined && options.output === undefined;
  const output = options.output ?? guardStdout(options).output;
  const input = options.input ?? process.stdin;

  // The connection is the session: it belongs to whoever started the process.
  const store = createMemorySessionStore();
  // Nobody can ask for it, so that it need not be unguessable: the first random UUID of a process takes it 4 ms.
  const id = `stdio-${process.pid}-${clock.now()}`;
  const forever = Number.MAX_SAFE_INTEGER;
  await store.open({
    id,
    user: null,
    initialize: {},
    openedAt: clock.now(),
    expiresAt: forever,
    state: parts.initialState(),
    version: 0,
  });
  const session = createSession(id, { store, now: clock.now });
  const scope: Scope = { viewer: { user: undefined }, session, request: null, wanted: "all" };

  const { PassThrough } = builtin("node:stream");
  const patient = new PassThrough();
  const transport = new StdioServerTransport(patient, output);
  const ended = Promise.withResolvers<void>();
  const watched = watchedTransport(transport);
  const handle = serveSdk(
    async ({ era }) => {
      const { server, tell } = await build(scope, era);
      tellWhoCalls(server, scope);
      notify.also(tell);
      return server;
    },
    {
      transport: watched.transport,
      onerror: (error) => logger.debug({ err: error }, "a message over stdio was refused"),
    },
  );
  watched.onEnd(ended.resolve);

  const frames = createFrames({
    maxBytes: MAX_FRAME_BYTES,
    onFrame: (line) => void patient.write(line),
    onTooLong() {
      const message = `a message over stdio has at most ${MAX_FRAME_BYTES} bytes; a longer one was passed over`;
      logger.error({}, message);
      const error = { code: ProtocolErrorCode.InvalidRequest, message };
      output.write(`${JSON.stringify({ jsonrpc: "2.0", error, id: null })}\n`);
    },
  });
  input.on("data", (chunk: Buffer | string) =>
    frames.write(typeof chunk === "string" ? Buffer.from(chunk) : chunk),
  );
  const atEnd = (): void => {
    frames.end();
    void (async () => {
      // Calls that came before the end are answered: `echo '…' | node server.js` is a use of it.
      const timer = new AbortController();
      // A turn for what was written just now to be read.
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.race([
        watched.pending().settled(),
        clock.sleep(EOF_DRAIN_MS, timer.signal).catch(() => {}),
      ]);
      timer.abort();
      patient.end();
    })();
  };
  input.once("end", atEnd);
  input.once("error", atEnd);

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await handle.close();
      await store.close();
      if (own) input.pause();
    })();
    return closing;
  };
  if (own) endProcessWith(ended.promise, { output, crash: options.crash ?? "exit", close });
  return { closed: ended.promise, close, [Symbol.asyncDispose]: close };
}

/** The SDK's own transport, with the requests under way counted and its end told. */
function watchedTransport(transport: Transport) {
  let pending: Pending | null = null;
  let onEnd = (): void => {};
  const start = transport.start.bind(transport);
  transport.start = async () => {
    // Only now the SDK's entry has put its handlers on it.
    pending = watchPending(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      onEnd();
    };
    await start();
  };
  return {
    transport,
    pending: (): Pick<Pending, "settled"> => pending ?? { settled: () => Promise.resolve() },
    onEnd(listener: () => void) {
      onEnd = listener;
    },
  };
}

/** Over stdio no request carries the caller: each handler is told before it runs. */
function tellWhoCalls(built: BuiltServer, scope: Scope): void {
  const server = protocolOf(built);
  for (const method of ASKING) {
    const inner = handlerOf(server, method);
    if (inner === undefined) continue;
    server.setRequestHandler(method as "tools/call", (request, context) => {
      setSignalScope(context.mcpReq.signal, scope);
      return inner(request as never, context as never) as never;
    });
  }
}

/** EOF, a signal or a crash ends the process; what was written is out before. */
function endProcessWith(
  ended: Promise<void>,
  {
    output,
    crash,
    close,
  }: { readonly output: Writable; readonly crash: "exit" | "log"; readonly close: () => Promise<void> },
): void {
  const exit = (code: number): void => {
    // What a broken pipe can't take is not waited for.
    const leave = (): never => process.exit(code);
    setTimeout(leave, 1_000).unref();
    if (output.destroyed) leave();
    else output.end(leave);
  };
  void ended.then(() => exit(Number(process.exitCode ?? 0)));
  const signalled = (): void => void close();
  process.once("SIGINT", signalled);
  process.once("SIGTERM", signalled);
  const crashed = (error: unknown): void => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`openmcp: an error that nobody caught: ${text}\n`);
    if (crash === "log") return;
    process.exitCode = 1;
    process.exit(1);
  };
  process.on("uncaughtException", crashed);
  process.on("unhandledRejection", crashed);
}
