/** An example as its own process on a free port, as a stranger starts it: `PORT=… node examples/greet.ts`. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface ExampleProcess extends AsyncDisposable {
  readonly url: string;
  /** What it wrote, on both streams. */
  readonly output: () => string;
}

export const fromSource = fileURLToPath(new URL("./from-source.ts", import.meta.url));
export const exampleFile = (name: string): string =>
  fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

/** Resolves when it says where it listens. Nothing of this environment but what finds Node. */
export async function startExample(
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ExampleProcess> {
  const child: ChildProcess = spawn(process.execPath, ["--import", fromSource, exampleFile(name)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env.PATH ?? "", PORT: "0", ...env },
  });
  let output = "";
  const ended = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (part: Buffer) => {
        output += part;
        const found = /(http:\/\/127\.0\.0\.1:\d+\/mcp)\s/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
    }
    void ended.then(([code]) => reject(new Error(`${name} ended with ${code}: ${output}`)));
  });
  return {
    url,
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
