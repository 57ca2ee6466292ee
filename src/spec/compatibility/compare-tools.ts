/**
 * Whether whoever calls one list of tools can call another: which changes break them, and which don't. Pure.
 * It reads definitions, not what tools do. What can't be decided breaks: a gate that lets a broken caller through is none.
 */
import { canonicalJson } from "../canonical-json.ts";
import { changedPaths } from "../changed-paths.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import { pairRenames } from "../pair-renames.ts";
import type { ToolDefinition } from "../record.ts";
import { messageOf } from "./messages.ts";
import { narrowings } from "./narrowings.ts";
import { lostPromises } from "./promises.ts";
import { isTelling } from "./schema-parts.ts";
import type { Compatibility, CompatibilityChange, Narrowing, Side } from "./types.ts";

/**
 * A name that a list says twice counts once, by its first tool; the lists' order says nothing.
 * @example
 * ```ts
 * const { changes } = compareTools([{ name: "greet" }], [{ name: "greet" }, { name: "part" }]);
 * for (const { breaking, tool, message } of changes) console.log(breaking, tool, message);
 * ```
 */
export function compareTools(
  before: readonly ToolDefinition[],
  after: readonly ToolDefinition[],
): Compatibility {
  const [old, fresh] = [byName(before), byName(after)];
  const gone = [...old.values()].filter(({ name }) => !fresh.has(name));
  const come = [...fresh.values()].filter(({ name }) => !old.has(name));
  const renamed = new Map(pairRenames(gone, come).map(([from, to]) => [from.name, to.name]));
  const renames = new Set(renamed.values());

  const changes = [
    ...gone.map(({ name }) => {
      const now = renamed.get(name);
      return now === undefined
        ? ofTool(name, "tool-removed", "is not there any more")
        : ofTool(name, "tool-renamed", `is called ${now} now`);
    }),
    ...come
      .filter(({ name }) => !renames.has(name))
      .map(({ name }) => ({ ...ofTool(name, "tool-added", "is new"), breaking: false })),
    ...[...old.values()].flatMap((was) => {
      const is = fresh.get(was.name);
      return is === undefined || canonicalJson(was) === canonicalJson(is) ? [] : changesOf(was, is);
    }),
  ];
  changes.sort((a, b) => Number(b.breaking) - Number(a.breaking) || compareText(a.tool, b.tool));
  return { compatible: changes.every(({ breaking }) => !breaking), changes };
}

function byName(tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> {
  const named = new Map<string, ToolDefinition>();
  for (const tool of tools) if (!named.has(tool.name)) named.set(tool.name, tool);
  return named;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function ofTool(
  tool: string,
  code: "tool-removed" | "tool-renamed" | "tool-added",
  message: string,
): CompatibilityChange {
  return { tool, code, breaking: true, pointer: "", message };
}

function changesOf(was: ToolDefinition, is: ToolDefinition): readonly CompatibilityChange[] {
  const found = [
    ...ofSchemas("input", { was: inputOf(was), is: inputOf(is) }),
    ...ofOutput(was, is),
    ...lostPromises(was, is).map((one) => told(one, { side: "input", breaking: true, at: "/annotations" })),
    ...lostPromises(is, was).map((one) => told(one, { side: "input", breaking: false, at: "/annotations" })),
  ];
  // What else is different is read by people and models, and checked by nobody.
  const texts = changedPaths(was, is).filter((path) => !found.some(({ pointer }) => explains(pointer, path)));
  return [
    ...found,
    ...texts.map((pointer) => ({
      code: "text" as const,
      breaking: false,
      pointer,
      message: wordOf(pointer),
    })),
  ].map((change) => ({ tool: was.name, ...change }));
}

/** A change at `pointer` is why the texts at `path` differ: it is the same place, or rules of one schema. */
function explains(pointer: string, path: string): boolean {
  if (within(path, pointer) || within(pointer, path)) return true;
  const last = path.lastIndexOf("/");
  return (
    !isTelling(path.slice(last + 1)) && /^\/\w+Schema/.test(path) && within(pointer, path.slice(0, last))
  );
}

function within(path: string, whole: string): boolean {
  return path === whole || path.startsWith(`${whole}/`);
}

function wordOf(pointer: string): string {
  return `what it says at ${pointer === "" ? "/" : pointer} is different`;
}

/** Arguments are an object, whether the schema says so or not. */
function inputOf(tool: ToolDefinition): JsonObject {
  return { type: "object", ...(isJsonObject(tool.inputSchema) ? tool.inputSchema : {}) };
}

type Told = Omit<CompatibilityChange, "tool">;

function ofOutput(was: ToolDefinition, is: ToolDefinition): readonly Told[] {
  const [before, after] = [was.outputSchema, is.outputSchema];
  const at = { side: "output" as const, at: "/outputSchema" };
  if (isJsonObject(before) && isJsonObject(after)) return ofSchemas("output", { was: before, is: after });
  if (isJsonObject(before)) {
    return [told({ code: "output-removed", pointer: "", detail: "" }, { ...at, breaking: true })];
  }
  if (!isJsonObject(after)) return [];
  return [told({ code: "output-added", pointer: "", detail: "" }, { ...at, breaking: false })];
}

/** Callers send what they sent, and understand what they understood: inputs may take more, outputs give no more than before. */
function ofSchemas(
  side: Side,
  { was, is }: { readonly was: JsonObject; readonly is: JsonObject },
): readonly Told[] {
  const at = { side, at: `/${side}Schema` };
  const [from, to] = side === "input" ? [was, is] : [is, was];
  const less = narrowings(from, to, side);
  // The other way round the same places are where more is taken, or less given.
  const lessAt = Map.groupBy(less, ({ pointer }) => pointer);
  const more = narrowings(to, from, side).filter(
    (one) => lessAt.get(one.pointer)?.every((other) => bothWays(one, other)) ?? true,
  );
  return [
    ...less.map((one) => told(one, { ...at, breaking: true })),
    ...more.map((one) => told(one, { ...at, breaking: false })),
  ];
}

/** Some values went and others came. */
function bothWays(one: Narrowing, other: Narrowing): boolean {
  return one.code === other.code && (one.code === "values" || one.code === "type");
}

function told(
  { code, pointer, detail }: Narrowing,
  { side, breaking, at }: { readonly side: Side; readonly breaking: boolean; readonly at: string },
): Told {
  return {
    // A member that the earlier schema does not know, seen from the later one.
    code: code === "member-removed" && !breaking ? "member-added" : code,
    breaking,
    pointer: `${at}${pointer}`,
    message: messageOf({ code, pointer, detail }, { side, breaking }),
  };
}
