/**
 * What this tab holds: one connection, what it listed, the wire, the questions that wait for a person, the calls that were made. All of
 * it is memory only: a reload forgets it, the credential first.
 */
import { type ExplorerSettings, type JsonObject, type JsonValue, memberText } from "../../src/spec/index.ts";
import { boundedFetch } from "./connection/bounded-fetch.ts";
import type { Link, Notice, Prompt, Question, Resource, Tool } from "./connection/link.ts";
import { openLink } from "./connection/mcp-link.ts";
import { type Reason, reasonOf, stopped } from "./connection/reasons.ts";
import { recordingFetch } from "./connection/record-wire.ts";
import { endpointOf } from "./connection/relay-record.ts";
import { createWire, type Wire } from "./connection/wire.ts";
import {
  MAX_ANSWER_BYTES,
  MAX_HISTORY,
  MAX_HISTORY_CHARS,
  MAX_NOTICES,
  MAX_SECRETS,
  MAX_WAITING,
  RELIST_MS,
} from "./limits.ts";
import { createValue, type Value } from "./ui/value.ts";

/** Where to: a server that the browser speaks to itself, or a relay of a catalog, through it. */
export type Target =
  | { readonly kind: "direct"; readonly endpoint: string }
  | { readonly kind: "forwarded"; readonly relay: string };

export type Connection =
  | { readonly state: "none" }
  | { readonly state: "opening"; readonly target: Target }
  | { readonly state: "failed"; readonly target: Target; readonly reason: Reason }
  | { readonly state: "open"; readonly target: Target; readonly link: Link; readonly lost: string | null };

export interface Credential {
  /** Sent as `Authorization: Bearer`, which through a catalog is `X-Relay-Authorization` on the way there. */
  readonly token: string;
  /** `Name: value`, one a line; direct connections only. */
  readonly headers: string;
}

/** A list of the server, and how far reading it is. */
export interface Listing<T> {
  readonly state: "reading" | "read" | "failed";
  readonly items: readonly T[];
  readonly reason: Reason | null;
}

export interface Waiting {
  readonly number: number;
  readonly question: Question;
  readonly answer: (result: JsonObject) => void;
  readonly refuse: (message: string) => void;
}

export interface Call {
  readonly number: number;
  readonly what: "tool" | "resource" | "prompt";
  readonly name: string;
  readonly args: JsonValue;
  readonly at: number;
  readonly ms: number;
  readonly result: JsonObject | null;
  readonly reason: Reason | null;
  /** Characters of the result as JSON. */
  readonly size: number;
}

export interface Session {
  readonly settings: ExplorerSettings;
  readonly connection: Value<Connection>;
  readonly credential: Value<Credential>;
  readonly roots: Value<readonly string[]>;
  readonly tools: Value<Listing<Tool>>;
  readonly resources: Value<Listing<Resource>>;
  readonly prompts: Value<Listing<Prompt>>;
  readonly wire: Wire;
  readonly notices: Value<readonly Notice[]>;
  readonly waiting: Value<readonly Waiting[]>;
  readonly history: Value<readonly Call[]>;
  /** Secrets that are typed or were sent, for masking. */
  secrets(): readonly string[];
  /** The endpoint as the world sees it: for copied commands. */
  shownEndpoint(): string | null;
  connect(target: Target): Promise<void>;
  disconnect(): Promise<void>;
  relist(what: "tools" | "resources" | "prompts"): Promise<void>;
  /** Runs work as a call of the history. */
  call(
    what: Pick<Call, "what" | "name" | "args">,
    work: (link: Link, signal: AbortSignal) => Promise<{ readonly result: JsonObject }>,
    stop?: AbortSignal,
  ): Promise<Call>;
  reasonFor(error: unknown): Reason;
}

const nothingYet = { state: "reading", items: [], reason: null } as const;

