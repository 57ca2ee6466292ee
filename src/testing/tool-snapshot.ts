/**
 * What a user's `tools/list` is, held in a file: so that a change of a tool is seen where it is made. It asks as a client does, writes
 * the file on the first run, and tells another list by what differs and by what of it breaks callers. It needs no test runner's own
 * snapshots, so it is the same under Vitest and node:test.
 */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { anyObject, compareTools, isJsonObject, type JsonValue, type ToolDefinition } from "../spec/index.ts";
import { connectTo, type TestedServer } from "./connect-to.ts";
import { MAX_SNAPSHOT_PAGES } from "./limits.ts";
import { textDifference } from "./text-difference.ts";

export interface ToolSnapshotOptions {
  /** Whose list: a user as `authenticate` would give it. Has to be given where the relay has users. */
  readonly as?: unknown;
  /** The file's name, without its end; default: the server's name, and a user's id after a dot. */
  readonly name?: string;
  /** The file itself; default `__snapshots__/<name>.tools.json` beside the test. */
  readonly file?: string | URL;
  /**
   * Write the list as it is now. Default: what the runner was told, `vitest -u` or `node --test-update-snapshots`, or
   * `OPENMCP_UPDATE_SNAPSHOTS=1`.
   */
  readonly update?: boolean;
}

/**
 * @throws Error when the list is another than in the file, with the difference; and in CI (`CI` is set) when there is no file.
 * @example
 * ```ts
 * const relay = server("greet", "1.0.0").tool("hello", {}, () => "Hello!");
 * it("keeps its tools", () => toolSnapshot(relay));
 * ```
 */
export function toolSnapshot(server: TestedServer, options: ToolSnapshotOptions = {}): Promise<void> {
  // Before anything is waited for: later nobody knows who called.
  const folder = options.file === undefined ? callerFolder(toolSnapshot) : "";
  return snapshot(server, { ...options, folder });
}

async function snapshot(
  server: TestedServer,
  { folder, ...options }: ToolSnapshotOptions & { readonly folder: string },
): Promise<void> {
  const { name, tools } = await listOf(server, options.as);
  const file = fileOf(options, { folder, name });
  const text = written({ tools });
  const before = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  const had = before === null ? null : readable(before);
  if (had === text) return;
  const update = options.update ?? wantsUpdate();
  if (before === null && !update && inCi()) {
    throw new Error(
      `There is no snapshot ${file}, and in CI none is written: run the test on your machine, and commit the file.`,
    );
  }
  if (had !== null && !update) throw new Error(difference({ file, before: had, text }));
  await write(file, text);
}

function written(value: JsonValue): string {
  return `${JSON.stringify(sorted(value), null, 2)}\n`;
}

/** As it was written, whatever a formatter or Git made of it since; a text that is no JSON as it is. */
function readable(text: string): string {
  try {
    return written(JSON.parse(text) as JsonValue);
  } catch {
    return text;
  }
}

/** By name, each tool with its members sorted: what a server's libraries order otherwise is no change. */
async function listOf(
  server: TestedServer,
  as: unknown,
): Promise<{ readonly name: string; readonly tools: readonly ToolDefinition[] }> {
  await using connection = await connectTo(server, as === undefined ? {} : { as });
  const { client } = connection;
  const tools: ToolDefinition[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_SNAPSHOT_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    // As it came: the client's own list leaves out what it does not know.
    const answer = await client.request({ method: "tools/list", params }, anyObject);
    tools.push(...(answer.tools as unknown as readonly ToolDefinition[]));
    if (typeof answer.nextCursor !== "string") break;
    cursor = answer.nextCursor;
  }
  tools.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  const id = as === undefined ? "" : `.${userName(as)}`;
  return { name: `${client.getServerVersion()?.name ?? "server"}${id}`, tools };
}

/** Absent members are left out, as on the wire. */
function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return Object.fromEntries(keys.sort().map((key) => [key, sorted(value[key] as JsonValue)]));
}

function userName(user: unknown): string {
  const member = (name: string): unknown =>
    typeof user === "object" && user !== null ? Reflect.get(user, name) : undefined;
  const found = [user, member("id"), member("sub"), member("name")].find(
    (value) => typeof value === "string" || typeof value === "number",
  );
  if (found !== undefined) return String(found);
  throw new Error("This user has no id to name a snapshot by: give the option `name`.");
}

function fileOf(
  { file, name: given }: ToolSnapshotOptions,
  { folder, name }: { readonly folder: string; readonly name: string },
): string {
  if (file !== undefined) return file instanceof URL ? fileURLToPath(file) : file;
  // A server's name may have a slash in it.
  return join(folder, "__snapshots__", `${(given ?? name).replaceAll(/[^\w.@-]+/g, "-")}.tools.json`);
}

/** The folder of the file that called `below`. */
// biome-ignore lint/complexity/noBannedTypes: any function, to take a trace from.
function callerFolder(below: Function): string {
  const trace = { stack: "" };
  Error.captureStackTrace(trace, below);
  const frame = trace.stack.split("\n").find((line) => /^\s+at /.test(line) && !line.includes("node:")) ?? "";
  const place = /\(?((?:file:\/\/|[A-Za-z]:[\\/]|\/)[^()]*?)(?:\?[^:()]*)?:\d+:\d+\)?\s*$/.exec(frame)?.[1];
  if (place === undefined) throw new Error("Where the test lies is not known: give the option `file`.");
  return dirname(place.startsWith("file://") ? fileURLToPath(place) : place);
}

function wantsUpdate(): boolean {
  if (process.env.OPENMCP_UPDATE_SNAPSHOTS === "1") return true;
  if ([...process.execArgv, ...process.argv].includes("--test-update-snapshots")) return true;
  const worker: unknown = Reflect.get(globalThis, "__vitest_worker__");
  const state = worker as { config?: { snapshotOptions?: { updateSnapshot?: unknown } } } | undefined;
  return state?.config?.snapshotOptions?.updateSnapshot === "all";
}

function inCi(): boolean {
  const { CI } = process.env;
  return CI !== undefined && !["", "0", "false"].includes(CI);
}

interface Differing {
  readonly file: string;
  readonly before: string;
  readonly text: string;
}

function difference({ file, before, text }: Differing): string {
  const told = verdict(before, text);
  return [
    `The tools are not those of the snapshot ${basename(file)}.`,
    ...(told.length === 0 ? [] : ["", ...told]),
    "",
    textDifference(before, text),
    "",
    `Is it meant? Then write it anew: vitest -u, node --test --test-update-snapshots, or OPENMCP_UPDATE_SNAPSHOTS=1. (${file})`,
  ].join("\n");
}

/** What the change is to callers; nothing where the file is none of ours any more. */
function verdict(before: string, text: string): readonly string[] {
  try {
    const { tools } = JSON.parse(before) as { tools: readonly ToolDefinition[] };
    const { changes } = compareTools(tools, (JSON.parse(text) as { tools: readonly ToolDefinition[] }).tools);
    return changes.map(
      ({ breaking, tool, message }) =>
        `${breaking ? "breaks callers" : "breaks nobody"}: ${tool}: ${message}`,
    );
  } catch {
    return [];
  }
}

/** Whole or not at all: tests run beside each other. */
async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const part = `${file}.${randomUUID().slice(0, 8)}`;
  try {
    await writeFile(part, text);
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}
