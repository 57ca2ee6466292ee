/**
 * What an origin says of its relay at `/.well-known/openmcp.json` (OpenMCP 0.1 "The descriptor"; wire.md "The descriptor").
 * `askDocument` fetches, `judgeDescriptor` turns the answer into a verdict; no evidence is told apart from "there is none",
 * because only the latter may take an earlier proof away. Whom the descriptor may speak for is the caller's question.
 */
import {
  canonicalEndpoint,
  DESCRIPTOR_PATH,
  type Descriptor,
  type DocumentMemory,
  type ProbeStep,
  parseDescriptor,
} from "../spec/index.ts";
import { askAgain } from "./ask-again.ts";
import type { DocumentAnswer, ReadOptions } from "./document.ts";
import { isFresh, rememberDocument, renewMemory } from "./document-memory.ts";
import { MAX_DOCUMENT_BYTES, MAX_ENDPOINT_CHARS } from "./limits.ts";

/**
 * `served`: there is one. `absent`: the origin answered, and it is none. `unknown`: no evidence either way (timeout, 5xx,
 * 401, unreachable). `blocked`: the network policy forbids to ask. `problem` is a sentence.
 */
export type DescriptorOutcome =
  | {
      readonly outcome: "served";
      readonly descriptor: Descriptor;
      /** Absolute URL of `mcp`, resolved on `source`. */
      readonly endpoint: string;
      /** The URL that answered, after redirects. */
      readonly source: string;
    }
  | { readonly outcome: "absent" | "unknown" | "blocked"; readonly problem: string };

export interface DescriptorLook {
  /** The URL that was asked. */
  readonly url: string;
  /** The URL that answered; null when none did. */
  readonly answeredBy: string | null;
  readonly found: DescriptorOutcome;
  /** What to ask for it again by; null when none is served. */
  readonly document: DocumentMemory | null;
  readonly step: ProbeStep;
}

/** A descriptor that was read before, and what it was served with then. */
export interface KnownDescriptor {
  readonly document: DocumentMemory;
  readonly found: DescriptorOutcome & { readonly outcome: "served" };
  /** True: while it says that it is fresh, it is not asked for. */
  readonly trustFreshness: boolean;
}

/** The descriptor's URL on the origin of `url`. */
export function descriptorUrl(url: string): string {
  return new URL(DESCRIPTOR_PATH, url).href;
}

/**
 * Reads the descriptor on the origin of `originOrUrl`; at most 1 MiB, 15 s, 3 redirects. One that is `known` is asked for
 * conditionally, and not at all while it is fresh and that may be trusted.
 * @throws OpenMcpError `aborted` when the signal fires; what the origin does never rejects.
 */
export async function readDescriptor(
  originOrUrl: string,
  options: ReadOptions & { readonly known?: KnownDescriptor | null },
): Promise<DescriptorLook> {
  const url = descriptorUrl(originOrUrl);
  const known = options.known?.document.url === url ? options.known : null;
  if (known?.trustFreshness === true && isFresh(known.document, options.now())) return stillFresh(known);
  const { answer, unchanged } = await askAgain(url, {
    ...options,
    maxBodyBytes: MAX_DOCUMENT_BYTES,
    memory: known?.document ?? null,
  });
  if (unchanged && known !== null && answer.kind === "answer") {
    return stillServed(known, { answer, now: options.now() });
  }
  return look(url, answer, options.now());
}

function look(url: string, answer: DocumentAnswer, now: number): DescriptorLook {
  const found = judgeDescriptor(answer);
  const served = answer.kind === "answer" && found.outcome === "served";
  return {
    url,
    answeredBy: answer.kind === "answer" ? answer.url : null,
    found,
    document: served ? rememberDocument(url, answer.headers, now) : null,
    step: {
      step: "descriptor",
      method: "GET",
      url,
      status: answer.kind === "answer" ? answer.status : null,
      ms: answer.ms,
      outcome: found.outcome === "served" ? `a descriptor that names ${found.endpoint}` : found.problem,
      ok: found.outcome === "served",
    },
  };
}

function stillServed(
  known: KnownDescriptor,
  { answer, now }: { readonly answer: DocumentAnswer & { readonly kind: "answer" }; readonly now: number },
): DescriptorLook {
  const { url } = known.document;
  return {
    url,
    answeredBy: known.found.source,
    found: known.found,
    document: renewMemory(known.document, answer.headers, now),
    step: {
      step: "descriptor",
      method: "GET",
      url,
      status: answer.status,
      ms: answer.ms,
      outcome: `the same descriptor as before, which names ${known.found.endpoint}`,
      ok: true,
    },
  };
}

function stillFresh({ document, found }: KnownDescriptor): DescriptorLook {
  const { url } = document;
  return {
    url,
    answeredBy: found.source,
    found,
    document,
    step: {
      step: "descriptor",
      method: "GET",
      url,
      status: null,
      ms: 0,
      outcome: `not asked for: what was read at ${document.readAt} is fresh, and names ${found.endpoint}`,
      ok: true,
    },
  };
}

/** What an answer says about the descriptor. Pure. */
export function judgeDescriptor(answer: DocumentAnswer): DescriptorOutcome {
  if (answer.kind === "failure") return judgeFailure(answer);
  const { status, text, url } = answer;
  if (text !== null) {
    const reading = parseDescriptor(text, url);
    if (!reading.ok) return absent(`no descriptor: ${reading.problem}`);
    const { descriptor, endpoint } = reading;
    if (endpoint.length > MAX_ENDPOINT_CHARS) {
      return absent(`no descriptor: "mcp" is longer than ${MAX_ENDPOINT_CHARS} characters`);
    }
    if (!isEndpoint(endpoint)) return absent('no descriptor: "mcp" names no host');
    return { outcome: "served", descriptor, endpoint, source: url };
  }
  if (status === 401 || status === 403) {
    return unknown(`the origin answered ${status}: a descriptor must be readable without a credential`);
  }
  if (status === 408 || status === 429 || status >= 500 || status < 400) {
    return unknown(`the origin answered ${status}, which says nothing about a descriptor`);
  }
  return absent(`no descriptor: the origin answered ${status}`);
}

function judgeFailure(answer: DocumentAnswer & { readonly kind: "failure" }): DescriptorOutcome {
  if (answer.code === "blocked") return { outcome: "blocked", problem: answer.message };
  // The origin did answer, with something that no descriptor is.
  if (answer.code === "too-large") return absent("no descriptor: the document is larger than 1 MiB");
  return unknown(answer.message);
}

function isEndpoint(url: string): boolean {
  try {
    return canonicalEndpoint(url) !== "";
  } catch {
    return false;
  }
}

function absent(problem: string): DescriptorOutcome {
  return { outcome: "absent", problem };
}

function unknown(problem: string): DescriptorOutcome {
  return { outcome: "unknown", problem };
}
