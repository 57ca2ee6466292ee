/**
 * Asks for documents and keeps the log: each URL once, conditionally where it is remembered, within what one discovery may
 * cost. It tells apart an answer, nothing, and no evidence; what a document says is judge-document's work.
 */
import type { DocumentMemory, Exchange } from "../spec/index.ts";
import { SERVER_CARD_TYPE } from "../spec/index.ts";
import { askAgain } from "./ask-again.ts";
import type { DocumentAnswer } from "./document.ts";
import { rememberDocument, renewMemory } from "./document-memory.ts";
import { DOCUMENT_TIMEOUT_MS, MAX_DOCUMENT_BYTES, MAX_PAGE_BYTES } from "./limits.ts";
import type {
  DiscoveryCut,
  DiscoveryLimits,
  DiscoveryRequest,
  DocumentStore,
  KnownDocument,
  RequestOutcome,
} from "./types.ts";

/** The card's type first; the last is for servers that refuse what they don't know. */
export const DOCUMENT_ACCEPT = `${SERVER_CARD_TYPE}, application/ai-catalog+json, application/json;q=0.9, */*;q=0.1`;
const PAGE_ACCEPT = "text/html, application/xhtml+xml, */*;q=0.1";

/** A text to be judged, as it is published. */
export interface ReceivedDocument {
  readonly url: string;
  readonly answeredBy: string;
  readonly text: string;
  readonly cut: boolean;
  readonly utf8: boolean;
  readonly stale: boolean;
  readonly memory: DocumentMemory | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Writes the line of the log, with what was found in it. */
  log(result: RequestOutcome, outcome: string): void;
}

export interface DocumentReader {
  /** Null when there is nothing to judge; the log says why. `step` names the kind that is looked for. */
  read(url: string, step: string): Promise<ReceivedDocument | null>;
  /** A page, for the links in it: only its beginning is read. */
  readPage(url: string): Promise<ReceivedDocument | null>;
  readonly requests: readonly DiscoveryRequest[];
  readonly cuts: readonly DiscoveryCut[];
  /** Says once that something was left out because of `limit`. */
  cut(limit: DiscoveryCut["limit"], message: string): void;
  /** False when nothing more may be asked in this discovery. */
  hasTime(): boolean;
}

export interface ReaderOptions {
  readonly exchange: Exchange;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
  readonly memory: DocumentStore | undefined;
  readonly onRequest: ((request: DiscoveryRequest) => void) | undefined;
  readonly limits: DiscoveryLimits;
}

