/** Two instances in processes of their own. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface Instance extends AsyncDisposable {
  readonly url: string;
  /** As a machine that loses its power. */
  kill(): Promise<void>;
}

const main = fileURLToPath(new URL("instance-process.ts", import.meta.url));

/** `database`: its kind, where it is, and the schema or prefix there. */
export async function startInstance(name: string, database: readonly string[]): Promise<Instance> {
  const child: ChildProcess = spawn(process.execPath, [main, name, ...database], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const [first] = (await Promise.race([once(child.stdout as never, "data"), exited])) as [unknown];
  if (!Buffer.isBuffer(first)) throw new Error(`the instance ended with ${String(first)}`);
  return {
    url: first.toString().trim(),
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
    async [Symbol.asyncDispose]() {
      child.stdin?.end();
      await exited;
    },
  };
}
