/** Why a relay is among the results: where each word of the question stands. Pure; the store decides what matches, this only says why. */
import type { RelaySummary } from "../../spec/index.ts";

export interface Reason {
  readonly word: string;
  readonly where: "name" | "address" | "description" | "tag" | "tool";
  /** The tag or the tool; absent for the others, which are shown anyway. */
  readonly what?: string;
}

/** Words of a question that are told about: more is a paragraph, not a question. */
const MAX_WORDS = 8;

export function reasonsFor(relay: RelaySummary, q: string): readonly Reason[] {
  const all = [...new Set(fold(q).split(/\s+/u))].filter((word) => word !== "");
  // A single letter is somewhere in everything.
  const telling = all.filter((word) => word.length > 1);
  const words = (telling.length > 0 ? telling : all).slice(0, MAX_WORDS);
  return words.map((word) => reasonFor(relay, word)).filter((reason) => reason !== null);
}

/** The first that tells most. */
function reasonFor({ id, name, description, tags, tools }: RelaySummary, word: string): Reason | null {
  const has = (text: string): boolean => fold(text).includes(word);
  if (name !== null && has(name)) return { word, where: "name" };
  const tool = tools.find(has);
  if (tool !== undefined) return { word, where: "tool", what: tool };
  const tag = tags.find(has);
  if (tag !== undefined) return { word, where: "tag", what: tag };
  if (description !== null && has(description)) return { word, where: "description" };
  return has(id) ? { word, where: "address" } : null;
}

/** As lists fold what they look for (store/words.ts). */
function fold(text: string): string {
  return text.toWellFormed().normalize("NFKC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
