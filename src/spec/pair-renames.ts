/**
 * Which of the tools that went and came are one tool under another name: the same definition but for the name, or one that
 * is very near. Pure. What could be paired in two ways is not paired: then tools went, and others came.
 */
import { canonicalJson } from "./canonical-json.ts";
import { isJsonObject, type JsonValue } from "./json.ts";
import { MAX_COMPARED_CHARS, MAX_RENAME_PAIRS, NEAR_ENOUGH } from "./limits.ts";
import type { ToolDefinition } from "./record.ts";

export type RenamedPair = readonly [from: ToolDefinition, to: ToolDefinition];

/** `gone` and `come` have no name in common. */
export function pairRenames(
  gone: readonly ToolDefinition[],
  come: readonly ToolDefinition[],
): readonly RenamedPair[] {
  const same = sameBodies(gone, come);
  const paired = new Set(same.flat());
  const left = gone.filter((tool) => !paired.has(tool));
  const right = come.filter((tool) => !paired.has(tool));
  return [...same, ...nearBodies(left, right)];
}

/** A body that one tool on each side has. A bare name or an empty schema is no body: many tools have that. */
function sameBodies(gone: readonly ToolDefinition[], come: readonly ToolDefinition[]): RenamedPair[] {
  const bodyOf = (tool: ToolDefinition): string => canonicalJson({ ...tool, name: "" });
  const went = Map.groupBy(gone.filter(hasSubstance), bodyOf);
  const came = Map.groupBy(come.filter(hasSubstance), bodyOf);
  return [...went].flatMap(([body, from]): RenamedPair[] => {
    const to = came.get(body) ?? [];
    const [one, other] = [from[0], to[0]];
    return from.length === 1 && to.length === 1 && one !== undefined && other !== undefined
      ? [[one, other]]
      : [];
  });
}

function hasSubstance(tool: ToolDefinition): boolean {
  const described = typeof tool.description === "string" && tool.description.trim() !== "";
  return described || parameters(tool).size > 0;
}

/** Pairs that are each other's nearest, with no second as near. Left out where the lists are so long that it would take long. */
function nearBodies(gone: readonly ToolDefinition[], come: readonly ToolDefinition[]): RenamedPair[] {
  if (gone.length * come.length > MAX_RENAME_PAIRS) return [];
  const [left, right] = [gone.map(sketch), come.map(sketch)];
  const nearness = left.map((one) => right.map((other) => near(one, other)));
  return nearness.flatMap((row, from): RenamedPair[] => {
    const best = Math.max(NEAR_ENOUGH, ...row);
    const to = row.indexOf(best);
    const column = nearness.map((other) => other[to] ?? 0);
    const single = [row, column].every((all) => all.filter((value) => value >= best).length === 1);
    const [was, is] = [gone[from], come[to]];
    return single && was !== undefined && is !== undefined ? [[was, is]] : [];
  });
}

interface Sketch {
  readonly words: ReadonlySet<string>;
  readonly parameters: ReadonlySet<string>;
}

function sketch(tool: ToolDefinition): Sketch {
  const description = typeof tool.description === "string" ? tool.description : "";
  const words =
    description
      .slice(0, MAX_COMPARED_CHARS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return { words: new Set(words), parameters: parameters(tool) };
}

/** Each parameter by name and type. */
function parameters(tool: ToolDefinition): ReadonlySet<string> {
  const schema = tool.inputSchema;
  const properties = isJsonObject(schema) ? schema.properties : undefined;
  if (!isJsonObject(properties)) return new Set();
  return new Set(
    Object.entries(properties).map(([name, value]) => {
      const type: JsonValue = isJsonObject(value) ? (value.type ?? null) : value;
      return canonicalJson([name, type]);
    }),
  );
}

/** From 0 to 1: the lesser of how alike the descriptions and the parameters are. Without a description nothing is near. */
function near(one: Sketch, other: Sketch): number {
  if (one.words.size === 0 || other.words.size === 0) return 0;
  const words = share(one.words, other.words);
  const both = one.parameters.size + other.parameters.size === 0;
  return both ? words : Math.min(words, share(one.parameters, other.parameters));
}

/** What two sets have in common, of all that they have (Jaccard). */
function share(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((value) => other.has(value)).length;
  return common / Math.max(1, one.size + other.size - common);
}