export function createSession(settings: ExplorerSettings, page: URL): Session {
  const connection = createValue<Connection>({ state: "none" });
  const credential = createValue<Credential>({ token: "", headers: "" });
  const roots = createValue<readonly string[]>([]);
  const tools = createValue<Listing<Tool>>(nothingYet);
  const resources = createValue<Listing<Resource>>(nothingYet);
  const prompts = createValue<Listing<Prompt>>(nothingYet);
  const notices = createValue<readonly Notice[]>([]);
  const waiting = createValue<readonly Waiting[]>([]);
  const history = createValue<readonly Call[]>([]);
  const wire = createWire(memberText);
  const soon = new Map<string, ReturnType<typeof setTimeout>>();
  let number = 0;
  let attempt = new AbortController();
  let endpoint: string | null = settings.shown;

  /** One that was replaced is in older frames still. */
  const sent = new Set<string>();
  const secretsNow = (): readonly string[] => {
    const { token, headers } = credential.get();
    return [token, ...Object.values(headersOf({ token: "", headers }))].filter((secret) => secret !== "");
  };
  const sending = (): Credential => {
    for (const secret of secretsNow()) sent.add(secret);
    for (const secret of sent) if (sent.size > MAX_SECRETS) sent.delete(secret);
    return credential.get();
  };

  const ask = (question: Question): Promise<JsonObject> =>
    new Promise((resolve, reject) => {
      if (waiting.get().length >= MAX_WAITING) return reject(new Error("too many questions wait already"));
      number += 1;
      const mine = number;
      const done = (): void => waiting.set((all) => all.filter((one) => one.number !== mine));
      const answer = (result: JsonObject): void => {
        done();
        resolve(result);
      };
      const refuse = (message: string): void => {
        done();
        reject(new Error(message));
      };
      question.signal.addEventListener("abort", () => refuse("taken back"), { once: true });
      waiting.set((all) => [...all, { number: mine, question, answer, refuse }]);
    });

  function crossOrigin(target: Target | null): boolean {
    return target?.kind === "direct" && new URL(target.endpoint, page).origin !== page.origin;
  }

  function targetNow(): Target | null {
    const now = connection.get();
    return now.state === "none" ? null : now.target;
  }

  async function open(target: Target, signal: AbortSignal): Promise<Link> {
    const plainFetch = boundedFetch(
      (input, init) => globalThis.fetch(input, { credentials: "omit", ...init }),
      MAX_ANSWER_BYTES,
    );
    const common = {
      ask,
      signal,
      roots: () => roots.get(),
      notice: (notice: Notice) => {
        notices.set((all) => [...all, notice].slice(-MAX_NOTICES));
        const list = /^notifications\/(tools|resources|prompts)\/list_changed$/.exec(notice.method)?.[1];
        if (list !== undefined) relistSoon(list as "tools");
      },
      closed: (reason: string) =>
        connection.set((now) =>
          now.state === "open" && now.target === target ? { ...now, lost: reason } : now,
        ),
    };
    const recorded = (headers: () => Readonly<Record<string, string>>) =>
      recordingFetch(plainFetch, { wire, headers, now: Date.now });
    if (target.kind === "forwarded") {
      const catalog = new URL(settings.catalog ?? "../", page);
      const record = new URL(`v1/relays/${encodeURIComponent(target.relay)}`, catalog);
      const fetch = recorded(() => relayCredential(sending()));
      const through = new URL(`${record.pathname}/mcp`, record);
      const [link, known] = await Promise.all([
        openLink({ ...common, kind: "forwarded", endpoint: through, fetch, wire }),
        endpointOf(record, { fetch: plainFetch, signal }),
      ]);
      endpoint = known;
      return link;
    }
    const url = new URL(target.endpoint, page);
    endpoint =
      settings.endpoint !== null && settings.endpoint === target.endpoint ? settings.shown : url.href;
    const fetch = recorded(() => headersOf(sending()));
    return openLink({ ...common, kind: "direct", endpoint: url, fetch, wire });
  }

  async function connect(target: Target): Promise<void> {
    await disconnect();
    attempt = new AbortController();
    const { signal } = attempt;
    connection.set({ state: "opening", target });
    for (const list of [tools, resources, prompts]) list.set(nothingYet);
    try {
      const link = await open(target, signal);
      if (signal.aborted) return void (await link.close());
      connection.set({ state: "open", target, link, lost: null });
      await Promise.all([relist("tools"), relist("resources"), relist("prompts")]);
    } catch (error) {
      if (signal.aborted) return;
      connection.set({
        state: "failed",
        target,
        reason: reasonOf(error, { crossOrigin: crossOrigin(target), said: wire.refusal() }),
      });
    }
  }

  async function disconnect(): Promise<void> {
    attempt.abort();
    const now = connection.get();
    for (const { refuse } of waiting.get()) refuse("the connection was closed");
    connection.set({ state: "none" });
    if (now.state === "open") await now.link.close().catch(() => undefined);
  }

  async function relist(what: "tools" | "resources" | "prompts"): Promise<void> {
    const now = connection.get();
    if (now.state !== "open") return;
    const list = { tools, resources, prompts }[what] as unknown as Value<Listing<never>>;
    list.set((before) => ({ ...before, state: "reading", reason: null }));
    try {
      const items = (await now.link[what]()) as readonly never[];
      if (connection.get().state === "open") list.set({ state: "read", items, reason: null });
    } catch (error) {
      list.set((before) => ({ ...before, state: "failed", reason: reasonFor(error) }));
    }
  }

  /** Servers tell of each tool that they add: one reading is enough for all of them. */
  function relistSoon(what: "tools" | "resources" | "prompts"): void {
    clearTimeout(soon.get(what));
    soon.set(
      what,
      setTimeout(() => void relist(what), RELIST_MS),
    );
  }

  function reasonFor(error: unknown): Reason {
    return reasonOf(error, { crossOrigin: crossOrigin(targetNow()), said: wire.refusal() });
  }

  return {
    settings,
    connection,
    credential,
    roots,
    tools,
    resources,
    prompts,
    wire,
    notices,
    waiting,
    history,
    secrets: () => [...new Set([...secretsNow(), ...sent])],
    shownEndpoint: () => endpoint,
    connect,
    disconnect,
    relist,
    async call(about, work, stop = new AbortController().signal) {
      const now = connection.get();
      if (now.state !== "open") throw new Error("there is no connection");
      number += 1;
      const at = Date.now();
      const started = performance.now();
      const made = await work(now.link, stop).then(
        ({ result }) => ({ result, reason: null }),
        (error: unknown) => ({ result: null, reason: stop.aborted ? stopped : reasonFor(error) }),
      );
      const ms = performance.now() - started;
      const size = sizeOf(made.result);
      const call: Call = { ...about, ...made, number, at, ms, size };
      history.set((all) => keptOf([call, ...all]));
      return call;
    },
    reasonFor,
  };
}

/** The newest calls, as many as there is room for. */
function keptOf(calls: readonly Call[]): readonly Call[] {
  let chars = 0;
  return calls.slice(0, MAX_HISTORY).filter(({ size }, at) => {
    chars += size;
    return at === 0 || chars <= MAX_HISTORY_CHARS;
  });
}

/** One that is too deep to be written is taken for a large one. */
function sizeOf(result: JsonObject | null): number {
  try {
    return result === null ? 0 : JSON.stringify(result).length;
  } catch {
    return MAX_HISTORY_CHARS;
  }
}

/** What a person typed as headers; lines that are none are left out. */
export function headersOf({ token, headers }: Credential): Readonly<Record<string, string>> {
  const own = headers.split("\n").flatMap((line): [string, string][] => {
    const [, name, value] = /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s*([\x20-\x7e]*\S)\s*$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return { ...(token === "" ? {} : { authorization: `Bearer ${token}` }), ...Object.fromEntries(own) };
}

/** What a catalog takes for the relay: `Authorization` would be its own. */
function relayCredential({ token }: Credential): Readonly<Record<string, string>> {
  return token === "" ? {} : { "x-relay-authorization": `Bearer ${token}` };
}
