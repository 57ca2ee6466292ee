/**
 * Standard input and output as the streams of a protocol. What else this process might write to standard output, a library's
 * `console.debug` say, goes to standard error from here on.
 */
import { Console } from "node:console";
import { Readable } from "node:stream";
import type { Streams } from "../../client/index.ts";
import type { Runtime } from "../shell.ts";

export function stdioStreams({ stdin, stdout }: Pick<Runtime, "stdin" | "stdout">): Streams {
  const real = process.stdout as unknown;
  // Whoever runs the command line in its own process is given text.
  const decoder = new TextDecoder();
  const own = (stdout as unknown) === real;
  const write = stdout.write.bind(stdout) as unknown as (
    bytes: Uint8Array,
    done?: (error?: Error | null) => void,
  ) => unknown;
  if (own) {
    globalThis.console = new Console(process.stderr, process.stderr);
    process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  }
  return {
    readable: Readable.toWeb(stdin) as Streams["readable"],
    writable: new WritableStream<Uint8Array>({
      write: (bytes) =>
        own
          ? new Promise<void>((resolve, reject) => {
              write(bytes, (error) => (error === null || error === undefined ? resolve() : reject(error)));
            })
          : void stdout.write(decoder.decode(bytes, { stream: true })),
    }),
  };
}
