/**
 * A catalog as the work of a whole process: start, say what is on, run until a signal, stop in order.
 * `openmcp serve` is this; whoever embeds a catalog uses `startCatalog`.
 */
import { createLog } from "./log.ts";
import type { ServeOptions } from "./serve-options.ts";
import { type CatalogParts, startCatalog } from "./start-catalog.ts";
import { describeCatalog } from "./summary.ts";
import { keepYoungGeneration } from "./young-generation.ts";

/** The part of `process` that is used. */
export interface ServeProcess {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  removeListener(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  exit(code: number): never;
}

/**
 * Runs a catalog until SIGINT or SIGTERM, then resolves with exit code 0 once everything is closed.
 * A second signal ends the process at once, with 130 or 143 as shells count it.
 * @throws OpenMcpError as `startCatalog`.
 */
export async function serveCatalog(
  options: ServeOptions,
  { runtime = process, ...parts }: CatalogParts & { readonly runtime?: ServeProcess } = {},
): Promise<number> {
  const log =
    parts.log ??
    createLog({
      level: options.logLevel,
      human: runtime.stderr.isTTY === true,
      write: (line) => void runtime.stderr.write(line),
    });
  const stop = Promise.withResolvers<"SIGINT" | "SIGTERM">();
  let asked = false;
  const listeners = (["SIGINT", "SIGTERM"] as const).map((signal) => {
    const onSignal = (): void => {
      if (asked) runtime.exit(signal === "SIGINT" ? 130 : 143);
      asked = true;
      stop.resolve(signal);
    };
    runtime.on(signal, onSignal);
    return () => runtime.removeListener(signal, onSignal);
  });
  try {
    const catalog = await startCatalog(options, { ...parts, log });
    keepYoungGeneration();
    runtime.stdout.write(`${describeCatalog(catalog)}\n`);
    const signal = await stop.promise;
    log.info({ signal }, "stopping: no new requests, finishing what is under way");
    await catalog.close();
    log.info({}, "stopped");
    log.flush();
    return 0;
  } finally {
    for (const remove of listeners) remove();
  }
}
