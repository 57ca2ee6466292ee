/** What changed between two lists of tools, for people: what breaks callers first, each with its place. */
import type { Compatibility, CompatibilityChange } from "../../spec/index.ts";
import { count } from "../format/facts.ts";
import { printableLine } from "../terminal/printable.ts";
import type { Style } from "../terminal/style.ts";

export function reportText({ compatible, changes }: Compatibility, style: Style): string {
  if (changes.length === 0) return `${style.good("✓")} The tools are the same.`;
  const breaking = changes.filter((change) => change.breaking);
  const safe = changes.filter((change) => !change.breaking);
  const verdict = compatible
    ? `${style.good("✓")} Callers go on: ${count(safe.length, "change")}, and none breaks them.`
    : `${style.bad("✗")} ${count(breaking.length, "change")} ${breaking.length === 1 ? "breaks" : "break"} callers.`;
  return [
    ...section(style.bad("✗ breaks callers"), breaking, style),
    ...section(style.good("✓ breaks nobody"), safe, style),
    verdict,
  ].join("\n");
}

function section(title: string, changes: readonly CompatibilityChange[], style: Style): readonly string[] {
  if (changes.length === 0) return [];
  const lines = changes.map(({ tool, message, pointer }) => {
    const place = pointer === "" ? "" : `  ${style.quiet(printableLine(pointer))}`;
    return `  ${style.strong(printableLine(tool))}: ${printableLine(message)}${place}`;
  });
  return [title, ...lines, ""];
}
