/**
 * One exchange from its first hop to the end of its body: the one timer, the caller's signal, the redirects. It ends
 * exactly once (answered and read, failed, or let go) and leaves neither a timer nor a listener nor a
 * socket in use. Addresses are the connector's to judge; what a URL shows is judged here at every hop.
 */
import {
  type ExchangeLimits,
  type ExchangeRequest,
  type ExchangeResponse,
  OpenMcpError,
} from "../spec/index.ts";
import { BodyQueue, type ByteSink, tooLarge } from "./body-queue.ts";
import type { Connections } from "./connections.ts";
import { acceptedCodings, codingsOf, createDecoder } from "./decoder.ts";
import { failureOf } from "./failure.ts";
import { Hop, type HopOwner } from "./hop.ts";
import { blocked, type Judge } from "./judge.ts";
import { defaultRedirects, maxRedirects, maxTimerMs } from "./limits.ts";
import { headersAcross, redirectTarget } from "./redirect.ts";

export interface ExchangeTools {
  readonly judge: Judge;
  readonly connections: Connections;
  /** Told when an exchange ends, so that closing can end the ones that still run. */
  readonly running: Set<RunningExchange>;
}

/** Ours to write (RFC 9110, section 7.6.1): a caller's own would break the framing or leak. */
const ownHeaders = new Set([
  "host",
  "content-length",
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "te",
  "trailer",
  "upgrade",
  "expect",
]);

export class RunningExchange implements HopOwner {
  readonly #request: ExchangeRequest;
  readonly #limits: ExchangeLimits;
  readonly #tools: ExchangeTools;
  readonly #resolve: (response: ExchangeResponse) => void;
  readonly #reject: (error: OpenMcpError) => void;
  readonly #hops: string[] = [];
  #headers: Readonly<Record<string, string>> | undefined;
  #url: URL | undefined;
  #hop: Hop | undefined;
  #body: BodyQueue | undefined;
  #decoder: ByteSink | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onAbort: (() => void) | undefined;
  #over = false;

  constructor(
    request: ExchangeRequest,
    limits: ExchangeLimits,
    rest: {
      tools: ExchangeTools;
      resolve: (response: ExchangeResponse) => void;
      reject: (error: OpenMcpError) => void;
    },
  ) {
    this.#request = request;
    this.#limits = limits;
    this.#headers = request.headers;
    this.#tools = rest.tools;
    this.#resolve = rest.resolve;
    this.#reject = rest.reject;
  }

