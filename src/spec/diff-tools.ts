/**
 * What changed between two lists of a relay's tools: added, removed, changed by which fields, renamed. Pure.
 * A tool whose meaning changes after it was trusted is a known attack: this reports the fact, and judges nothing.
 */
import { canonicalJson } from "./canonical-json.ts";
import type { ToolChange, ToolDiff, ToolRename } from "./change.ts";
import { changedPaths } from "./changed-paths.ts";
import { MAX_DETAIL_CHARS } from "./limits.ts";
import { pairRenames } from "./pair-renames.ts";
import type { ToolDefinition } from "./record.ts";

export interface DiffOptions {
  /** `sha256:<hex>` of a text. */
  readonly hash: (text: string) => string;
}

/**
 * Null when the lists are equal but for their order. A name that a list says twice counts once, by its first tool.
 * Fields are told up to a limit of characters in all, then as `""`: the whole definition.
 */
export function diffTools(
  before: readonly ToolDefinition[],
  after: readonly ToolDefinition[],
  { hash }: DiffOptions,
): ToolDiff | null {
  const [old, fresh] = [byName(before), byName(after)];
  let room = MAX_DETAIL_CHARS;
  const fieldsOf = (was: ToolDefinition, is: ToolDefinition): readonly string[] => {
    const { name: _was, ...wasBody } = was;
    const { name: _is, ...isBody } = is;
    const fields = room > 0 ? changedPaths(wasBody, isBody) : [""];
    room -= fields.reduce((sum, field) => sum + field.length, 0);
    return fields;
  };
  const hashes = (was: ToolDefinition, is: ToolDefinition) => ({
    from: hash(canonicalJson(was)),
    to: hash(canonicalJson(is)),
  });

  const changed: ToolChange[] = [];
  for (const [name, is] of fresh) {
    const was = old.get(name);
    if (was === undefined || canonicalJson(was) === canonicalJson(is)) continue;
    changed.push({ name, fields: fieldsOf(was, is), hash: hashes(was, is) });
  }
  const gone = [...old.values()].filter(({ name }) => !fresh.has(name));
  const come = [...fresh.values()].filter(({ name }) => !old.has(name));
  const pairs = pairRenames(gone, come);
  const paired = new Set([...pairs].flat());
  const renamed = pairs.map(
    ([was, is]): ToolRename => ({
      from: was.name,
      to: is.name,
      fields:
        canonicalJson({ ...was, name: "" }) === canonicalJson({ ...is, name: "" }) ? [] : fieldsOf(was, is),
      hash: hashes(was, is),
    }),
  );
  const added = come.filter((tool) => !paired.has(tool)).map(({ name }) => name);
  const removed = gone.filter((tool) => !paired.has(tool)).map(({ name }) => name);
  const nothing = added.length + removed.length + changed.length + renamed.length === 0;
  return nothing ? null : { added, removed, changed, renamed };
}

function byName(tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> {
  const named = new Map<string, ToolDefinition>();
  for (const tool of tools) if (!named.has(tool.name)) named.set(tool.name, tool);
  return named;
}
