/**
 * Changes for those who follow them: the newest are read once and held for all, older ones are read by whoever is behind.
 * A follower has a place and nothing else, so one that is slow costs no memory here.
 */
import type { ChangesFilter } from "../spec/index.ts";
import type { Change } from "../store/index.ts";
import { checkSince } from "./changes-gone.ts";
import type { CatalogContext } from "./context.ts";
import { FEED_CHANGES, FEED_CHARS, FEED_POLL_MS, FEED_READ, FEED_READ_CHARS } from "./limits.ts";
import { type ToldChange, toldChange } from "./told-change.ts";

export interface FeedRead {
  /** In order; empty when none came in time. */
  readonly changes: readonly ToldChange[];
  /** The place after them, and after what the filter left out. */
  readonly next: number;
}

export interface FollowOptions extends ChangesFilter {
  /** Milliseconds to wait for a change. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

export interface ChangeFeed {
  /** The end of the log now: where one starts who wants only what is new. */
  latest(): Promise<number>;
  /** @throws OpenMcpError `gone` when `since` is no place in the log. */
  check(since: number): Promise<void>;
  /**
   * What comes after `since`, at once or as soon as there is something, at most a few dozen changes.
   * @throws OpenMcpError `gone` when `since` has fallen out of the log; rejects with the signal's reason.
   */
  follow(since: number, options: FollowOptions): Promise<FeedRead>;
  /** Idempotent: stops listening. */
  close(): void;
}

interface Held {
  readonly relayId: string;
  readonly change: ToldChange;
}

export function createChangeFeed({ store, clock }: CatalogContext): ChangeFeed {
  /** The newest changes, all that came after `tailFrom` up to `head`. */
  let tail: Held[] = [];
  let tailFrom = 0;
  let head: number | null = null;
  let catchingUp: Promise<void> | null = null;
  let waiting = new Set<() => void>();
  const stop = store.changes.onAppend(wakeAll);

  function wakeAll(): void {
    const woken = waiting;
    waiting = new Set();
    for (const wake of woken) wake();
  }

  /** Reads what was appended since the last time; all who ask at once share one reading. */
  function catchUp(): Promise<void> {
    catchingUp ??= readNew().finally(() => {
      catchingUp = null;
    });
    return catchingUp;
  }

  async function readNew(): Promise<void> {
    if (head === null) {
      head = await store.changes.latest();
      tailFrom = head;
      return;
    }
    if (!(await store.changes.goesOnFrom(head))) {
      // A restore, or a long sleep: whoever follows is behind what is left, and is told so.
      tail = [];
      head = await store.changes.latest();
      tailFrom = head;
      return;
    }
    for (;;) {
      const fresh: readonly Change[] = await store.changes.list(head, FEED_READ, { maxChars: FEED_CHARS });
      const last = fresh.at(-1);
      if (last === undefined) break;
      tail.push(...fresh.map((change) => ({ relayId: change.relayId, change: toldChange(change) })));
      head = last.seq;
      trim();
    }
  }

  function trim(): void {
    let chars = 0;
    let keep = 0;
    for (const { change } of tail.toReversed()) {
      chars += change.relay.text.length + (change.detail?.text.length ?? 0);
      if (keep >= FEED_CHANGES || (keep > 0 && chars > FEED_CHARS)) break;
      keep += 1;
    }
    const dropped = tail.slice(0, tail.length - keep);
    tail = tail.slice(tail.length - keep);
    tailFrom = dropped.at(-1)?.change.seq ?? tailFrom;
  }

  async function read(since: number, filter: ChangesFilter): Promise<FeedRead> {
    const end = head ?? since;
    if (since >= tailFrom) {
      const changes = tail.filter((held) => held.change.seq > since && isMeant(held, filter));
      return { changes: changes.map((held) => held.change), next: Math.max(since, end) };
    }
    const list = await store.changes.list(since, FEED_READ, { ...filter, maxChars: FEED_READ_CHARS });
    await check(since);
    return { changes: list.map(toldChange), next: list.at(-1)?.seq ?? Math.max(since, end) };
  }

  const check = (since: number): Promise<void> => checkSince(since, store.changes);

  async function follow(since: number, { waitMs, signal, ...filter }: FollowOptions): Promise<FeedRead> {
    const end = clock.now() + waitMs;
    let at = since;
    for (;;) {
      signal.throwIfAborted();
      await catchUp();
      const { changes, next } = await read(at, filter);
      if (changes.length > 0) return { changes, next };
      const behind = next < (head ?? next);
      at = next;
      const left = end - clock.now();
      if (left <= 0) return { changes: [], next: at };
      if (!behind) await woken(Math.min(left, FEED_POLL_MS), signal);
    }
  }

  /** Until something was appended here, or for `ms`: what other processes append is found by looking. */
  async function woken(ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const stopWaiting = (): void => over.abort(signal.reason);
    let wake: () => void = stopWaiting;
    const ring = new Promise<void>((resolve) => {
      wake = resolve;
      waiting.add(resolve);
    });
    signal.addEventListener("abort", stopWaiting, { once: true });
    try {
      await Promise.race([ring, clock.sleep(ms, over.signal)]);
    } finally {
      signal.removeEventListener("abort", stopWaiting);
      waiting.delete(wake);
      over.abort();
    }
  }

  return {
    async latest() {
      await catchUp();
      return head ?? 0;
    },
    check,
    follow,
    close: () => {
      stop();
      wakeAll();
    },
  };
}

function isMeant({ relayId, change }: Held, { relays, events }: ChangesFilter): boolean {
  if (events !== undefined && !events.includes(change.event)) return false;
  return relays === undefined || relays.includes(relayId);
}
