/**
 * Opening in two steps, for those who hold the streams or want to choose when the handshake is: a link that is open, and a client that
 * can do one thing, once.
 */
import type { ClientCapabilities, Implementation } from "@modelcontextprotocol/client";
import { ConnectError } from "../connect-error.ts";
import { deadline } from "../deadline.ts";
import { type Answerers, assertContract } from "./answering.ts";
import { explainHandshake } from "./explain.ts";
import { shake } from "./handshake.ts";
import type { Link } from "./link.ts";
import { type Live, type McpClient, readyClient } from "./ready-client.ts";

export interface InitializeOptions {
  /** What is declared to the server: `sampling`, `elicitation` and `roots` each want their handler. */
  readonly capabilities?: ClientCapabilities | undefined;
  readonly handlers?: Answerers | undefined;
  /** The one version to offer; absent: the newest era that the server speaks, and 2025-11-25 in the older. */
  readonly protocolVersion?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the handshake. */
  readonly timeoutMs?: number | undefined;
}

/** A way to a server that was not spoken over yet. */
export interface UninitializedClient extends AsyncDisposable {
  /** The handshake; once. Rejects with `ConnectError`; a second call throws a TypeError. */
  initialize(info: Implementation, options?: InitializeOptions): Promise<McpClient>;
  close(): Promise<void>;
}

/** How links of one target are made; the first is open already. */
export interface Target {
  /** Another link like the first. Null where there can be no other: streams are spent. */
  readonly again: (() => Promise<Link>) | null;
  /** Milliseconds for a handshake, unless the caller says. */
  readonly defaultMs: number;
}

export function uninitialized(first: Link, target: Target): UninitializedClient {
  let used = false;
  const close = () => first.close().catch(() => undefined);
  return {
    async initialize(info, options = {}) {
      assertInfo(info);
      assertContract(options);
      if (used) throw new TypeError("This client was initialized already; open another.");
      used = true;
      const greet = (link: Link, stop: AbortSignal | undefined) =>
        greeting(link, { info, options, target, stop });
      const live = await greet(first, undefined);
      return readyClient(live, async (stop) => {
        if (target.again === null) throw new ConnectError("session-lost", `${first.label} has ended.`);
        return greet(await target.again(), stop);
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @throws TypeError */
export function assertInfo(info: Implementation | undefined): void {
  if (typeof info?.name !== "string" || info.name === "" || typeof info.version !== "string") {
    throw new TypeError("A client says who it is: give `{ name, version }`.");
  }
}

async function greeting(
  first: Link,
  {
    info,
    options,
    target,
    stop,
  }: {
    readonly info: Implementation;
    readonly options: InitializeOptions;
    readonly target: Target;
    readonly stop: AbortSignal | undefined;
  },
): Promise<Live> {
  const never = new AbortController().signal;
  const limit = deadline(
    { base: first.label, signal: stop ?? never, timeoutMs: options.timeoutMs },
    { defaultMs: target.defaultMs, ...(options.signal === undefined ? {} : { signal: options.signal }) },
  );
  const { signal, timeoutMs } = limit;
  let link = first;
  const greet = async (era: "auto" | "legacy"): Promise<Live> => {
    const client = await shake(link, { ...options, info, era, strict: true, signal, timeoutMs });
    if (client.getProtocolEra() === "legacy") await link.settled(signal);
    return { link, client };
  };
  const told = (error: unknown): ConnectError => {
    const byCaller = options.signal?.aborted === true || stop?.aborted === true;
    return explainHandshake(error, {
      label: link.label,
      kind: link.kind,
      evidence: link.evidence(),
      ended: byCaller ? "signal" : signal.aborted ? "time" : null,
      timeoutMs,
    });
  };
  try {
    return await greet("auto");
  } catch (error) {
    const explained = told(error);
    await link.close().catch(() => undefined);
    // Servers of older SDKs end at a first request that is no `initialize`: such a one is started again, and spoken to as it expects.
    const retry =
      link.kind === "command" &&
      explained.stage === "connect/closed" &&
      options.protocolVersion === undefined;
    if (!retry || target.again === null) throw explained;
    link = await target.again();
    try {
      return await greet("legacy");
    } catch (second) {
      const why = told(second);
      await link.close().catch(() => undefined);
      throw why;
    }
  }
}