export function createDocumentReader(options: ReaderOptions): DocumentReader {
  const { exchange, signal, now, memory, limits } = options;
  const requests: DiscoveryRequest[] = [];
  const cuts = new Map<string, DiscoveryCut>();
  const asked = new Set<string>();
  const end = now() + limits.totalMs;
  let left = limits.documents;

  function cut(limit: DiscoveryCut["limit"], message: string): void {
    if (!cuts.has(limit) || limit === "bytes")
      cuts.set(`${limit} ${limit === "bytes" ? message : ""}`, { limit, message });
  }

  function hasTime(): boolean {
    if (now() < end) return true;
    cut("time", `Not everything was asked: ${limits.totalMs / 1_000} s were up.`);
    return false;
  }

  function mayAsk(url: string): boolean {
    if (asked.has(url) || !hasTime()) return false;
    if (left === 0) {
      cut("documents", `Not every document was read: ${limits.documents} requests are the most.`);
      return false;
    }
    left -= 1;
    asked.add(url);
    return true;
  }

  async function receive(
    url: string,
    { step, page }: { readonly step: string; readonly page: boolean },
  ): Promise<ReceivedDocument | null> {
    if (!mayAsk(url)) return null;
    const kept = page ? null : ((await memory?.get(url)) ?? null);
    const known = kept?.text == null ? null : kept;
    const { answer, unchanged } = await askAgain(url, {
      exchange,
      now,
      ...(signal === undefined ? {} : { signal }),
      // Who has less time for all of it does not wait longer for one.
      timeoutMs: Math.min(DOCUMENT_TIMEOUT_MS, limits.totalMs),
      maxBodyBytes: page ? MAX_PAGE_BYTES : MAX_DOCUMENT_BYTES,
      mayBeCut: true,
      headers: { accept: page ? PAGE_ACCEPT : DOCUMENT_ACCEPT },
      memory: known?.memory ?? null,
    });
    const base = {
      step,
      method: "GET",
      url,
      status: answer.kind === "answer" ? answer.status : null,
      ms: answer.ms,
      answeredBy: answer.kind === "answer" ? answer.url : null,
    };
    const log = (result: RequestOutcome, outcome: string): void => {
      const line = { ...base, result, outcome, ok: result === "found" || result === "unchanged" };
      requests.push(line);
      options.onRequest?.(line);
    };
    if (answer.kind === "answer" && answer.text !== null) {
      const fresh = rememberDocument(url, answer.headers, now());
      if (!page && !answer.cut) {
        await memory?.set(url, {
          memory: fresh,
          answeredBy: answer.url,
          text: answer.text,
          utf8: answer.utf8,
        });
      }
      return {
        url,
        answeredBy: answer.url,
        text: answer.text,
        cut: answer.cut,
        utf8: answer.utf8,
        stale: false,
        memory: fresh,
        headers: answer.headers,
        log,
      };
    }
    if (answer.kind === "answer" && unchanged && known !== null) {
      const renewed = renewMemory(known.memory, answer.headers, now());
      await memory?.set(url, { ...known, memory: renewed });
      const unchangedLog: typeof log = (result, outcome) =>
        log(result === "found" ? "unchanged" : result, `unchanged: ${outcome}`);
      const asBefore = { url, stale: false, headers: answer.headers, log: unchangedLog };
      return fromMemory({ ...known, memory: renewed }, asBefore);
    }
    const { result, outcome } = outcomeOf(answer);
    // What was known stands while the origin says neither yes nor no.
    if (known !== null && result !== "nothing" && result !== "blocked") {
      log(result, `${outcome}; what was read at ${known.memory.readAt} is kept`);
      return fromMemory(known, { url, stale: true, headers: {}, log: () => {} });
    }
    log(result, outcome);
    return null;
  }

  return {
    read: (url, step) => receive(url, { step, page: false }),
    readPage: (url) => receive(url, { step: "page", page: true }),
    requests,
    get cuts() {
      return [...cuts.values()];
    },
    cut,
    hasTime,
  };
}

function fromMemory(
  known: KnownDocument,
  now: Pick<ReceivedDocument, "url" | "stale" | "headers" | "log">,
): ReceivedDocument {
  return {
    ...now,
    answeredBy: known.answeredBy,
    text: known.text ?? "",
    utf8: known.utf8 !== false,
    cut: false,
    memory: known.memory,
  };
}

/** What an answer without a document says. Pure. */
export function outcomeOf(answer: DocumentAnswer): {
  readonly result: RequestOutcome;
  readonly outcome: string;
} {
  if (answer.kind === "failure") {
    const { code, message } = answer;
    if (code === "blocked") return { result: "blocked", outcome: message };
    if (code === "too-large") return { result: "too-large", outcome: message };
    return {
      result: code === "unreachable" || code === "tls-failed" ? "unreachable" : "later",
      outcome: message,
    };
  }
  const { status } = answer;
  if (status === 401 || status === 403) {
    return { result: "denied", outcome: `${status}: such a document must be readable without a credential` };
  }
  if (status === 408 || status === 429 || status >= 500) {
    return { result: "later", outcome: `${status}, which says nothing about the document` };
  }
  return { result: "nothing", outcome: `${status}: nothing is published here` };
}
