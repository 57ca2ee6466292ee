/** What the pages tell people to type: the lines of their `sh` blocks, each whole, with where it stands. */
import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export const root = join(import.meta.dirname, "../..");

export interface Block {
  /** `docs/cli.md`. */
  readonly page: string;
  /** Of its first line of text, counted from 1. */
  readonly line: number;
  /** What stands behind the fence; empty for none. */
  readonly language: string;
  readonly text: string;
}

export interface ShellLine {
  readonly page: string;
  readonly line: number;
  readonly text: string;
  /** Exports and aliases that stand before it on its page. */
  readonly before: readonly string[];
}

export async function blocksOf(page: string): Promise<readonly Block[]> {
  const text = await readFile(join(root, page), "utf8");
  return [...text.matchAll(/^```(\w*)\n((?:(?!```).*\n)*)```$/gm)].map(
    ({ 1: language = "", 2: inner = "", index }) => ({
      page,
      line: text.slice(0, index).split("\n").length + 1,
      language,
      text: inner,
    }),
  );
}

export async function docsPages(): Promise<readonly string[]> {
  const names = await readdir(join(root, "docs"), { recursive: true });
  return names
    .filter((path) => path.endsWith(".md"))
    .map((path) => `docs/${path.replaceAll("\\", "/")}`)
    .sort();
}

/**
 * The lines of one page's blocks.
 * @throws Error for what bash can't parse.
 */
export function shellLines(blocks: readonly Block[]): readonly ShellLine[] {
  const before: string[] = [];
  return blocks.flatMap((block) => linesOf(block, before));
}

function linesOf(block: Block, before: string[]): readonly ShellLine[] {
  const found: ShellLine[] = [];
  let text = "";
  let first = block.line;
  for (const [at, row] of block.text.trimEnd().split("\n").entries()) {
    if (text === "") first = block.line + at;
    text = text === "" ? row : `${text}\n${row}`;
    if (!parses(text)) continue;
    if (/^(?:export|alias) /.test(text)) before.push(text);
    else if (!/^\s*(?:#|$)/.test(text))
      found.push({ page: block.page, line: first, text, before: [...before] });
    text = "";
  }
  if (text !== "") throw new Error(`${block.page}:${first}: bash can't parse ${text}`);
  return found;
}

/** A name in angle brackets is for the reader to fill in. */
function parses(text: string): boolean {
  const filled = text.replace(/<[a-z]+>/g, "it");
  return spawnSync("bash", ["-n", "-c", filled]).status === 0;
}
