/**
 * What an endpoint's own origin says of it in a Server Card: the one that vouched before, else the one at the place that is reserved
 * beside the endpoint (wire.md "The descriptor"). No evidence is told apart from "there is none", as with a descriptor.
 */
import { type DocumentMemory, type ProbeStep, type ServerCard, serverCardUrl } from "../spec/index.ts";
import { askAgain } from "./ask-again.ts";
import type { DocumentAnswer, ReadOptions } from "./document.ts";
import { isFresh, rememberDocument, renewMemory } from "./document-memory.ts";
import { DOCUMENT_ACCEPT, outcomeOf } from "./document-reader.ts";
import { judgeDocument } from "./judge-document.ts";
import { MAX_DOCUMENT_BYTES } from "./limits.ts";
import { cardNamesEndpoint, cardsOf } from "./vouching.ts";

/**
 * `served`: one that names the endpoint. `unchanged`: the one that is known still does. `absent`: there is none, or it names another.
 * `unknown`: no evidence either way; `blocked`: the network policy forbids to ask.
 */
export type CardOutcome =
  | { readonly outcome: "served"; readonly card: ServerCard; readonly source: string }
  | { readonly outcome: "unchanged" }
  | { readonly outcome: "absent" | "unknown" | "blocked" };

export interface CardLook {
  readonly found: CardOutcome;
  /** What to ask for it again by; null when none is served. */
  readonly document: DocumentMemory | null;
  readonly steps: readonly ProbeStep[];
}

export interface KnownCard {
  /** Of the document that vouched at an earlier look: the card itself, or a catalog that it is in. */
  readonly document: DocumentMemory;
  /** True: while it says that it is fresh, it is not asked for. */
  readonly trustFreshness: boolean;
}

/**
 * Reads the card that vouches for `endpoint`; at most 1 MiB, 15 s, 3 redirects each, and two of them.
 * @throws OpenMcpError `aborted` when the signal fires; what the origin does never rejects.
 */
export async function readCard(
  endpoint: string,
  options: ReadOptions & { readonly known?: KnownCard | null },
): Promise<CardLook> {
  const known = options.known ?? null;
  const place = serverCardUrl(endpoint);
  if (known === null) return readAt(place, { ...options, endpoint, memory: null });
  const { document } = known;
  if (known.trustFreshness && isFresh(document, options.now())) return stillFresh(document);
  const again = await readAt(document.url, { ...options, endpoint, memory: document });
  if (again.found.outcome !== "absent" || document.url === place) return again;
  // It vouches no longer where it did; it may where every server has its card.
  const moved = await readAt(place, { ...options, endpoint, memory: null });
  return { ...moved, steps: [...again.steps, ...moved.steps] };
}

async function readAt(
  url: string,
  options: ReadOptions & { readonly endpoint: string; readonly memory: DocumentMemory | null },
): Promise<CardLook> {
  const { memory, endpoint, now } = options;
  const { answer, unchanged } = await askAgain(url, {
    ...options,
    maxBodyBytes: MAX_DOCUMENT_BYTES,
    // The card may be in a catalog, of which what its first MiB has was believed before.
    mayBeCut: true,
    headers: { accept: DOCUMENT_ACCEPT },
  });
  if (answer.kind === "answer" && unchanged && memory !== null) {
    return {
      found: { outcome: "unchanged" },
      document: renewMemory(memory, answer.headers, now()),
      steps: [
        stepOf(url, { answer, ok: true, outcome: "the same card as before, which names the endpoint" }),
      ],
    };
  }
  const { found, outcome } = judgeCard(answer, endpoint);
  const served = answer.kind === "answer" && found.outcome === "served";
  return {
    found,
    document: served ? rememberDocument(url, answer.headers, now()) : null,
    steps: [stepOf(url, { answer, ok: served, outcome })],
  };
}

/** What an answer says of the endpoint's card. Pure. */
export function judgeCard(
  answer: DocumentAnswer,
  endpoint: string,
): { readonly found: CardOutcome; readonly outcome: string } {
  if (answer.kind === "failure" || answer.text === null) {
    const { result, outcome } = outcomeOf(answer);
    if (result === "blocked") return { found: { outcome: "blocked" }, outcome };
    const absent = result === "nothing" || result === "too-large";
    return { found: { outcome: absent ? "absent" : "unknown" }, outcome };
  }
  const judged = judgeDocument({ text: answer.text, cut: answer.cut, url: answer.url });
  if (judged.kind === "nothing") return { found: { outcome: "absent" }, outcome: judged.outcome };
  const cards = cardsOf(judged, { url: answer.url });
  const card = cards.find((one) => cardNamesEndpoint(one, endpoint));
  if (card !== undefined) {
    return { found: { outcome: "served", card, source: answer.url }, outcome: judged.outcome };
  }
  const elsewhere = cards.length > 0 ? ", which names another endpoint" : "";
  return { found: { outcome: "absent" }, outcome: `${judged.outcome}${elsewhere}` };
}

function stillFresh(document: DocumentMemory): CardLook {
  const step: ProbeStep = {
    step: "card",
    method: "GET",
    url: document.url,
    status: null,
    ms: 0,
    outcome: `not asked for: what was read at ${document.readAt} is fresh, and names the endpoint`,
    ok: true,
  };
  return { found: { outcome: "unchanged" }, document, steps: [step] };
}

function stepOf(
  url: string,
  {
    answer,
    ok,
    outcome,
  }: { readonly answer: DocumentAnswer; readonly ok: boolean; readonly outcome: string },
): ProbeStep {
  const status = answer.kind === "answer" ? answer.status : null;
  return { step: "card", method: "GET", url, status, ms: answer.ms, outcome, ok };
}
