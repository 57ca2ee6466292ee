/**
 * A catalog that `npm start` runs stands two processes below the npm that a person, or a supervisor, stops. npm's shell
 * passes no SIGTERM on: without this the catalog stays behind, on its port. It looks; stopping is the caller's.
 */
import { ORPHAN_CHECK_MS } from "./limits.ts";

/** The part of `process` that is used. */
export interface ParentedProcess {
  readonly ppid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Calls `onOrphaned` once when npm ran this process and is gone. Gives a function that stops looking. */
export function watchNpmParent(runtime: ParentedProcess, onOrphaned: () => void): () => void {
  if (runtime.env.npm_lifecycle_event === undefined) return () => {};
  const parent = runtime.ppid;
  const timer = setInterval(() => {
    if (runtime.ppid === parent) return;
    clearInterval(timer);
    onOrphaned();
  }, ORPHAN_CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
