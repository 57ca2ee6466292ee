/** How a text is laid out, and pieces put in its place. Pure. */

export interface Splice {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/** All pieces, by their offsets in the text as it was; those of one offset in their order. */
export function splice(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { offset, length, content } of splices.toSorted((one, other) => one.offset - other.offset)) {
    parts.push(text.slice(at, offset), content);
    at = offset + length;
  }
  return parts.join("") + text.slice(at);
}

/** The white space at the beginning of the line of this offset. */
export function indentBefore(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** One step of the text's indent: that of its first indented line, else two spaces. */
export function unitOf(text: string): string {
  return /^([ \t]+)["}\]]/m.exec(text)?.[1] ?? "  ";
}
