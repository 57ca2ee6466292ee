/** What an application wrote about a server: where its logs are, and following them over rotations. */
import { open, readdir, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { FOLLOW_POLL_MS, LOG_CHUNK_BYTES, LOG_TAIL_BYTES } from "./limits.ts";
import { expandPath, type Machine, pathsOf } from "./machine.ts";

const FOLDERS = {
  darwin: "$HOME/Library/Logs/Claude",
  linux: "$HOME/.config/Claude/logs",
  win32: "%APPDATA%\\Claude\\logs",
} as const;

export interface LogFiles {
  readonly folder: string;
  /** Of this server: what it wrote to standard error, and the messages. Null when there is none yet. */
  readonly server: string | null;
  /** Of all servers: what Claude Desktop says of starting them. */
  readonly general: string | null;
  /** Names of servers that have a log. */
  readonly names: readonly string[];
}

/** Claude Desktop's logs; the other applications show theirs in their own windows. */
export async function logFiles(name: string | null, machine: Machine): Promise<LogFiles> {
  const folder = expandPath(FOLDERS[machine.platform], machine) ?? machine.home;
  const names = await readdir(folder).catch(() => [] as string[]);
  const has = (file: string) => (names.includes(file) ? pathsOf(machine).join(folder, file) : null);
  return {
    folder,
    server: name === null ? null : has(`mcp-server-${name}.log`),
    general: has("mcp.log"),
    names: names.flatMap((file) => /^mcp-server-(.+)\.log$/.exec(file)?.[1] ?? []).sort(),
  };
}

/** The end of the file, from the beginning of a line. */
export async function tailOf(
  path: string,
  lines: number,
): Promise<{ readonly text: string; readonly offset: number }> {
  await using handle = await open(path, "r");
  const { size } = await handle.stat();
  const start = Math.max(0, size - LOG_TAIL_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
  const all = buffer.toString("utf8", 0, bytesRead).split(/(?<=\n)/);
  if (start > 0) all.shift();
  return { text: all.slice(-lines).join(""), offset: start + bytesRead };
}

/** What is written behind `offset`, until the signal; a file that is shorter or another than before is read from its beginning. */
export async function* followFile(
  path: string,
  { offset, signal }: { readonly offset: number; readonly signal: AbortSignal },
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let at = offset;
  let node = (await stat(path).catch(() => null))?.ino ?? null;
  while (!signal.aborted) {
    const info = await stat(path).catch(() => null);
    if (info !== null) {
      if (info.ino !== node || info.size < at) at = 0;
      node = info.ino;
      if (info.size > at) {
        await using handle = await open(path, "r");
        const length = Math.min(info.size - at, LOG_CHUNK_BYTES);
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
        at += bytesRead;
        if (bytesRead > 0) yield decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
        continue;
      }
    }
    await sleep(FOLLOW_POLL_MS, undefined, { signal }).catch(() => undefined);
  }
}
