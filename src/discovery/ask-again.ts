/**
 * One document, asked for by what is remembered of it: conditionally, and once more without conditions when a 304 comes that
 * nobody asked for, or whose body is not here. Whether the answer is any good is for who judges it.
 */
import type { DocumentMemory } from "../spec/index.ts";
import { type AskDocumentOptions, askDocument, type DocumentAnswer } from "./document.ts";
import { conditions } from "./document-memory.ts";

export interface AskedAgain {
  readonly answer: DocumentAnswer;
  /** What is remembered is still so. */
  readonly unchanged: boolean;
}

/** `memory`: null when nothing is remembered that a 304 could stand for. */
export async function askAgain(
  url: string,
  { memory, ...asked }: AskDocumentOptions & { readonly memory: DocumentMemory | null },
): Promise<AskedAgain> {
  const conditional = memory === null ? {} : conditions(memory);
  const answer = await askDocument(url, { ...asked, headers: { ...asked.headers, ...conditional } });
  if (answer.kind !== "answer" || answer.status !== 304) return { answer, unchanged: false };
  if (Object.keys(conditional).length > 0) return { answer, unchanged: true };
  // Nobody asked whether it changed: it is asked for once more, past whatever cache made this up.
  const headers = { ...asked.headers, "cache-control": "no-cache" };
  return { answer: await askDocument(url, { ...asked, headers }), unchanged: false };
}