  start(): void {
    this.#tools.running.add(this);
    const { signal } = this.#request;
    if (signal !== undefined) {
      if (signal.aborted) {
        this.abort();
        return;
      }
      this.#onAbort = () => this.abort();
      signal.addEventListener("abort", this.#onAbort);
    }
    this.#timer = setTimeout(onTimer, Math.min(Math.max(this.#limits.timeoutMs, 0), maxTimerMs), this);
    this.#go(URL.parse(this.#request.url), "refused");
  }

  /** The caller's signal, or the whole exchange closing. */
  abort(): void {
    this.fail(new OpenMcpError("aborted", "the exchange was given up by its caller"));
  }

  timeOut(): void {
    const seconds = this.#limits.timeoutMs / 1000;
    const phase = this.#hop?.phase ?? "connection";
    const what = { connection: "no connection to", answer: "no answer from", body: "no whole answer from" }[
      phase
    ];
    this.fail(
      new OpenMcpError("timeout", `${what} ${this.#where()} within ${seconds} s`, { data: { phase } }),
    );
  }

  onIdle(): void {
    const seconds = (this.#limits.idleMs ?? 0) / 1000;
    this.fail(
      new OpenMcpError("timeout", `${this.#where()} fell silent for ${seconds} s within its answer`, {
        data: { phase: "body" },
      }),
    );
  }

  /** Ends the exchange with an error, before its answer or in its body. */
  fail(error: OpenMcpError): void {
    if (!this.#end()) return;
    this.#hop?.cancel();
    this.#decoder?.discard();
    if (this.#body === undefined) this.#reject(error);
    else this.#body.fail(error);
  }

  onComplete(hop: Hop): void {
    if (hop === this.#hop) this.#end();
  }

  onFailure(hop: Hop, cause: unknown): void {
    if (hop !== this.#hop) return;
    // Asking again is safe for GET and HEAD only: anything else may have been carried out (RFC 9110, section 9.2.2).
    const { method } = hop.request;
    if (hop.stale && (method === "GET" || method === "HEAD")) this.#send(hop.request, true);
    else this.fail(failureOf(cause, this.#where()));
  }

  onHead(hop: Hop, status: number, fields: Record<string, string | string[] | undefined>): void {
    const headers = joined(fields);
    const target = redirectTarget(this.#request.method, status, headers.location);
    const allowed = Math.min(this.#limits.maxRedirects ?? defaultRedirects, maxRedirects);
    if (target === undefined || allowed === 0) {
      this.#answer(hop, status, headers);
      return;
    }
    // An empty redirect leaves its connection usable; any other body is not worth reading.
    if (headers["content-length"] !== "0") hop.cancel();
    this.#redirect(target, allowed);
  }

  #answer(hop: Hop, status: number, headers: Readonly<Record<string, string>>): void {
    const { maxBodyBytes, idleMs } = this.#limits;
    const codings = codingsOf(headers["content-encoding"]);
    const letGo = (): void => this.#letGo();
    let drained = (): void => hop.resume();
    const body = new BodyQueue({ onDrain: () => drained(), onAbandon: letGo }, maxBodyBytes);
    this.#body = body;
    if (codings.length === 0) {
      hop.readInto(body, idleMs ?? 0);
    } else {
      const decoder = createDecoder(codings, { target: body, onDrain: () => hop.resume(), onFail: letGo });
      drained = decoder.resume;
      this.#decoder = decoder;
      hop.readInto(decoder, idleMs ?? 0);
    }
    this.#resolve({
      status,
      headers,
      url: this.#hops.at(-1) ?? "",
      hops: this.#hops,
      body,
      cancel: () => {
        body.fail(new OpenMcpError("aborted", "the body was given up"));
        this.#letGo();
      },
    });
    // Known too large from its headers: not a byte of it is waited for.
    const known = codings.length === 0 && this.#request.method !== "HEAD" && status !== 304;
    if (known && Number(headers["content-length"]) > maxBodyBytes) this.fail(tooLarge(maxBodyBytes));
  }

  #redirect(target: string, allowed: number): void {
    const from = this.#url;
    const next = URL.parse(target, from?.href);
    if (next !== null) {
      next.hash = "";
      this.#headers = headersAcross(this.#headers, next.origin === from?.origin);
    }
    const circle = next !== null && this.#hops.includes(next.href);
    if (circle || this.#hops.length > allowed) {
      const how = circle ? "redirects in a circle" : `redirects further after ${allowed} redirects`;
      this.fail(
        new OpenMcpError("too-many-redirects", `${this.#where()} ${how}`, {
          data: { maxRedirects: allowed },
        }),
      );
      return;
    }
    this.#go(next, `${this.#where()} redirects to a place that is refused`);
  }

  #go(url: URL | null, refusal: string): void {
    const verdict = this.#tools.judge.url(url ?? "");
    if (url === null || !verdict.permitted) {
      if (!verdict.permitted) this.fail(blocked(verdict, refusal));
      return;
    }
    if (url.hash !== "") url.hash = "";
    this.#url = url;
    this.#hops.push(url.href);
    this.#send(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method: this.#request.method,
        headers: asList(this.#headers),
        body: this.#request.body,
      },
      false,
    );
  }

  #send(request: Hop["request"], fresh: boolean): void {
    const hop = new Hop(request, this, { connections: this.#tools.connections, fresh });
    this.#hop = hop;
    hop.start();
  }

  /** Nobody wants the rest of the answer. */
  #letGo(): void {
    this.#hop?.cancel();
    this.#decoder?.discard();
    this.#end();
  }

  /** True the first time. */
  #end(): boolean {
    if (this.#over) return false;
    this.#over = true;
    clearTimeout(this.#timer);
    if (this.#onAbort !== undefined) this.#request.signal?.removeEventListener("abort", this.#onAbort);
    this.#tools.running.delete(this);
    return true;
  }

  #where(): string {
    return this.#url?.origin ?? "the URL";
  }
}

function onTimer(exchange: RunningExchange): void {
  exchange.timeOut();
}

function asList(headers: Readonly<Record<string, string>> | undefined): string[] {
  const list: string[] = [];
  let codings = false;
  for (const name in headers) {
    const lower = name.toLowerCase();
    if (ownHeaders.has(lower)) continue;
    if (lower === "accept-encoding") codings = true;
    list.push(lower, headers[name] as string);
  }
  if (!codings) list.push("accept-encoding", acceptedCodings);
  return list;
}

/** One string a name; cookies are nobody's business here. Undici gives an array only where a name repeats. */
function joined(fields: Record<string, string | string[] | undefined>): Readonly<Record<string, string>> {
  let plain = true;
  for (const name in fields) {
    if (typeof fields[name] !== "string" || name === "set-cookie") plain = false;
  }
  if (plain) return fields as Record<string, string>;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || name === "set-cookie" || name === "__proto__") continue;
    headers[name] = typeof value === "string" ? value : value.join(", ");
  }
  return headers;
}
