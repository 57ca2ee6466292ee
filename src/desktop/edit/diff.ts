/** What an edit changed, as lines with a sign before each and a little round them. Pure. */
import { DIFF_CONTEXT_LINES, MAX_DIFF_CELLS, MAX_SHOWN_LINE_CHARS } from "../limits.ts";
import type { Format } from "./change.ts";
import { maskConfig } from "./mask.ts";

export interface DiffLine {
  /** `gap`: unchanged lines that are left out. */
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
}

/** Empty when nothing changed. No value of an environment or a header is in it. */
export function diffConfig(
  before: string,
  after: string,
  { format, secrets }: { readonly format: Format; readonly secrets: readonly string[] },
): readonly DiffLine[] {
  if (before === after) return [];
  // Compared as they are, shown as they may be seen: both have the same lines.
  const old = linesOf(before);
  const next = linesOf(after);
  const shownOld = linesOf(maskConfig(before, { format, secrets }));
  const shownNext = linesOf(maskConfig(after, { format, secrets }));
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end))
    end += 1;
  // A value of several lines in TOML is not seen as one by its lines.
  const context = format === "toml" ? 0 : DIFF_CONTEXT_LINES;
  const same = (text: string): DiffLine => ({ kind: "same", text });
  const middle = { old: old.slice(start, old.length - end), next: next.slice(start, next.length - end) };
  const lines = walk(middle, {
    removed: (at) => ({ kind: "removed", text: shownOld[start + at] ?? "" }),
    added: (at) => ({ kind: "added", text: shownNext[start + at] ?? "" }),
    same: (at) => same(shownNext[start + at] ?? ""),
  });
  return [
    ...shownNext.slice(Math.max(0, start - context), start).map(same),
    ...shortened(lines, context),
    ...shownNext.slice(next.length - end, Math.min(next.length, next.length - end + context)).map(same),
  ].map(({ kind, text }) => ({ kind, text: cut(text) }));
}

interface Make {
  readonly removed: (at: number) => DiffLine;
  readonly added: (at: number) => DiffLine;
  readonly same: (at: number) => DiffLine;
}

/** By the longest common run of lines; two long texts are just told one after the other. */
function walk(
  { old, next }: { readonly old: readonly string[]; readonly next: readonly string[] },
  make: Make,
): readonly DiffLine[] {
  if (old.length * next.length > MAX_DIFF_CELLS) {
    return [...old.map((_line, at) => make.removed(at)), ...next.map((_line, at) => make.added(at))];
  }
  const width = next.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let one = old.length - 1; one >= 0; one -= 1) {
    for (let other = next.length - 1; other >= 0; other -= 1) {
      common[one * width + other] =
        old[one] === next[other]
          ? (common[(one + 1) * width + other + 1] ?? 0) + 1
          : Math.max(common[(one + 1) * width + other] ?? 0, common[one * width + other + 1] ?? 0);
    }
  }
  const lines: DiffLine[] = [];
  let one = 0;
  let other = 0;
  while (one < old.length || other < next.length) {
    if (one < old.length && other < next.length && old[one] === next[other]) {
      lines.push(make.same(other));
      one += 1;
      other += 1;
    } else if (
      one < old.length &&
      (other === next.length ||
        (common[(one + 1) * width + other] ?? 0) >= (common[one * width + other + 1] ?? 0))
    ) {
      lines.push(make.removed(one));
      one += 1;
    } else {
      lines.push(make.added(other));
      other += 1;
    }
  }
  return lines;
}

/** Long runs of unchanged lines between two changes are left out. */
function shortened(lines: readonly DiffLine[], context: number): readonly DiffLine[] {
  const near = (at: number): boolean =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== "same");
  return lines.flatMap((line, at): readonly DiffLine[] => {
    if (line.kind !== "same" || near(at)) return [line];
    return at > 0 && !near(at - 1) ? [] : [{ kind: "gap", text: "" }];
  });
}

function cut(text: string): string {
  return text.length > MAX_SHOWN_LINE_CHARS ? `${text.slice(0, MAX_SHOWN_LINE_CHARS)}…` : text;
}

function linesOf(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
