/** A tree as lines of text, each branch drawn; a node's text may have several lines. */

export interface TreeNode {
  readonly text: string;
  readonly children?: readonly TreeNode[];
}

export function treeLines({ text, children = [] }: TreeNode): readonly string[] {
  const lines = text.split("\n");
  for (const [at, child] of children.entries()) {
    const last = at === children.length - 1;
    for (const [line, content] of treeLines(child).entries()) {
      const branch = line > 0 ? (last ? "   " : "│  ") : last ? "└─ " : "├─ ";
      lines.push(`${branch}${content}`);
    }
  }
  return lines;
}
