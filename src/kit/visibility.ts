/**
 * Who sees which tool. A predicate hangs on the SDK's own `RegisteredTool`, so that no name can be mistyped; before a request is
 * served, the tools that its user may not see are taken out of the server's registry. What is not there cannot be told from what
 * never was: the SDK itself answers, in `tools/list`, in `tools/call` and in every check that comes before them.
 */
import type { RegisteredTool } from "@modelcontextprotocol/server";
import { type BuiltServer, protocolOf, registeredTools } from "./sdk-internals.ts";

/** True: this user sees the tool and may call it. One that throws or rejects ends the request with 500. */
export type Visible<User> = (user: User) => boolean | Promise<boolean>;

const predicates = new WeakMap<RegisteredTool, Visible<never>>();

/**
 * Shows a tool to some users only.
 * @returns the tool, to go on with.
 * @example
 * ```ts
 * import { McpServer } from "@modelcontextprotocol/server";
 * import { visibleTo } from "openmcp/kit";
 *
 * const mcp = new McpServer({ name: "notes", version: "1.0.0" });
 * const wipe = mcp.registerTool("wipe", {}, () => ({ content: [{ type: "text", text: "Gone." }] }));
 * visibleTo(wipe, (user: { admin: boolean }) => user.admin);
 * ```
 */
export function visibleTo<User>(tool: RegisteredTool, visible: Visible<User>): RegisteredTool {
  predicates.set(tool, visible as Visible<never>);
  return tool;
}

/** Whom predicates are asked about; `anonymous`: nobody, who sees what everybody sees. */
export type Viewer<User> = { readonly user: User } | "anonymous";

/** A request's need of tools: all of them, those of these names, or none. */
export type WantedTools = "all" | ReadonlySet<string>;

export interface Visibility<User> {
  /**
   * Lets `viewer` see what it may, of the tools that the request wants; the others stay as they were.
   * @throws whatever a predicate throws, and then nothing was changed.
   */
  apply(viewer: Viewer<User>, wanted: WantedTools): Promise<void>;
  /** Puts in force what `apply` found for this very viewer, if another was served meanwhile. No predicate is asked. */
  again(viewer: Viewer<User>): void;
}

/** For one server, which may live for many requests. */
export function createVisibility<User>(built: BuiltServer): Visibility<User> {
  /** Taken out by us. */
  const hidden = new Map<string, RegisteredTool>();
  /** The order in which names were first seen. */
  let order: readonly string[] = [];
  /** As each viewer that is served now was judged. */
  const found = new WeakMap<object, ReadonlyMap<string, boolean>>();

  async function judge(viewer: Viewer<User>, wanted: WantedTools): Promise<Map<string, boolean>> {
    const gated = [...Object.entries(registeredTools(built) ?? {}), ...hidden].flatMap(([name, tool]) => {
      const visible = predicates.get(tool) as Visible<User> | undefined;
      if (visible === undefined || (wanted !== "all" && !wanted.has(name))) return [];
      return [{ name, visible }];
    });
    const verdicts = await Promise.all(
      gated.map(async ({ name, visible }) => {
        // Anything but `true` hides: a predicate that forgets to answer shows nothing.
        return [name, viewer !== "anonymous" && (await visible(viewer.user)) === true] as const;
      }),
    );
    return new Map(verdicts);
  }

  /** All at once, and after it no await before the message is handed on. */
  function settle(verdicts: ReadonlyMap<string, boolean>): boolean {
    const registry = registeredTools(built);
    if (registry === null) return false;
    const now = Object.keys(registry);
    order = [...order, ...now.filter((name) => !order.includes(name))];
    let changed = false;
    for (const [name, visible] of verdicts) {
      const shown = registry[name];
      if (!visible && shown !== undefined && Object.hasOwn(registry, name)) {
        delete registry[name];
        hidden.set(name, shown);
        changed = true;
      }
      const back = hidden.get(name);
      if (visible && back !== undefined) {
        hidden.delete(name);
        if (!Object.hasOwn(registry, name)) registry[name] = back;
        changed = true;
        inOrder(registry);
      }
    }
    return changed;
  }

  function inOrder(registry: Record<string, RegisteredTool>): void {
    const entries = Object.entries(registry).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    for (const [name] of entries) delete registry[name];
    for (const [name, tool] of entries) registry[name] = tool;
  }

  return {
    async apply(viewer, wanted) {
      if (wanted !== "all" && wanted.size === 0) return;
      const verdicts = await judge(viewer, wanted);
      if (verdicts.size === 0) return;
      if (viewer !== "anonymous") found.set(viewer, verdicts);
      if (!settle(verdicts)) return;
      const server = protocolOf(built);
      // A session whose user may see more or less than before is told so.
      if (server.transport !== undefined) void server.sendToolListChanged().catch(() => {});
    },
    again(viewer) {
      const verdicts = viewer === "anonymous" ? undefined : found.get(viewer);
      if (verdicts !== undefined) settle(verdicts);
    },
  };
}
