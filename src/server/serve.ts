/**
 * A catalog as the work of a whole process: start, say what is on, run until a signal, stop in order.
 * `openmcp serve` is this; whoever embeds a catalog uses `startCatalog`.
 */
import { flushCompileCache } from "node:module";
import { KEEP_COMPILED_MS } from "./limits.ts";
import { createLog } from "./log.ts";
import { watchNpmParent } from "./npm-parent.ts";
import type { ServeOptions } from "./serve-options.ts";
import { keepHeapSmall } from "./small-heap.ts";
import { type CatalogParts, startCatalog } from "./start-catalog.ts";
import { describeCatalog } from "./summary.ts";
import { openTracing } from "./tracing/open-tracing.ts";
import { version } from "./version.ts";

/** The part of `process` that is used. */
export interface ServeProcess {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
  on(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  removeListener(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  exit(code: number): never;
}

/**
 * Runs a catalog until SIGINT, SIGTERM or the end of the npm that ran it, then resolves with exit code 0 once everything is closed.
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
  const stop = Promise.withResolvers<"SIGINT" | "SIGTERM" | "npm is gone">();
  let asked = false;
  const listeners = (["SIGINT", "SIGTERM"] as const).map((signal) => {
    const onSignal = (): void => {
      if (asked) runtime.exit(signal === "SIGINT" ? 130 : 143);
      asked = true;
      stop.resolve(signal);
    };
    runtime.on(signal, onSignal);
    return (): void => void runtime.removeListener(signal, onSignal);
  });
  listeners.push(watchNpmParent(process, () => stop.resolve("npm is gone")));
  try {
    await using tracing = parts.tracing ?? (await openTracing({ env: process.env, version, logger: log }));
    const catalog = await startCatalog(options, { ...parts, log, tracing });
    keepHeapSmall();
    // Node keeps compiled code at an orderly end alone; a catalog that is killed should start fast too. Nothing without a cache.
    const keepCompiled = setTimeout(flushCompileCache, KEEP_COMPILED_MS);
    listeners.push(() => clearTimeout(keepCompiled));
    runtime.stdout.write(`${describeCatalog(catalog, { command: commandOf(process.env) })}\n`);
    const reason = await stop.promise;
    log.info({ reason }, "stopping: no new requests, finishing what is under way");
    await catalog.close();
    log.info({}, "stopped");
    log.flush();
    return 0;
  } finally {
    for (const remove of listeners) remove();
  }
}

/** npm names the script that it runs; `npx openmcp` is no script of ours, and an installed bin has none. */
function commandOf({ npm_lifecycle_event: script }: NodeJS.ProcessEnv): string {
  return script === "start" || script === "openmcp" ? "npm run -s openmcp --" : "openmcp";
}
