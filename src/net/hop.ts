/**
 * One request on one connection and its answer: undici's handler, without the stream that `undici.request` would put
 * between. Follows no redirect, keeps no time but the idle one, and knows nothing of policies. After `over`
 * whatever undici still says is ignored.
 */
import type { Dispatcher } from "undici";
import type { ByteSink } from "./body-queue.ts";
import type { Connection, Connections, ConnectionUser } from "./connections.ts";

/** What is sent: the parts that undici wants, made once. */
export interface HopRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: string;
  /** Name, value, name, value. */
  readonly headers: string[];
  readonly body: string | Uint8Array | undefined;
}

/** Who is told. Each is called at most once, and none after `cancel()`. */
export interface HopOwner {
  onHead(hop: Hop, status: number, headers: Record<string, string | string[] | undefined>): void;
  /** The answer was read to its end; the connection is given back. */
  onComplete(hop: Hop): void;
  onFailure(hop: Hop, cause: unknown): void;
  onIdle(): void;
}

export class Hop implements ConnectionUser, Dispatcher.DispatchHandler {
  readonly request: HopRequest;
  readonly fresh: boolean;
  readonly #owner: HopOwner;
  readonly #connections: Connections;
  #connection: Connection | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #sink: ByteSink | undefined;
  #over = false;
  #closes = false;
  #answered = false;
  #idleMs = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(request: HopRequest, owner: HopOwner, options: { connections: Connections; fresh: boolean }) {
    this.request = request;
    this.fresh = options.fresh;
    this.#owner = owner;
    this.#connections = options.connections;
  }

  start(): void {
    this.#connections.acquire(this.request.origin, this);
  }

  use(connection: Connection): void {
    this.#connection = connection;
    connection.dispatch(this.request as Dispatcher.DispatchOptions, this);
  }

  /** True when the request may have died of nothing but an idle connection that the server was just closing. */
  get stale(): boolean {
    return !this.#answered && (this.#connection?.uses ?? 0) > 0;
  }

  /** How far it came, for a sentence about time. */
  get phase(): "connection" | "answer" | "body" {
    if (this.#answered) return "body";
    return this.#controller === undefined ? "connection" : "answer";
  }

  /** Gives the answer's bytes a place to go; called from `onHead`. `idleMs` 0: no idle limit. */
  readInto(sink: ByteSink, idleMs: number): void {
    this.#sink = sink;
    this.#idleMs = idleMs;
    if (idleMs > 0) this.#idle = setTimeout(onIdleTimer, idleMs, this.#owner);
  }

  /** The sink has room again. */
  resume(): void {
    if (this.#over || this.#controller?.paused !== true) return;
    if (this.#idleMs > 0) this.#idle = setTimeout(onIdleTimer, this.#idleMs, this.#owner);
    this.#controller.resume();
  }

  /** Ends it, with its connection, wherever it stands. Idempotent; nobody is told. */
  cancel(): void {
    if (this.#over) return;
    this.#finish();
    if (this.#connection === undefined) this.#connections.forget(this.request.origin, this);
    else this.#connection.discard();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#over || status < 200) return;
    this.#answered = true;
    // Undici closes the socket after HEAD and after `connection: close`; giving it back would only hand on its end.
    this.#closes = this.request.method === "HEAD" || headers.connection === "close";
    this.#owner.onHead(this, status, headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#over) return;
    this.#idle?.refresh();
    if (this.#sink?.write(chunk) === false) {
      controller.pause();
      // A slow reader is not a silent server.
      clearTimeout(this.#idle);
      this.#idle = undefined;
    }
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#finish();
    if (this.#closes) this.#connection?.discard();
    else this.#connection?.release();
    this.#sink?.end();
    this.#owner.onComplete(this);
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, cause: unknown): void {
    if (this.#over) return;
    this.#finish();
    this.#connection?.discard();
    this.#owner.onFailure(this, cause);
  }

  #finish(): void {
    this.#over = true;
    clearTimeout(this.#idle);
    this.#idle = undefined;
  }
}

function onIdleTimer(owner: HopOwner): void {
  owner.onIdle();
}
