/**
 * What a list's `q` is compared with, the same for every adapter: each word of it, folded, has to occur
 * in the relay's id, name, description, tags or tool names. Ranked search of tools is search/.
 */
import type { RelaySummary } from "../spec/index.ts";

/** One form for what differs in case or compatibility spelling only. */
export function fold(text: string): string {
  return text.toWellFormed().normalize("NFKC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** The distinct words of a question, folded, longest first: the longest tells most. Empty when it is only white space. */
export function questionWords(q: string | undefined): readonly string[] {
  const words = fold(q ?? "")
    .replaceAll("\0", " ")
    .split(/\s+/u)
    .filter((word) => word !== "");
  return [...new Set(words)].sort((a, b) => b.length - a.length);
}

/** The text that a relay's words are looked for in; fields are lines, so that no word spans two. */
export function relayWords(summary: RelaySummary): string {
  const fields = [summary.id, summary.name, summary.description, ...summary.tags, ...summary.tools];
  return fold(
    fields
      .filter((field) => field !== null)
      .map((field) => field.replaceAll("\0", " "))
      .join("\n"),
  );
}
