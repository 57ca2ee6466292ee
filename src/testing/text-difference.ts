/** Two texts' lines side by side, where they differ, with some lines around: for people who read a failed test. Pure. */
import { MAX_DIFFERENCE_LINES } from "./limits.ts";

const AROUND = 2;

/** Lines of `before` alone begin with `-`, those of `after` alone with `+`. */
export function textDifference(before: string, after: string): string {
  const [old, fresh] = [before, after].map((text) => text.replaceAll("\r\n", "\n").trimEnd().split("\n"));
  const lines = matched(old as string[], fresh as string[]);
  const near = lines.map((_, at) =>
    lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith("  ")),
  );
  const shown: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (near[at]) shown.push(line);
    else if (near[at - 1]) shown.push("  …");
  }
  const rest = shown.length - MAX_DIFFERENCE_LINES;
  return (rest > 0 ? [...shown.slice(0, MAX_DIFFERENCE_LINES), `  … ${rest} lines more`] : shown).join("\n");
}

/** What begins and ends alike is set aside; between, the longest common run of lines, while that is no long work. */
function matched(old: readonly string[], fresh: readonly string[]): readonly string[] {
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start += 1;
  let end = 0;
  const room = Math.min(old.length, fresh.length) - start;
  while (end < room && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const [was, is] = [old.slice(start, old.length - end), fresh.slice(start, fresh.length - end)];
  const same = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [...same(old.slice(0, start)), ...between(was, is), ...same(old.slice(old.length - end))];
}

function between(was: readonly string[], is: readonly string[]): readonly string[] {
  if (was.length * is.length > 4_000_000) {
    return [...was.map((line) => `- ${line}`), ...is.map((line) => `+ ${line}`)];
  }
  const width = is.length + 1;
  const common = new Uint32Array((was.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = was.length - 1; i >= 0; i -= 1) {
    for (let j = is.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = was[i] === is[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < was.length || j < is.length) {
    if (i < was.length && j < is.length && was[i] === is[j]) {
      lines.push(`  ${was[i]}`);
      i += 1;
      j += 1;
    } else if (j === is.length || (i < was.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`- ${was[i]}`);
      i += 1;
    } else {
      lines.push(`+ ${is[j]}`);
      j += 1;
    }
  }
  return lines;
}
